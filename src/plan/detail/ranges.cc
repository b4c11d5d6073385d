#include "plan/detail/ranges.h"

#include <algorithm>
#include <array>

namespace dither::plan::detail {

namespace {

const Rational& most_real() {
  static const Rational most = Rational::from_double(std::numeric_limits<double>::max());
  return most;
}

Rational whole(mpz_srcptr value) {
  Rational number;
  mpq_set_z(number.get(), value);
  return number;
}

// Outward to a double, but not beyond the finite ones: what is infinite is NULL instead.
Rational double_below(const Rational& end) {
  return end < -most_real() ? -most_real() : Rational::from_double(end.to_double_down());
}
Rational double_above(const Rational& end) {
  return end > most_real() ? most_real() : Rational::from_double(end.to_double_up());
}

}  // namespace

Range hull(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

std::optional<Range> overlap(const Range& a, const Range& b) {
  Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
  if (both.low > both.high) return std::nullopt;
  return both;
}

// gcd(p/q, r/s) = gcd(p s, r q) / (q s).
Rational common_grid(const Rational& a, const Rational& b) {
  mpz_t left, right;
  mpz_inits(left, right, nullptr);
  mpz_mul(left, mpq_numref(a.get()), mpq_denref(b.get()));
  mpz_mul(right, mpq_numref(b.get()), mpq_denref(a.get()));
  mpz_gcd(left, left, right);
  Rational grid = whole(left) / (whole(mpq_denref(a.get())) * whole(mpq_denref(b.get())));
  mpz_clears(left, right, nullptr);
  return grid;
}

std::optional<Rational> only(const Facts& facts) {
  if (!facts.range || facts.range->low != facts.range->high) return std::nullopt;
  return facts.range->low;
}

std::optional<Rational> shared_grid(const Facts& a, const Facts& b) {
  const auto zero = [](const Facts& facts) { return facts.finite && only(facts) == Rational(0); };
  if (zero(a)) return b.grid;
  if (zero(b)) return a.grid;
  if (!a.grid || !b.grid) return std::nullopt;
  return common_grid(*a.grid, *b.grid);
}

std::optional<Range> whole_range(Type type) {
  switch (type) {
    case Type::integer:
      return Range{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    case Type::date:
      return Range{kFirstDay, kLastDay};
    case Type::timestamp:
      return Range{kFirstMicrosecond, kLastMicrosecond};
    case Type::boolean:
    case Type::real:
    case Type::text:
      break;
  }
  return std::nullopt;
}

std::optional<Range> range_of(const Facts& facts) {
  if (facts.range) return facts.range;
  if (facts.type == Type::real && facts.finite) return Range{-most_real(), most_real()};
  return whole_range(facts.type);
}

void set_range(Facts& result, const Range& exact) {
  if (result.type == Type::real) {
    if (exact.low < -most_real() || exact.high > most_real()) result.nullable = true;
    result.range = Range{double_below(exact.low), double_above(exact.high)};
    if (result.range->low > result.range->high) result.range.reset();
    return;
  }
  const Range all = *whole_range(result.type);
  if (exact.low < all.low || exact.high > all.high) result.nullable = true;
  result.range = overlap(exact, all);
}

Range sum(const Range& a, const Range& b) { return {a.low + b.low, a.high + b.high}; }
Range difference(const Range& a, const Range& b) { return {a.low - b.high, a.high - b.low}; }
Range product(const Range& a, const Range& b) {
  return around(std::array{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Range around(std::span<const Rational> numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return {*low, *high};
}

bool holds(const Range& range, const Rational& number) { return range.low <= number && number <= range.high; }

Rational floor_of(const Rational& number) {
  mpz_t quotient;
  mpz_init(quotient);
  mpz_fdiv_q(quotient, mpq_numref(number.get()), mpq_denref(number.get()));
  Rational below = whole(quotient);
  mpz_clear(quotient);
  return below;
}
Rational ceil_of(const Rational& number) { return -floor_of(-number); }

}  // namespace dither::plan::detail
