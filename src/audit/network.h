// A small network as classifier of outputs: which input made this one?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "audit/features.h"

namespace dither::audit {

// Two hidden layers of 10 and 5 leaky rectifiers, one linear output: the log odds of the first input.
class Network {
 public:
  static constexpr std::size_t kWide = 10;
  static constexpr std::size_t kNarrow = 5;

  Network(Features features, std::uint64_t seed);

  double score(std::span<const double> row) const {
    std::array<double, kWide> sums = start_;
    features_.visit(row, [&](std::size_t i, double value) {
      const std::array<double, kWide>& weights = input_[i];
      for (std::size_t h = 0; h < kWide; ++h) sums[h] += weights[h] * value;
    });
    return output_of(sums);
  }

 private:
  friend class NetworkTraining;

  static double bend(double x) { return x > 0 ? x : 0.05 * x; }
  double output_of(const std::array<double, kWide>& sums) const;

  Features features_;
  std::vector<std::array<double, kWide>> input_;  // by feature
  std::array<double, kWide> start_ = {};
  std::array<std::array<double, kWide>, kNarrow> middle_ = {};
  std::array<double, kNarrow> middle_start_ = {};
  std::array<double, kNarrow> output_ = {};
  double output_start_ = 0;
};

// Fits by Adam on mini-batches of a thousandth of the runs of each input (64 to 2048), rates falling to 0; the seed
// chooses the starting weights and which runs meet in a batch. The same runs and seed give the same network.
//
// Cost       min(4000, runs / 8) batches and at least 400: for a few columns under a second up to 64,000 runs, and some
//            10 us for each run beyond.
// Spec       T-45 (MLP(10, 5)).
Network fit_network(Features features, const Outputs& first, const Outputs& second, std::uint64_t seed);

}  // namespace dither::audit
