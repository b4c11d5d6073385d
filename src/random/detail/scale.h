// Which scales the samplers take.
#pragma once

#include "base/rational.h"
#include "random/detail/precision.h"

namespace dither::random::detail {

// bad-scale unless 1/1000 <= value <= 2^60.
void require_scale(const char* name, const Rational& value);

// Whether noise of this scale is practically never beyond 64 bits: scale <= 2^52.
bool fits_int64(const Rational& scale);

// out-of-range unless the law fits.
void require_int64(const char* name, bool fits);

// Tables of single values read one word, tables of cells seven bytes.
constexpr Precision table_precision(int shift) { return shift == 0 ? kSmallTable : kCellTable; }

}  // namespace dither::random::detail
