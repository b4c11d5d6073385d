// Drawn numbers as bytes: lines, one JSON document, or 64-bit integers.
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.h"
#include "cli/draws.h"
#include "cli/output.h"

namespace dither::cli {

enum class Format { text, json, int64 };

// Draws and writes `count` numbers, block by block.
//
// text       a line each: whole numbers, or exact decimals on a grid (fractions where decimals cannot write it).
// json       `opening` is an object without its closing brace; the numbers follow as its last member "values". As
//            show/json.h has it, numbers beyond 2^53 and those on a grid are strings.
// int64      eight bytes each, little-endian; on a grid the number of grid steps.

void write_values(const Draws& draws, std::uint64_t count, Format format, const std::string& opening, Output& output,
                  Progress& progress);

// out-of-range when the format is int64 and the draws may not fit.
void require_fits(const Draws& draws, Format format);

}  // namespace dither::cli
