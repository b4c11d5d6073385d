// Odometers: bounds on the privacy loss so far that hold at every moment at once, without a budget fixed in advance.
#pragma once

#include "accounting/amount.h"
#include "accounting/filter_rule.h"

namespace dither::accounting {

// What an odometer shows: with probability 1 - delta over the answers, the privacy loss is at most what is shown after
// every single release, all at once, so wherever the analyst decides to stop. A filter promises something else, its
// budget, which was decided beforehand and is smaller than what an odometer shows for the same charges.
struct OdometerReading {
  double epsilon;  // rounded up; infinite when the deltas exceeded their limit
  DeltaAmount delta;
  bool operator==(const OdometerReading&) const = default;
};

// Pure DP: the sum, exactly; delta is 0.
struct PureOdometer {
  LossAmount spent;
  bool operator==(const PureOdometer&) const = default;
};
PureOdometer charged(const PureOdometer& odometer, const PureCharge& charge);
OdometerReading reading(const PureOdometer& odometer);

// Approximate and concentrated DP. With V = sum of epsilon^2 (= 2 rho for zCDP, mu^2 for GDP) the reading is
//   V/2 + sqrt(2 (V + tuned) ln(sqrt(1 + V / tuned) / slack)),   at delta = slack + limit.
// It is tightest near V = tuned and never below the filter bound V/2 + sqrt(2 V ln(1/slack)); it grows as
// sqrt(V ln V), where the iterated logarithm is the best possible.
//
// Refuses    tuned = 0 (bad-scale), a slack outside (0, 1) or a limit of 1 or more (bad-probability).
// Cost       a charge a few ns, a reading about 2 us, however many charges came before.
// Proof      Given the answers so far, each loss Z of a charge with variance v satisfies E exp(t (Z - v/2) - t^2 v/2)
//            <= 1 for all t >= 0. Averaged over t > 0 with the density of |N(0, 1/tuned)| the product
//            of these is a supermartingale of at least sqrt(tuned / (V + tuned)) exp(M^2 / (2 (V + tuned))) when
//            M = L - V/2 >= 0. By Ville's inequality it exceeds 1/slack at any time with probability at most slack.
//            Delta events as in filter_rule.cc. This is the mixture odometer of Whitehouse, Ramdas, Rogers and Wu (2023).
// Spec       B-21, W-21.
class Odometer {
 public:
  Odometer(SquareAmount tuned, DeltaAmount slack, DeltaAmount limit);

  SquareAmount variance() const { return variance_; }
  bool operator==(const Odometer&) const = default;

  friend Odometer charged(Odometer odometer, const ApproximateCharge& charge);
  friend Odometer charged(Odometer odometer, const ZcdpCharge& charge);
  friend Odometer charged(Odometer odometer, const GdpCharge& charge);
  friend OdometerReading reading(const Odometer& odometer);

 private:
  void add(SquareAmount variance, DeltaAmount delta);

  SquareAmount tuned_;
  DeltaAmount slack_;
  DeltaAmount limit_;
  SquareAmount variance_;
  DeltaAmount delta_;
};

}  // namespace dither::accounting
