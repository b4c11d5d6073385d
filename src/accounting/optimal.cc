// Errors are counted in u = 2^-53; exp and expm1 are right to 2u and 4u (directed.h).
#include "accounting/optimal.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "accounting/detail/require.h"
#include "accounting/failure.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

constexpr double kUnit = 0x1p-53;
// Weights below these shares of the largest are bounded, not listed: above the mode small deltas need them all, below
// it only the total does.
constexpr double kSmallest = 1e-306;
constexpr double kLowest = 1e-25;
constexpr std::uint64_t kMostSteps = 10'000'000'000;  // 4 million weights

// The binomial law as weights relative to its largest, from the mode outward by the ratios
// P(l-1) / P(l) = l / (k - l + 1) e^-epsilon. n steps of a quotient, two products and e^-epsilon are right to 6 n u.
// What is not listed on a side sums to less than its rest: the ratios fall outward, so a geometric series bounds it.
class Weights {
 public:
  Weights(double epsilon, std::uint64_t k) : epsilon_(epsilon), k_(static_cast<double>(k)) {
    const double fall = std::exp(-epsilon);
    const double mode = std::min(k_, std::floor((k_ + 1) / (1 + fall)));
    const auto down = [&](double l) { return l / (k_ - l + 1) * fall; };
    const auto up = [&](double l) { return (k_ - l) / ((l + 1) * fall); };
    double l = mode;
    double weight = 1;
    for (; l > 0 && weight > kLowest; --l) weights_.push_back(weight *= down(l));
    rest_below_ = l > 0 ? weight * 1.01 / (1 - down(l)) : 0;
    first_ = l;
    std::reverse(weights_.begin(), weights_.end());
    weights_.push_back(1);
    for (l = mode, weight = 1; l < k_ && weight > kSmallest; ++l) weights_.push_back(weight *= up(l));
    rest_above_ = l < k_ ? weight * 1.01 / (1 - up(l)) : 0;
    for (const double each : weights_) total_ += each;
  }

  std::size_t size() const { return weights_.size(); }
  double mass(std::size_t i) const { return weights_[i] / total_; }
  // 2l - k: the loss in units of epsilon.
  double count(std::size_t i) const { return 2 * (first_ + static_cast<double>(i)) - k_; }
  double loss(std::size_t i) const { return count(i) * epsilon_; }

  // The sum of P(l) (1 - e^(total - loss))+ and what it may be wrong by.
  struct Sum {
    double value;
    double error;
    double up() const { return std::min(1.0, value + error); }
    double down() const { return std::max(0.0, value - error); }
  };
  Sum delta(double total) const {
    double sum = 0;
    std::size_t i = size();
    for (; i > 0; --i) {
      const double gap = std::fma(-count(i - 1), epsilon_, total);  // one rounding: its sign is right
      if (!(gap < 0)) break;
      sum += weights_[i - 1] * -std::expm1(gap);
    }
    // 6u a step in a weight and u in each sum, both also in the total, and 8u for the rest.
    const double relative = (16.0 * static_cast<double>(size()) + 32) * kUnit + rest_below_ + rest_above_;
    const double unlisted = rest_above_ + (i > 0 ? 0 : rest_below_);
    return {sum / total_, sum == 0 && unlisted == 0 ? 0 : 1.01 * (sum * relative + unlisted) / total_ + 1e-320};
  }

 private:
  double epsilon_;
  double k_;
  double first_;  // the l of the first weight
  std::vector<double> weights_;
  double rest_below_;
  double rest_above_;
  double total_ = 0;
};

void require(double epsilon, double step_delta, std::uint64_t k) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_probability("the delta of a step", step_delta);
  detail::require_count("k", k);
}

double failure_up(double step_delta, std::uint64_t k) { return FailureProbability().add(step_delta, k).up(); }

double failure_down(double step_delta, std::uint64_t k) {
  return step_delta == 0 ? 0 : -expm1_up(mul_up(static_cast<double>(k), log1p_up(-step_delta)));
}

// Between two atoms delta(total) = A - e^total B, with A and B the masses above under both laws:
// total = ln((A - delta) / B) on the piece where it belongs. A guess; what leaves is verified.
double epsilon_guess(const Weights& weights, double epsilon, double delta) {
  const double down = std::exp(-2 * epsilon);
  double above = 0;
  double under = 0;  // B e^(loss of the lowest atom so far)
  for (std::size_t i = weights.size(); i-- > 0;) {
    const double next = i > 0 ? weights.loss(i - 1) : -kInfinity;
    above += weights.mass(i);
    under += weights.mass(i);
    const double here = weights.loss(i);
    if (above > delta) {
      const double total = here + std::log((above - delta) / under);
      if (total >= next) return std::max(total, 0.0);
    }
    if (next < 0) break;
    under *= down;
  }
  return 0;
}

}  // namespace

double optimal_delta_up(double epsilon, double step_delta, std::uint64_t k, double total) {
  require(epsilon, step_delta, k);
  detail::require_not_negative("the total epsilon", total);
  const double listed = epsilon == 0 ? 0 : k > kMostSteps ? 1 : Weights(epsilon, k).delta(total).up();
  return delta_with_failure_up(listed, failure_up(step_delta, k));
}

double optimal_delta_down(double epsilon, double step_delta, std::uint64_t k, double total) {
  require(epsilon, step_delta, k);
  detail::require_not_negative("the total epsilon", total);
  const double listed = epsilon == 0 || k > kMostSteps ? 0 : Weights(epsilon, k).delta(total).down();
  const double failure = failure_down(step_delta, k);
  return std::min(1.0, add_down(failure, mul_down(sub_down(1, failure), listed)));
}

double optimal_epsilon_up(double epsilon, double step_delta, std::uint64_t k, double delta) {
  require(epsilon, step_delta, k);
  detail::require_probability("delta", delta);
  const std::optional<double> left = delta_beside_failure_down(delta, failure_up(step_delta, k));
  if (delta == 1) return 0;
  if (!left.has_value()) return kInfinity;
  const double basic = mul_up(static_cast<double>(k), epsilon);
  if (epsilon == 0 || *left < 1e-300 || k > kMostSteps || std::isinf(basic)) return basic;
  const Weights weights(epsilon, k);
  if (weights.delta(0).up() <= *left) return 0;
  const double guess = epsilon_guess(weights, epsilon, *left);
  for (double margin = 4e-15; margin < 1e-3; margin *= 8) {
    const double total = guess + margin * std::max(epsilon, guess);
    if (total >= basic) break;
    if (weights.delta(total).up() <= *left) return total;
  }
  return basic;
}

double optimal_epsilon_down(double epsilon, double step_delta, std::uint64_t k, double delta) {
  require(epsilon, step_delta, k);
  detail::require_probability("delta", delta);
  if (delta == 1 || epsilon == 0) return 0;
  const double failure = failure_down(step_delta, k);
  if (delta < failure) return kInfinity;
  if (k > kMostSteps) return 0;
  const double left = std::min(1.0, div_up(sub_up(delta, failure), sub_down(1, failure)));
  const Weights weights(epsilon, k);
  const double guess = left > 0 ? epsilon_guess(weights, epsilon, left) : mul_down(static_cast<double>(k), epsilon);
  for (double margin = 4e-15; margin < 1e-3; margin *= 8) {
    const double total = guess - margin * std::max(epsilon, guess);
    if (total > 0 && weights.delta(total).down() >= left) return total;
  }
  return 0;
}

}  // namespace dither::accounting
