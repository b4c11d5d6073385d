#include "audit/dp_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "audit/detail/boxes.h"
#include "audit/detail/columns.h"
#include "audit/search_inputs.h"
#include "base/error.h"

namespace dither::audit {

namespace {

constexpr int kRestarts = 12;
constexpr int kQuickRestarts = 3;
constexpr int kTriedInputs = 60;
constexpr double kInputShare = 0.3;  // of the time that there is

using Clock = std::chrono::steady_clock;
Clock::time_point end_of_inputs(const Effort& effort) {
  if (!effort.deadline) return Clock::time_point::max();
  const auto now = Clock::now();
  return now + std::chrono::duration_cast<Clock::duration>(kInputShare * (*effort.deadline - now));
}

// The best event on one pair: searched on half of the runs, valued on the other half.
std::vector<detail::Suspicion> search_events(const Target& target, std::size_t pair, std::int64_t runs, int restarts,
                                             const Effort& effort, bool& varies) {
  std::vector<detail::Suspicion> found;
  const detail::Runs training = detail::draw_runs(target, pair, runs / 2, effort);
  const detail::Runs other = detail::draw_runs(target, pair, runs - runs / 2, effort);
  if (!training.any() || !other.any()) return found;
  varies = varies || !detail::never_varies(training);
  const detail::BoxSpace space(training, target.shape);
  const detail::Excess excess(target.promise, training.first.runs(), training.second.runs(), effort);
  for (const int starts : {1, restarts}) {  // from everything, and the best of all starts: often the same
    const detail::FoundBox box = space.again(space.search(training, excess, starts, effort.seed), other, excess);
    found.push_back({{pair, box.swapped, space.set_of(box.box, target.words), box.worth.epsilon}, box.worth.margin});
  }
  if (found[1].margin <= found[0].margin) found.pop_back();
  return found;
}

double best_margin(const std::vector<detail::Suspicion>& found) {
  double best = -HUGE_VAL;
  for (const detail::Suspicion& one : found) best = std::max(best, one.margin);
  return best;
}

}  // namespace

Report dp_finder(const Target& target, const Effort& effort) {
  bool varies = false;
  const auto searching = [&](int restarts) -> detail::Search {
    return [&target, &effort, &varies, restarts](std::size_t pair, std::int64_t runs) {
      return search_events(target, pair, runs, restarts, effort, varies);
    };
  };
  const std::vector<Bet> bets = detail::search_pairs(target, effort, searching(kQuickRestarts), searching(kRestarts));
  Report report = settle(target, "dp-finder", bets, effort);
  if (!bets.empty() && !varies) report.notes.emplace_back("the output never varied in the search");
  if (const auto note = detail::quick_pairs(target)) report.notes.push_back(*note);
  const auto columns = detail::left_out_columns(target.shape, detail::BoxSpace::kMostEntries);
  if (columns) report.notes.push_back(*columns);
  return report;
}

Report dp_finder(const VectorMechanism& mechanism, std::span<const InputPair> starts, const InputRules& rules,
                 const Effort& effort) {
  if (starts.empty())
    throw Error{Code::bad_count, "there are no inputs to start from", "give pattern_inputs of the rules"};
  const std::int64_t runs = std::min(effort.search, std::max<std::int64_t>(2000, effort.search / 8));
  const auto until = end_of_inputs(effort);
  int tried = 0;
  const Worth worth = [&](const InputPair& pair) {
    if (Clock::now() >= until) return -HUGE_VAL;
    ++tried;
    bool varies = false;  // the last search says so
    return best_margin(
        search_events(target_of(mechanism, std::span(&pair, 1)), 0, runs, kQuickRestarts, effort, varies));
  };
  InputPair best = starts[0];
  double most = -HUGE_VAL;
  for (const InputPair& start : starts) {
    const double value = worth(start);
    if (value > most) best = start;
    most = std::max(most, value);
  }
  const FoundInputs found = improve_inputs(best, rules, worth, kTriedInputs, effort.seed);
  const std::vector<InputPair> last{found.inputs, best};
  Report report = dp_finder(target_of(mechanism, last), effort);
  report.notes.push_back(
      fmt::format("{} pairs of inputs were tried: {} starts, and others around the best", tried, starts.size()));
  return report;
}

}  // namespace dither::audit
