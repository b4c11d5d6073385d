#include "calculus/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/roots.h"

namespace dither::calculus {

namespace {

constexpr int kLargest = 1000, kLeast = -1074;  // as powers of two

using Make = std::function<AnyMeasurement(const Rational& scale)>;

enum class Verdict { refused, fails, holds };

struct Search {
  const Make& make;
  const Distance& d_in;
  const Loss& wanted;

  Verdict operator()(double scale) const {
    try {
      return make(Rational::from_double(scale)).check(d_in, wanted) ? Verdict::holds : Verdict::fails;
    } catch (const Error& error) {
      if (error.code() == Code::bad_scale) return Verdict::refused;
      throw;
    }
  }
  bool holds(double scale) const { return (*this)(scale) == Verdict::holds; }

  // A scale that does, from 1 upwards; the largest that `make` accepts is tried too.
  double some_good() const {
    Verdict before = Verdict::refused;
    for (int exponent = 0; exponent <= kLargest; ++exponent) {
      const double scale = std::ldexp(1.0, exponent);
      const Verdict here = (*this)(scale);
      if (here == Verdict::holds) return scale;
      if (here == Verdict::refused && before == Verdict::fails) {
        const auto accepted = [&](double one) { return (*this)(one) != Verdict::refused; };
        const double largest = find_turn(accepted, scale, scale / 2).holds;
        if (holds(largest)) return largest;
        break;
      }
      before = here;
    }
    throw Error{Code::unreachable, fmt::format("no scale keeps the loss at {}", str(wanted)),
                "allow a larger loss, or bound the distance more tightly"};
  }
};

}  // namespace

Rational find_scale(const Make& make, const Distance& d_in, const Loss& wanted) {
  const Search search{make, d_in, wanted};
  const double good = search.some_good();
  // Down in strides that double: few tries for usual scales, and still few for extreme ones.
  int exponent = std::ilogb(good);
  double bad = good;
  for (int stride = 1; search.holds(bad); stride *= 2) {
    if (exponent == kLeast) return Rational::from_double(bad);
    exponent = std::max(kLeast, exponent - stride);
    bad = std::ldexp(1.0, exponent);
  }
  return Rational::from_double(find_turn([&](double scale) { return search.holds(scale); }, bad, good).holds);
}

}  // namespace dither::calculus
