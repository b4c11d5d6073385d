// How values appear in the messages of failed tests. gtest and fmt know __int128 by themselves; RapidCheck does not.
#pragma once

#include <iosfwd>

#include "base/int128.h"
#include "base/rational.h"

namespace rc {

void showValue(dither::Int128 value, std::ostream& os);
void showValue(dither::UInt128 value, std::ostream& os);

}  // namespace rc

namespace dither {

void PrintTo(const Rational& value, std::ostream* os);
void showValue(const Rational& value, std::ostream& os);

}  // namespace dither
