// The norm whose unit ball is the image of the l1 ball under an integer matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.h"
#include "base/rational.h"

namespace dither::mechanisms::detail {

using IntegerMatrix = std::vector<std::vector<std::int64_t>>;  // row by row, all as long

// |z| = min { |y|_1 : F y = z }, exactly.
//
// Refuses    a matrix whose rows are linearly dependent (no-theorem): some z then have no norm.
// Cost       a linear programme in exact rationals: about a millisecond for 8 rows and 64 columns. What it takes
//            depends on z alone.
// Proof      the revised simplex method on columns +F_j and -F_j of cost 1, from a basis that is found once. It ends
//            with a dual solution w, |w F_j| <= 1 for all j, of the same value. After kFreeSteps steps columns are
//            chosen by Bland's rule, which does not cycle.
class Gauge {
 public:
  explicit Gauge(const IntegerMatrix& rows);

  Rational operator()(std::span<const Int128> z) const;

  std::size_t dimension() const { return inverse_.size(); }
  // |det| of the columns that the search starts from.
  const Rational& determinant() const { return determinant_; }

 private:
  using Column = std::vector<Rational>;

  std::vector<Column> columns_;
  std::vector<std::size_t> basis_;              // of columns
  std::vector<std::vector<Rational>> inverse_;  // of the matrix of these columns, row by row
  Rational determinant_ = 1;
};

}  // namespace dither::mechanisms::detail
