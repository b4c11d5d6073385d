// The law of a sum of losses on one lattice, with two-sided error bounds. Private to the room.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "accounting/bounds.h"

namespace dither::accounting::detail {

// Masses under P at the losses anchor + (first + i) step, made `times` times. As in Nodes, true losses differ from
// these by at most `slip`.
struct LatticePart {
  double step = 0;
  double anchor = 0;
  std::int64_t first = 0;
  std::vector<double> mass;
  double infinite_mass = 0;
  double other_infinite = 0;  // mass of Q where P has none
  double slip = 0;
  std::uint64_t times = 1;
};

// Estimates from the order theta that makes e^{-theta epsilon} E[e^{theta Z}] smallest: epsilon for a given delta, or
// the other way round, and the order to tilt by. That is smaller than theta, where the moments of a subsampled loss
// explode, and the window with them. Nothing depends on their quality but widths.
struct Saddle {
  double tilt;
  double epsilon;
  double log_delta;
};
Saddle saddle_for_delta(std::span<const LatticePart> parts, double delta);
Saddle saddle_for_epsilon(std::span<const LatticePart> parts, double epsilon);

// A part with the place that its tilt counts from, and ln of its tilted mass.
struct Centred {
  const LatticePart* part;
  std::int64_t place;
  double log_mass;
};

// The sum of all losses, composed under the tilt e^{theta Z} in the Fourier domain.
//
// Promise    for the exact composition of the parts as given (positive masses, whose sum need not be 1, at losses that
//            may be off by their slip): delta_upper(epsilon) is at least, and delta_lower(epsilon) at most, its delta;
//            1 and 0 when it is not usable().
// Proof      see the source.
// Spec       A-16, B-06 (i) to (iv), A-44.
class LatticeSum {
 public:
  // usable() is false when a part has no mass, when steps differ, or when 2^22 places do not hold the law.
  LatticeSum(std::span<const LatticePart> parts, double theta);

  bool usable() const { return usable_; }
  double delta_upper(double epsilon) const;
  double delta_lower(double epsilon) const;

 private:
  struct Reading {
    double sum;  // of tilted masses times weights, with all its errors on the safe side
    double log_scale;
  };
  struct Support {
    double times = 0;
    double variance = 0;  // of the tilted law, in places
    double lowest = 0;    // places
    double highest = 0;
  };
  bool centre(std::span<const LatticePart> parts, std::vector<Centred>& centred, Support& support);
  bool lay_window(const std::vector<Centred>& centred, const Support& support);
  std::vector<double> tilted_signal(const Centred& one, double& rounding) const;
  void compose(const std::vector<Centred>& centred, double total_times);
  void turn(const std::vector<double>& cycle);  // into law_, so that it starts at start_
  Reading read(double epsilon, bool upper) const;

  bool usable_ = false;
  double step_ = 0;
  double base_ = 0;  // the loss at place 0
  double slip_ = 0;
  double tilt_ = 0;         // theta * step
  double log_moment_ = 0;   // sum of times * ln(tilted mass), about place 0
  std::int64_t start_ = 0;  // the place of law_[0]
  std::vector<double> law_;
  double value_error_ = 0;  // of each number in law_
  double beyond_ = 0;       // tilted mass outside of the window, all of it
  double relative_ = 0;     // relative error of everything else
  double infinite_upper_ = 0;
  double infinite_lower_ = 0;
};

}  // namespace dither::accounting::detail
