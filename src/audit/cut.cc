#include "audit/cut.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "audit/detail/excess.h"

namespace dither::audit {

namespace {

constexpr double kLeastExpected = 5;  // hits that a cut must lead one to expect; fewer foretell nothing

// Cuts from above: every threshold with all of its ties in.
void try_cuts(const std::vector<double>& first, const std::vector<double>& second, bool swapped,
              const detail::Excess& excess, Cut& best) {
  const double runs_first = static_cast<double>(first.size());
  const double runs_second = static_cast<double>(second.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() || j < second.size()) {
    const double threshold = j == second.size() || (i < first.size() && first[i] >= second[j]) ? first[i] : second[j];
    while (i < first.size() && first[i] == threshold) ++i;
    while (j < second.size() && second[j] == threshold) ++j;
    if (static_cast<double>(i) < kLeastExpected) continue;
    const auto [margin, epsilon] = excess.of(static_cast<double>(i) / runs_first, static_cast<double>(j) / runs_second);
    if (margin > best.margin) best = {.swapped = swapped, .threshold = threshold, .epsilon = epsilon, .margin = margin};
  }
}

// NaN has no place in an order, and no set above a threshold contains it: as if it lay below all.
void put_nan_below(std::vector<double>& scores) {
  std::replace_if(
      scores.begin(), scores.end(), [](double score) { return std::isnan(score); }, -HUGE_VAL);
}

void sort_down(std::vector<double>& scores) {
  put_nan_below(scores);
  std::sort(scores.begin(), scores.end(), std::greater<>());
}

// Of sorted scores.
Cut best_of(const std::vector<double>& first, const std::vector<double>& second, const Promise& promise,
            const Effort& effort, double training_deviations) {
  Cut best{.epsilon = promise.epsilons().front(), .margin = -HUGE_VAL};
  if (first.empty() || second.empty()) return best;
  const auto runs_first = static_cast<std::int64_t>(first.size());
  const auto runs_second = static_cast<std::int64_t>(second.size());
  const auto excess = [&](std::int64_t likelier, std::int64_t other) {
    return detail::Excess(promise, likelier, other, effort, training_deviations);
  };
  try_cuts(first, second, false, excess(runs_first, runs_second), best);
  try_cuts(second, first, true, excess(runs_second, runs_first), best);
  return best;
}

}  // namespace

Cut best_cut(std::vector<double> first, std::vector<double> second, const Promise& promise, const Effort& effort) {
  sort_down(first);
  sort_down(second);
  return best_of(first, second, promise, effort, detail::Excess::kCareful);
}

Cuts best_cuts(std::vector<double> first, std::vector<double> second, const Promise& promise, const Effort& effort) {
  sort_down(first);
  sort_down(second);
  return {.careful = best_of(first, second, promise, effort, detail::Excess::kCareful),
          .hopeful = best_of(first, second, promise, effort, detail::Excess::kHopeful)};
}

}  // namespace dither::audit
