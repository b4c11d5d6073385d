// Arithmetic on ranges and grids: what fact rules are made of.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "plan/facts.h"

namespace dither::plan::detail {

// Facts of what is one of these, all of one type or NULL.
Facts facts_of_values(Type type, std::vector<Cell> values);

// Whether it can be nothing but NULL.
bool always_null(const Facts& facts);

// The number of a cell, where it is a finite one.
std::optional<Rational> exact(const Cell& cell);

// The smallest range that holds both; the part they share, if any.
Range hull(const Range& a, const Range& b);
std::optional<Range> overlap(const Range& a, const Range& b);

// The largest step of which both are multiples; both are positive.
Rational common_grid(const Rational& a, const Rational& b);

// The one number it can be.
std::optional<Rational> only(const Facts& facts);

// The step that both share; 0 lies on every grid.
std::optional<Rational> shared_grid(const Facts& a, const Facts& b);

// Every value of the type: nothing for booleans, texts, and reals that may be infinite.
std::optional<Range> whole_range(Type type);

// What is known: the range, or that of the type where none is stated. Of a real without a range, all finite doubles
// when it is finite, else nothing.
std::optional<Range> range_of(const Facts& facts);

// Exact ends of a result, made to hold what the function really gives: whole numbers beyond 64 bits, dates beyond the
// year 9999 and reals beyond the doubles are NULL; reals are rounded to the nearest double, so their ends go outward to
// doubles.
void set_range(Facts& result, const Range& exact);

// Ends of sums, differences, products of two ranges.
Range sum(const Range& a, const Range& b);
Range difference(const Range& a, const Range& b);
Range product(const Range& a, const Range& b);

// The smallest range that holds these numbers; at least one.
Range around(std::span<const Rational> numbers);

bool holds(const Range& range, const Rational& number);

// The largest whole number not above, the smallest not below, as exact numbers of any size.
Rational floor_of(const Rational& number);
Rational ceil_of(const Rational& number);

}  // namespace dither::plan::detail
