#include "audit/network.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace dither::audit {

namespace {

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

}  // namespace

Network::Network(Features features, std::uint64_t seed) : features_(std::move(features)), input_(features_.size()) {
  std::mt19937_64 random(seed);
  const auto draw = [&](std::size_t inputs) {
    return (2 * uniform(random) - 1) * std::sqrt(3.0 / static_cast<double>(std::max<std::size_t>(1, inputs)));
  };
  for (auto& weights : input_) {
    for (double& weight : weights) weight = draw(std::min<std::size_t>(input_.size(), 16));
  }
  for (double& weight : start_) weight = 2 * uniform(random) - 1;  // bends at different places
  for (auto& weights : middle_) {
    for (double& weight : weights) weight = draw(kWide);
  }
  for (double& weight : output_) weight = draw(kNarrow);
}

double Network::output_of(const std::array<double, kWide>& sums) const {
  double result = output_start_;
  for (std::size_t k = 0; k < kNarrow; ++k) {
    double sum = middle_start_[k];
    for (std::size_t h = 0; h < kWide; ++h) sum += middle_[k][h] * bend(sums[h]);
    result += output_[k] * bend(sum);
  }
  return result;
}

// All weights in one row, as Adam sees them: input, start, middle, middle start, output, output start.
class NetworkTraining {
 public:
  explicit NetworkTraining(Network& network) : network_(network) {
    for (auto& weights : network.input_) add(weights);
    add(network.start_);
    for (auto& weights : network.middle_) add(weights);
    add(network.middle_start_);
    add(network.output_);
    weights_.push_back(&network.output_start_);
    gradient_.resize(weights_.size());
    mean_.resize(weights_.size());
    square_.resize(weights_.size());
  }

  // Adds the gradient of the log loss of one run.
  void learn(std::span<const double> row, bool first) {
    present_.clear();
    std::array<double, kWide> sums = network_.start_;
    network_.features_.visit(row, [&](std::size_t i, double value) {
      present_.emplace_back(i, value);
      for (std::size_t h = 0; h < kWide; ++h) sums[h] += network_.input_[i][h] * value;
    });
    const double odds = network_.output_of(sums);
    const double pull = 1 / (1 + std::exp(-odds)) - (first ? 1 : 0);
    gradient_.back() += pull;
    std::array<double, kWide> back = {};
    const std::size_t start = network_.input_.size() * kWide;
    const std::size_t middle = start + kWide;
    const std::size_t middle_start = middle + kNarrow * kWide;
    const std::size_t output = middle_start + kNarrow;
    for (std::size_t k = 0; k < kNarrow; ++k) {
      double sum = network_.middle_start_[k];
      for (std::size_t h = 0; h < kWide; ++h) sum += network_.middle_[k][h] * Network::bend(sums[h]);
      gradient_[output + k] += pull * Network::bend(sum);
      const double through = pull * network_.output_[k] * slope(sum);
      gradient_[middle_start + k] += through;
      for (std::size_t h = 0; h < kWide; ++h) {
        gradient_[middle + k * kWide + h] += through * Network::bend(sums[h]);
        back[h] += through * network_.middle_[k][h] * slope(sums[h]);
      }
    }
    for (std::size_t h = 0; h < kWide; ++h) gradient_[start + h] += back[h];
    for (const auto& [i, value] : present_) {
      for (std::size_t h = 0; h < kWide; ++h) gradient_[i * kWide + h] += back[h] * value;
    }
  }

  void step(double rate, double batch) {
    constexpr double keep_mean = 0.9;
    constexpr double keep_square = 0.999;
    ++steps_;
    const double unbias_mean = 1 / (1 - std::pow(keep_mean, steps_));
    const double unbias_square = 1 / (1 - std::pow(keep_square, steps_));
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double slope = gradient_[i] / batch;
      mean_[i] = keep_mean * mean_[i] + (1 - keep_mean) * slope;
      square_[i] = keep_square * square_[i] + (1 - keep_square) * slope * slope;
      *weights_[i] -= rate * mean_[i] * unbias_mean / (std::sqrt(square_[i] * unbias_square) + 1e-8);
      gradient_[i] = 0;
    }
  }

 private:
  static constexpr std::size_t kWide = Network::kWide;
  static constexpr std::size_t kNarrow = Network::kNarrow;
  static double slope(double x) { return x > 0 ? 1 : 0.05; }
  template <std::size_t N>
  void add(std::array<double, N>& weights) {
    for (double& weight : weights) weights_.push_back(&weight);
  }

  Network& network_;
  std::vector<double*> weights_;
  std::vector<double> gradient_, mean_, square_;
  std::vector<std::pair<std::size_t, double>> present_;
  int steps_ = 0;
};

Network fit_network(Features features, const Outputs& first, const Outputs& second, std::uint64_t seed) {
  Network network(std::move(features), seed);
  if (first.runs() == 0 || second.runs() == 0) return network;
  NetworkTraining training(network);
  std::mt19937_64 random(seed ^ 0x5DEE'CE66'D1CE'4E5B);
  const auto batches = static_cast<int>(std::clamp<std::int64_t>(first.runs() / 8, 400, 4000));
  // Of each input. Where losses are small, one run says next to nothing: of many runs all are worth some looks.
  const auto half_batch = static_cast<int>(std::clamp<std::int64_t>(first.runs() / 1000, 64, 2048));
  const auto any_row = [&](const Outputs& outputs) {
    return outputs.row(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(outputs.runs())));
  };
  for (int batch = 0; batch < batches; ++batch) {
    for (int i = 0; i < half_batch; ++i) {
      training.learn(any_row(first), true);
      training.learn(any_row(second), false);
    }
    training.step(0.01 * (1 - static_cast<double>(batch) / batches), 2.0 * half_batch);
  }
  return network;
}

}  // namespace dither::audit
