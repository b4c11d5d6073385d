#include "accounting/detail/response_weight.h"

#include <fmt/format.h>

#include "accounting/detail/atoms.h"
#include "accounting/detail/require_exact.h"
#include "base/error.h"

namespace dither::accounting::detail {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000'000'000'000;

BigInterval exact(const Rational& value) { return {value, kBits}; }

void require_sensitivity(std::uint64_t sensitivity) {
  if (sensitivity >= 1 && sensitivity <= kMostSteps) return;
  throw Error{Code::bad_count, fmt::format("the sensitivity is {} steps, but it must lie in 1..10^15", sensitivity),
              "count the sensitivity in whole steps of the grid"};
}

}  // namespace

ResponseWeight k_ary_weight(const Rational& epsilon, std::uint64_t categories) {
  require_epsilon(epsilon);
  if (categories < 2) {
    throw Error{Code::bad_count, fmt::format("{} categories leave nothing to randomise", categories),
                "give at least 2 categories"};
  }
  // Over e^epsilon, so that nothing overflows.
  const BigInterval fall = exp(exact(-epsilon));
  const BigInterval total = exact(1) + fall * exact(static_cast<Int128>(categories) - 1);
  return {(exact(1) + fall) / total, fall * exact(static_cast<Int128>(categories) - 2) / total};
}

// tanh(epsilon / 2) * weight = P(|X| <= 1/2) = 2 a (h + e^-epsilon (1/2 - h)), where h = min(gamma, 1/2) is the part of
// [0, 1/2] on level 0 and 2 a = (1 - e^-epsilon) / (gamma + e^-epsilon (1 - gamma)). So
//   weight = (1 + e^-epsilon)(h + e^-epsilon (1/2 - h)) / (gamma + e^-epsilon (1 - gamma)),
// and 1 - weight, put over the same denominator, has no cancellation either:
//   gamma <= 1/2: e^-epsilon (1 - e^-epsilon)(1/2 - gamma),   gamma >= 1/2: (1 - e^-epsilon)(gamma - 1/2).
ResponseWeight staircase_weight(const Rational& epsilon, const Rational& gamma) {
  require_epsilon(epsilon);
  if (epsilon == 0) {
    throw Error{Code::bad_number, "epsilon is 0, but the steps of a staircase fall by e^epsilon", "give epsilon > 0"};
  }
  require_probability("gamma", gamma);
  const Rational half(1, 2);
  const Rational flat = gamma < half ? gamma : half;
  const BigInterval fall = exp(exact(-epsilon));
  const BigInterval drop = -expm1(exact(-epsilon));
  const BigInterval total = exact(gamma) + fall * exact(1 - gamma);
  const BigInterval idle = gamma < half ? fall * drop * exact(half - gamma) : drop * exact(gamma - half);
  return {(exact(1) + fall) * (exact(flat) + fall * exact(half - flat)) / total, idle / total};
}

void require_weights(const std::vector<Rational>& weights, std::size_t parts) {
  Rational sum;
  bool negative = false;
  for (const Rational& weight : weights) {
    sum += weight;
    negative = negative || weight < 0;
  }
  if (weights.size() == parts && !negative && sum == 1) return;
  throw Error{Code::bad_weights, fmt::format("{} weights with sum {} for {} parts", weights.size(), sum.str(), parts),
              "give one weight >= 0 for each part, with sum 1"};
}

void require_laplace(const Rational& scale, std::uint64_t sensitivity) {
  require_scale("scale", scale, pow(Rational(10), 100));
  require_sensitivity(sensitivity);
}

void require_gaussian(const Rational& sigma, std::uint64_t sensitivity) {
  require_scale("sigma", sigma, Rational(static_cast<Int128>(kMostSteps)));
  require_sensitivity(sensitivity);
}

}  // namespace dither::accounting::detail
