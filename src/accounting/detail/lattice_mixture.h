// Mixtures of normal laws with certified integrals over cells. Private to the room.
#pragma once

#include <span>
#include <vector>

#include "accounting/loss.h"

namespace dither::accounting::detail {

// The pair of a GaussianLoss or a MixtureLoss of direction `remove` or `replace`, in the coordinate y of loss.h:
//   remove   ratio(y) = R(y),          dQ = phi(y) dy
//   replace  ratio(y) = R(y) / R(-y),  dQ = phi(y) R(-y) dy
// where R(y) is the sum of weight_j exp(rate_j y - rate_j^2 / 2). ratio increases.
class MixtureCurve {
 public:
  explicit MixtureCurve(const GaussianLoss& loss);
  explicit MixtureCurve(const MixtureLoss& loss);

  double largest_rate() const { return rates_.back(); }

  // ln ratio(y), and a bound on the rounding error of that number.
  double loss(double y) const;
  double loss_error(double y) const;
  // A y whose loss is near z; how near, the caller checks with loss(). `guess` starts the search.
  double inverse(double z, double guess) const;
  // The mass of P or Q outside of [low, high], rounded up.
  double outside_p(double low, double high) const;
  double outside_q(double low, double high) const;

  // Over a part [from, to] of the cell [low, high], all four as distances from low:
  //   up    the integral of (ratio - ratio(low)) dQ
  //   down  the integral of (ratio(high) - ratio) dQ
  //   mass  the integral of dQ
  // `remainder` bounds what the quadrature leaves out, relative to each of them.
  struct Part {
    double up = 0;
    double down = 0;
    double mass = 0;
    double remainder = 0;
  };
  struct Cell {
    double low;
    double width;
    double ratio_rise;                // ratio(high) - ratio(low)
    std::vector<double> grow_low;     // weight_j exp(rate_j low - rate_j^2 / 2)
    std::vector<double> grow_high;    // the same at high
    std::vector<double> shrink_low;   // ratio(low) weight_j exp(-rate_j low - rate_j^2 / 2), replace only
    std::vector<double> shrink_high;  // the same at high
  };
  void start_cell(double low, double width, Cell& cell) const;
  Part integrate(const Cell& cell, double from, double to) const;

 private:
  double slope(double y) const;   // of the loss
  double tilted(double y) const;  // R(y) - 1
  double plain(double y) const;   // R(y)

  std::vector<double> rates_;    // positive, increasing
  std::vector<double> weights_;  // of those rates
  double weight_zero_ = 0;
  bool replace_ = false;
};

}  // namespace dither::accounting::detail
