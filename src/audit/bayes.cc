#include "audit/bayes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "audit/detail/require_rate.h"
#include "stats/beta.h"

namespace dither::audit {

namespace {

constexpr int kNodes = 2000;
constexpr double kTail = 1e-13;  // of the posterior that the nodes leave out on either side
constexpr std::int64_t kMostRuns = 1'000'000'000'000;

struct Shape {
  double a;
  double b;
};

Shape jeffreys(std::int64_t errors, std::int64_t runs) {
  return {static_cast<double>(errors) + 0.5, static_cast<double>(runs - errors) + 0.5};
}

struct Node {
  double rate;
  double weight;
};

// The posterior of a rate as weighted points: with rate = sin^2 of an angle its density is smooth, also at 0 and 1,
// where the midpoint rule is then good.
std::vector<Node> nodes(const Shape& shape) {
  const double low = std::asin(std::sqrt(stats::beta_quantile(kTail, shape.a, shape.b)));
  const double high = std::acos(std::sqrt(stats::beta_quantile(kTail, shape.b, shape.a)));
  std::vector<Node> nodes;
  double largest = -INFINITY;
  for (int i = 0; i < kNodes; ++i) {
    const double angle = low + (high - low) * (i + 0.5) / kNodes;
    const double log_density =
        (2 * shape.a - 1) * std::log(std::sin(angle)) + (2 * shape.b - 1) * std::log(std::cos(angle));
    nodes.push_back({std::sin(angle) * std::sin(angle), log_density});
    largest = std::max(largest, log_density);
  }
  double total = 0;
  for (Node& node : nodes) total += node.weight = std::exp(node.weight - largest);
  for (Node& node : nodes) node.weight /= total;
  return nodes;
}

// P(epsilon <= `epsilon`): both inequalities of the region must hold, so the false negative rate is at least the larger
// of two lines in the false positive rate.
double distribution(const std::vector<Node>& false_positives, const Shape& misses, double delta, double epsilon) {
  double sum = 0;
  for (const auto& [rate, weight] : false_positives) {
    const double least = std::max(std::exp(-epsilon) * (1 - delta - rate), 1 - delta - std::exp(epsilon) * rate);
    sum += weight * (least <= 0 ? 1 : stats::beta_upper(std::min(1.0, least), misses.a, misses.b));
  }
  return sum;
}

}  // namespace

CredibleEpsilon credible_epsilon(const ErrorCounts& counts, double delta, double credibility) {
  detail::require_probability("delta", delta);
  detail::require_open_probability("the credibility", credibility);
  detail::require_count("the number of negative runs", counts.negative_runs, 1, kMostRuns);
  detail::require_count("the number of positive runs", counts.positive_runs, 1, kMostRuns);
  detail::require_count("the number of false positives", counts.false_positives, 0, counts.negative_runs);
  detail::require_count("the number of false negatives", counts.false_negatives, 0, counts.positive_runs);
  const std::vector<Node> false_positives = nodes(jeffreys(counts.false_positives, counts.negative_runs));
  const Shape misses = jeffreys(counts.false_negatives, counts.positive_runs);
  const auto quantile = [&](double probability) {
    double low = 0;
    double high = 700;
    if (distribution(false_positives, misses, delta, low) >= probability) return low;
    while (high - low > 1e-7) {
      const double middle = (low + high) / 2;
      (distribution(false_positives, misses, delta, middle) >= probability ? high : low) = middle;
    }
    return (low + high) / 2;
  };
  return {quantile((1 - credibility) / 2), quantile(0.5), quantile((1 + credibility) / 2)};
}

}  // namespace dither::audit
