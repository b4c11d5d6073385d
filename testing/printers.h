// How values appear in the messages of failed tests. fmt and gtest know __int128 by themselves; RapidCheck does not.
#pragma once

#include <rapidcheck/Show.h>

#include <iosfwd>

#include "base/int128.h"
#include "base/rational.h"

// A type without a namespace is not found by overloads, so RapidCheck's own function is specialised.
template <>
void rc::show(const dither::Int128& value, std::ostream& os);
template <>
void rc::show(const dither::UInt128& value, std::ostream& os);

namespace dither {

void PrintTo(const Rational& value, std::ostream* os);
void showValue(const Rational& value, std::ostream& os);

}  // namespace dither
