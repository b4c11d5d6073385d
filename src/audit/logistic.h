// A logistic classifier of outputs: which input made this one?
#pragma once

#include <span>
#include <vector>

#include "audit/features.h"

namespace dither::audit {

// The fitted log odds that an output came from the first input, up to a constant.
class Logistic {
 public:
  Logistic(Features features, std::vector<double> weights)
      : features_(std::move(features)), weights_(std::move(weights)) {}

  double score(std::span<const double> row) const {
    double sum = 0;
    features_.visit(row, [&](std::size_t i, double value) { sum += weights_[i] * value; });
    return sum;
  }
  const std::vector<double>& weights() const { return weights_; }

 private:
  Features features_;
  std::vector<double> weights_;
};

// Fits by least log loss with a small ridge: convex, so the answer depends on the runs alone.
//
// Cost       up to 60 passes over runs times features; runs beyond 4 * 10^6 features are left out. Scores take some
//            nanoseconds a number and allocate nothing.
// Spec       T-45.
Logistic fit_logistic(Features features, const Outputs& first, const Outputs& second);

}  // namespace dither::audit
