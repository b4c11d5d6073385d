// How far vectors of whole numbers move, in the norms that noise is priced by, at a distance of any vector metric.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accounting/event.h"
#include "calculus/domain.h"
#include "calculus/metric.h"

namespace dither::mechanisms::detail {

// At most `cells` numbers move, none by more than `largest` whole steps.
struct EachMoves {
  std::uint64_t cells;
  Int128 largest;
};

class Reach {
 public:
  // For distances in `from`. mixed-metrics when it is no metric between vectors, or is l2 where `need` is l1 (which it
  // bounds by no rational number); no-theorem for linf without a dimension.
  Reach(const calculus::VectorDomain& domain, calculus::MetricKind from, calculus::MetricKind need);

  Rational l1(const calculus::Distance& d) const;
  Rational l2_squared(const calculus::Distance& d) const;

  // What is known of the numbers one by one; nothing where only the whole is bounded, or beyond 10^15 steps, where laws
  // of losses are not computed.
  std::optional<EachMoves> each(const calculus::Distance& d) const;

 private:
  calculus::MetricKind from_;
  std::optional<std::uint64_t> dimension_;
};

// The square root of a number >= 0: exact where it is rational, otherwise above it by less than 2^-100 of it.
Rational root_up(const Rational& square);

}  // namespace dither::mechanisms::detail
