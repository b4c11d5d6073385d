// What a score can tell apart: the curve of hits against false alarms, its area, and what is read off it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/clopper_pearson.h"

namespace dither::stats {

// The rule "say IN when the score is at least `threshold`" on a sample; equal scores fall together. The first step says
// IN never (threshold infinity), the last always.
struct RocStep {
  double threshold = 0;
  std::int64_t false_positives = 0;
  std::int64_t true_positives = 0;
  friend bool operator==(const RocStep&, const RocStep&) = default;
};

// The empirical curve of two samples of scores, higher for IN.
//
// Refuses    an empty sample (bad-count), a NaN (bad-number). Infinite scores are scores.
// Cost       sorting; everything below is at most linear in the steps.
// Spec       T-26, T-27.
class Roc {
 public:
  Roc(std::span<const double> out_scores, std::span<const double> in_scores);

  const std::vector<RocStep>& steps() const { return steps_; }  // from (0, 0) to (all, all)
  std::int64_t outs() const { return outs_; }
  std::int64_t ins() const { return ins_; }
  double false_positive_rate(const RocStep& step) const {
    return static_cast<double>(step.false_positives) / static_cast<double>(outs_);
  }
  double true_positive_rate(const RocStep& step) const {
    return static_cast<double>(step.true_positives) / static_cast<double>(ins_);
  }

  // The steps on the upper convex hull: what rules reach that toss a coin between two thresholds.
  std::vector<RocStep> hull() const;

 private:
  std::int64_t outs_;
  std::int64_t ins_;
  std::vector<RocStep> steps_;
};

// P(IN scores above OUT) + P(equal) / 2 on the sample: Mann and Whitney's statistic, from exact counts.
double area(const Roc& roc);
// The true area lies within this of area(), with chance at least 1 - alpha, for every law and sample size: Hoeffding's
// bound for two-sample U-statistics, exp(-2 min(outs, ins) d^2) a side. Refuses alpha outside (0, 1) (bad-probability).
double area_half_width(const Roc& roc, double alpha);
// DeLong's standard error of the area: an approximation for large samples, not a bound. NaN for samples of one score.
double area_standard_error(const Roc& roc);

// True less false positive rate, and the mean of true positive and true negative rate, at one step.
double advantage(const Roc& roc, const RocStep& step);
double balanced_accuracy(const Roc& roc, const RocStep& step);
// The step where both are largest (the first of equals). Chosen on this sample, so optimistic: not for claims (T-35).
RocStep best_step(const Roc& roc);

// Clopper-Pearson intervals for both rates of one step that was chosen beforehand; each holds with chance 1 - alpha.
struct RocBand {
  ProbabilityInterval false_positive_rate;
  ProbabilityInterval true_positive_rate;
};
RocBand band(const Roc& roc, const RocStep& step, double alpha);

// The last step with a false positive rate of at most `rate`; nothing when the rate is below 1 / outs, where the sample
// cannot tell it from 0. Refuses a rate outside [0, 1] (bad-probability).
std::optional<RocStep> step_at_false_positive_rate(const Roc& roc, double rate);
// "0.0924", or "not resolvable": the true positive rate there, for people.
std::string true_positive_rate_text(const Roc& roc, double rate);
// Where attacks are compared: 10%, 1%, 0.1%, 0.01%, 0.001%.
std::span<const double> low_false_positive_rates();

// How many of those said to be IN are, when a share `prior` of all is: prior TPR / (prior TPR + (1 - prior) FPR). 0
// when nobody is said to be IN. Refuses what is outside [0, 1] (bad-probability). Spec T-28.
double precision(double true_positive_rate, double false_positive_rate, double prior);

}  // namespace dither::stats
