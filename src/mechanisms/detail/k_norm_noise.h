// Exact draws of noise in the shape of a matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "calculus/data.h"
#include "mechanisms/detail/gauge.h"
#include "random/discrete_laplace.h"
#include "random/source.h"

namespace dither::mechanisms::detail {

// Integer vectors of law proportional to exp(-epsilon level(z) / grain), level(z) = floor(grain max |z_i| / c_i): the
// max norm with weights, in steps of 1 / grain so that it never exceeds it.
//
// Proof      With q = exp(-epsilon / grain), q^level is (1 - q) times the sum of q^k over k >= level. So a level k is
//            drawn with weight V(k) q^k, V(k) the number of vectors up to that level, and then one of them. V(k) is the
//            product of 2 ceil((k+1) c_i / grain) - 1 <= (c_i / grain) (2k + 3), as grain <= c_i. The sum k + 1 = s of
//            d+1 geometric numbers has weight C(s + d, d) q^s, proportional to (s + 1) ... (s + d), and is kept with
//            the ratio of the two, which is at most 1 factor by factor.
class BoxNoise {
 public:
  // 1 <= grain <= every radius.
  BoxNoise(std::vector<std::int64_t> radii, std::int64_t grain, const Rational& epsilon);

  calculus::Integers draw(random::Source& source) const;
  // level(z) / grain.
  Rational norm(const calculus::Integers& z) const;
  // The sum of all weights, to 1e-6 of itself (for a limit on rounds alone).
  double total() const;

 private:
  Int128 count(std::size_t i, Int128 level) const;  // of values of coordinate i up to the level
  Int128 draw_level(random::Source& source) const;

  std::vector<std::int64_t> radii_;
  std::int64_t grain_;
  Rational rate_;  // epsilon / grain
  random::DiscreteLaplace steps_;
};

// Independent discrete Laplace numbers of scale c_i / epsilon: law proportional to exp(-epsilon sum of |z_i| / c_i).
class CrossNoise {
 public:
  CrossNoise(std::vector<Rational> radii, const Rational& epsilon);

  calculus::Integers draw(random::Source& source) const;
  Rational norm(const calculus::Integers& z) const;
  double total() const;

 private:
  std::vector<Rational> radii_;
  Rational epsilon_;
  std::vector<random::DiscreteLaplace> coordinates_;
};

// Draws from the better of the two until one is kept: with probability exp(-epsilon (|z| - norm(z))), which needs |z|
// >= norm(z). Both balls hold the columns of the matrix, so both norms are at most |z|.
class KNormNoise {
 public:
  KNormNoise(const IntegerMatrix& matrix, const Rational& epsilon);

  calculus::Integers draw(random::Source& source) const;
  double rounds() const;  // on average, at most

 private:
  template <class Proposal>
  calculus::Integers draw_from(const Proposal& proposal, random::Source& source) const;
  double least_total() const;

  Gauge gauge_;
  Rational epsilon_;
  BoxNoise box_;
  CrossNoise cross_;
  bool by_cross_;  // which of the two has the smaller total
};

}  // namespace dither::mechanisms::detail
