// What a text shows beside being this text and no other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/outputs.h"
#include "audit/words.h"

namespace dither::audit {

// A text that never comes twice can still tell the inputs apart: by its length, how it begins and ends, its characters,
// its digits, or their order. These are cells of their own, made from the text alone, which is post-processing:
//
//   numbers  its length, how many digits, capitals, spaces and marks it has, how many different characters, how often a
//            character lies below the one before, where the first mark is; the first, second and last number in it;
//            its place in the order of texts
//   words    its first and last one, two and three characters; whether its parts (between marks and spaces) rise or fall
//   flags    which characters occur, and which two of them beside each other, in 104 classes each: numbers in [1, 2)
//            whose bits are the flags, for testers that look at bits
inline constexpr std::size_t kTextParts = 23;

Shape text_parts_shape();
// Whether this part, from 0, is a number of flags.
constexpr bool is_text_flags(std::size_t part) { return part >= kTextParts - 4; }
// "the length of word 1"
std::vector<std::string> text_part_names(const std::string& text_name);
// Fills kTextParts cells.
void write_text_parts(std::string_view text, Words& words, std::span<double> cells);

}  // namespace dither::audit
