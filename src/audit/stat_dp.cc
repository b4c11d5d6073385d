#include "audit/stat_dp.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/detail/columns.h"
#include "audit/detail/excess.h"
#include "audit/detail/search_runs.h"
#include "audit/detail/thinning.h"
#include "audit/stat_dp_events.h"
#include "base/error.h"

namespace dither::audit {

namespace {

constexpr std::size_t kMostTried = 24;  // events whose p-value is worked out
constexpr double kRefuted = 0.01;
constexpr double kSuspicious = 1e-3;  // below, in a search over thousands of events, a p-value says something

// Of so many events the luckiest has a small p-value: one among many counts as that many times as likely. In deviations,
// at the usual three or four of them, that is about one.
constexpr double kInner = 30;
constexpr double kInnerDeviations = 1;

// How many deviations the counts lie beyond the promise: a quick stand-in for the p-value.
double deviations(const EventCounts& counts, double epsilon, double delta) {
  const double times = std::exp(epsilon);
  const auto smooth = [](std::int64_t hits, std::int64_t runs) {
    return (static_cast<double>(hits) + 1) / (static_cast<double>(runs) + 2);
  };
  const double first = static_cast<double>(counts.first) / static_cast<double>(counts.first_runs);
  const double second = static_cast<double>(counts.second) / static_cast<double>(counts.second_runs);
  const double smooth_first = smooth(counts.first, counts.first_runs);
  const double smooth_second = smooth(counts.second, counts.second_runs);
  const double variance = smooth_first * (1 - smooth_first) / static_cast<double>(counts.first_runs) +
                          times * times * smooth_second * (1 - smooth_second) / static_cast<double>(counts.second_runs);
  return (first - times * second - delta) / std::sqrt(variance);
}

// An event in one direction at one epsilon.
struct Choice {
  Event event;
  bool swapped;
  double epsilon, delta;
  EventCounts counts;
  double deviations;
  bool inner;
};

EventCounts counts_of(const SeenEvent& seen, const detail::Runs& runs, bool swapped) {
  if (swapped) return {seen.second, runs.second.runs(), seen.first, runs.first.runs()};
  return {seen.first, runs.first.runs(), seen.second, runs.second.runs()};
}

double share(std::int64_t hits, std::int64_t of) { return static_cast<double>(hits) / static_cast<double>(of); }

// Where nothing is suspicious: the event that a leak would most likely show in, by the bound that is expected for it.
std::optional<Choice> largest_bound(const std::vector<SeenEvent>& events, const detail::Runs& runs,
                                    const Promise& promise, const Effort& effort) {
  const detail::Excess excess(promise, runs.first.runs(), runs.second.runs(), effort);
  std::optional<Choice> best;
  double margin = -HUGE_VAL;
  for (const SeenEvent& seen : events) {
    for (const bool swapped : {false, true}) {
      const EventCounts counts = counts_of(seen, runs, swapped);
      const auto found = excess.of(share(counts.first, counts.first_runs), share(counts.second, counts.second_runs));
      if (found.margin <= margin) continue;
      margin = found.margin;
      best = {seen.event, swapped, found.epsilon, promise.delta(found.epsilon), counts, 0, seen.inner};
    }
  }
  return best;
}

// The event with the smallest p-value among all, at any of these points of the promise; nothing when none is
// as small as `least`.
std::optional<Choice> smallest_p_value(const std::vector<SeenEvent>& events, const detail::Runs& runs,
                                       std::span<const double> epsilons, std::span<const double> deltas,
                                       std::uint64_t seed, double least) {
  std::vector<Choice> choices;
  for (const SeenEvent& seen : events) {
    for (const bool swapped : {false, true}) {
      const EventCounts counts = counts_of(seen, runs, swapped);
      for (std::size_t i = 0; i < epsilons.size() && counts.first > 0; ++i) {
        const double found = deviations(counts, epsilons[i], deltas[i]) - (seen.inner ? kInnerDeviations : 0);
        if (choices.size() == kMostTried && found <= choices.front().deviations) continue;
        const auto fewer = [](const Choice& a, const Choice& b) { return a.deviations > b.deviations; };
        choices.push_back({seen.event, swapped, epsilons[i], deltas[i], counts, found, seen.inner});
        std::push_heap(choices.begin(), choices.end(), fewer);
        if (choices.size() > kMostTried) {
          std::pop_heap(choices.begin(), choices.end(), fewer);
          choices.pop_back();
        }
      }
    }
  }
  std::optional<Choice> best;
  double smallest = HUGE_VAL;
  for (const Choice& choice : choices) {
    const double log_p =
        detail::log_p_value(choice.counts, choice.epsilon, choice.delta, seed) + (choice.inner ? std::log(kInner) : 0);
    const bool better = log_p < smallest || (log_p == smallest && best && choice.deviations > best->deviations);
    if (better) best = choice;
    smallest = std::min(smallest, log_p);
  }
  if (smallest > std::log(least)) return {};
  return best;
}

// The runs of one pair that a curve is drawn from: choose on some, test on the others.
struct Held {
  EventSpace space;
  std::vector<SeenEvent> searched;
  detail::Runs search;
  detail::Runs fresh;
};

double p_value_of(const Held& held, double epsilon, std::uint64_t seed) {
  const std::vector<double> epsilons{epsilon};
  const std::vector<double> deltas{0};
  const std::optional<Choice> choice = smallest_p_value(held.searched, held.search, epsilons, deltas, seed, 1);
  if (!choice) return 1;
  const AttackSet set = held.space.set_of(choice->event);
  const auto hits = [&](const Outputs& outputs) {
    std::int64_t count = 0;
    for (std::int64_t run = 0; run < outputs.runs(); ++run) count += set.contains(outputs.row(run), 0) ? 1 : 0;
    return count;
  };
  const SeenEvent seen{choice->event, hits(held.fresh.first), hits(held.fresh.second)};
  return thinned_p_value(counts_of(seen, held.fresh, choice->swapped), epsilon, 0, seed);
}

}  // namespace

PValueCurve p_value_curve(const Target& target, std::span<const double> epsilons, const Effort& effort) {
  if (epsilons.empty()) throw Error{Code::bad_count, "no epsilons were given", "give one or more, ascending"};
  std::vector<Held> pairs;
  for (std::size_t pair = 0; pair < target.pairs.size(); ++pair) {
    detail::Runs search = detail::draw_runs(target, pair, effort.search, effort);
    if (!search.any()) continue;
    EventSpace space(search, target);
    std::vector<SeenEvent> searched = space.count(search);
    pairs.push_back({std::move(space), std::move(searched), std::move(search),
                     detail::draw_runs(target, pair, effort.certify, effort)});
  }
  const auto p_value = [&](double epsilon) {
    double smallest = 1;
    for (const Held& held : pairs) {
      if (!held.fresh.any()) continue;
      smallest = std::min(smallest, p_value_of(held, epsilon, effort.seed) * static_cast<double>(target.pairs.size()));
    }
    return smallest;
  };
  PValueCurve curve{.epsilons = {epsilons.begin(), epsilons.end()}};
  for (const double epsilon : epsilons) curve.p_values.push_back(p_value(epsilon));
  double high = epsilons.back();
  for (int i = 0; i < 12; ++i) {
    const double middle = (curve.cliff + high) / 2;
    (p_value(middle) < kRefuted ? curve.cliff : high) = middle;
  }
  return curve;
}

Report stat_dp(const Target& target, const Effort& effort) {
  bool varies = false;
  const detail::Search search = [&](std::size_t pair, std::int64_t runs) {
    std::vector<detail::Suspicion> found;
    const detail::Runs drawn = detail::draw_runs(target, pair, runs, effort);
    if (!drawn.any()) return found;
    varies = varies || !detail::never_varies(drawn);
    const EventSpace space(drawn, target);
    const std::vector<SeenEvent> events = space.count(drawn);
    std::optional<Choice> choice =
        smallest_p_value(events, drawn, target.promise.epsilons(), target.promise.deltas(), effort.seed, kSuspicious);
    if (!choice) choice = largest_bound(events, drawn, target.promise, effort);
    if (!choice) return found;
    const detail::Excess excess(target.promise, drawn.first.runs(), drawn.second.runs(), effort);
    const EventCounts& counts = choice->counts;
    found.push_back(
        {{pair, choice->swapped, space.set_of(choice->event), choice->epsilon},
         excess.of(share(counts.first, counts.first_runs), share(counts.second, counts.second_runs)).margin});
    return found;
  };
  const std::vector<Bet> bets = detail::search_pairs(target, effort, search, search);
  Report report = settle(target, "stat-dp", bets, effort);
  if (!bets.empty() && !varies) report.notes.emplace_back("the output never varied in the search");
  if (const auto note = detail::quick_pairs(target)) report.notes.push_back(*note);
  if (const auto note = detail::left_out_columns(target.shape, kMostEntries)) report.notes.push_back(*note);
  return report;
}

}  // namespace dither::audit
