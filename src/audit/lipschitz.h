// Functions of one's own: whether one record can move them further than is said, and a filter that makes it so.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/rational.h"

namespace dither::audit {

// A product: each coordinate takes one of its values. Neighbours differ in one coordinate.
using ProductDomain = std::vector<std::vector<double>>;
using PlainFunction = std::function<double(std::span<const double>)>;

struct LipschitzReport {
  std::int64_t tried = 0;  // pairs of neighbours
  double largest = 0;      // |f(x) - f(y)|, infinite where one of the two is no number
  // A pair that f moves further apart than c, made plain: as many coordinates as possible at their first value.
  std::optional<std::pair<std::vector<double>, std::vector<double>>> counterexample;
  // When none was found: at most this share of all pairs of neighbours is moved further, with the given confidence.
  double at_most_share = 1;
};

// Draws pairs of neighbours, uniformly, until f moves one by more than c or `samples` were tried: exact comparison of the
// two doubles. What passes may still have bad pairs; at_most_share = log(1 / false_alarm) / tried says how many.
//
// Refuses    a domain without coordinates, or a coordinate with fewer than two values or one of them twice (bad-count);
//            c < 0 (out-of-range).
// Spec       W-60, T-50.
LipschitzReport test_lipschitz(const ProductDomain& domain, const PlainFunction& f, const Rational& c,
                               std::int64_t samples, double false_alarm, std::uint64_t seed);

// The largest c-Lipschitz function below f, g(x) = min over y of f(y) + c d(x, y), d the number of coordinates that differ;
// f is cut to [low, high] first (no number counts as high).
//
// Promise    g moves by at most c between neighbours, whatever f does, and is f wherever f keeps c everywhere. Exact.
//            Local: y further than (high - low) / c coordinates away cannot be smaller and is not looked at; g depends on
//            nothing that was asked before.
// Refuses    c <= 0 or low > high (out-of-range); a domain of which a question would look at more than 10^6 points
//            (bad-count): filters for large cubes need that many (Jha and Raskhodnikova).
// Spec       W-60.
class LipschitzFilter {
 public:
  LipschitzFilter(ProductDomain domain, PlainFunction f, const Rational& c, const Rational& low, const Rational& high);

  Rational operator()(std::span<const double> x) const;

 private:
  Rational cut(std::span<const double> y) const;
  void look(std::vector<double>& y, std::size_t from, std::size_t changed, Rational& best) const;

  ProductDomain domain_;
  PlainFunction f_;
  Rational c_, low_, high_;
  std::size_t radius_ = 0;
};

}  // namespace dither::audit
