// SHA-256 of many short texts: what stands for a unit of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dither::engine::detail {

// The first 128 bits of SHA-256 over the canonical bytes of a text ('t' and the text), as two numbers.
struct TextDigest {
  std::uint64_t first, second;
  bool operator==(const TextDigest&) const = default;
};

// Of `count` texts.
// Cost       about 30 ns for up to 54 bytes where the processor has instructions for SHA-256, two texts at a time; 300 ns else.
void text_digests(const std::string_view* texts, std::size_t count, TextDigest* digests);

// The same, one by one and without such instructions.
TextDigest text_digest(std::string_view text);

}  // namespace dither::engine::detail
