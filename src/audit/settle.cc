#include "audit/settle.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "audit/detail/excess.h"
#include "audit/detail/power.h"
#include "audit/lower_bound.h"
#include "audit/sampling.h"
#include "base/error.h"

namespace dither::audit {

namespace {

constexpr int kTurns = 8;  // in which the inputs are drawn from, a look

// How often an event was seen among the runs of one input.
struct Seen {
  std::int64_t runs = 0;
  std::int64_t hits = 0;
};
// What is known of a bet: of the likelier and of the other input.
struct Tally {
  Seen first, second;
};

ErrorCounts errors(const Tally& tally) {
  return {.false_positives = tally.second.hits,
          .negative_runs = tally.second.runs,
          .false_negatives = tally.first.runs - tally.first.hits,
          .positive_runs = tally.first.runs};
}

// Each look's runs in all, and its part of the alarm: the last look has half of it, since most is seen there.
struct Look {
  std::int64_t runs;
  double share;
};
std::vector<Look> looks_of(const Effort& effort) {
  const int looks = std::max(1, effort.looks);
  std::vector<Look> all;
  for (int i = looks - 1; i > 0; --i) {
    const std::int64_t runs = effort.certify >> i;
    if (runs >= 100) all.push_back({runs, 0.5 / (looks - 1)});
  }
  all.push_back({effort.certify, all.empty() ? 1.0 : 0.5});
  return all;
}

// An event in the direction in which it says most: the set, or its complement with the inputs exchanged.
struct Direction {
  Seen likelier, other;
  bool complement;
};
Direction telling(const Tally& tally, double delta, double alarm) {
  const ErrorRates most = error_rates_upper(errors(tally), alarm);
  const double set = (1 - delta - most.false_negative) / most.false_positive;
  const double rest = (1 - delta - most.false_positive) / most.false_negative;
  if (set >= rest) return {tally.first, tally.second, false};
  const auto misses = [](const Seen& seen) { return Seen{seen.runs, seen.runs - seen.hits}; };
  return {misses(tally.second), misses(tally.first), true};
}

// About how likely the test is to refute a mechanism that is `times` as leaky as the promise, if this one just keeps it.
double power_against(double times, const Direction& event, const Promise& promise, double alarm) {
  const detail::SeenShares seen{detail::smoothed_share(event.likelier.hits, event.likelier.runs),
                                detail::smoothed_share(event.other.hits, event.other.runs), event.other.runs};
  return detail::best_of_points(promise, [&](double epsilon, double delta) {
    return detail::power_of_event(times, seen, delta, [&](std::int64_t hits) {
      const ErrorCounts counts{.false_positives = hits,
                               .negative_runs = event.other.runs,
                               .false_negatives = event.likelier.runs - event.likelier.hits,
                               .positive_runs = event.likelier.runs};
      return epsilon_lower_bound(counts, delta, alarm) > epsilon;
    });
  });
}

// What the runs so far say of a bet.
struct Finding {
  const Bet* bet;
  Tally tally;
  double delta;
  double spent = 0;  // of the alarm, by the last look
  double bound = 0;

  bool violated() const { return bound > bet->epsilon; }
  double margin() const { return detail::beyond(bound, bet->epsilon); }
};

void put_into(Report& report, const Finding& found, const Target& target) {
  const Bet& bet = *found.bet;
  const Pair& pair = target.pairs[bet.pair];
  const Tally& tally = found.tally;
  const Direction event = telling(tally, found.delta, found.spent);
  const ErrorRates most = error_rates_upper(errors(tally), found.spent);
  const bool second_is_likelier = bet.swapped != event.complement;
  report.promised = bet.epsilon;
  report.delta = found.delta;
  report.lower_bound = found.bound;
  report.runs = std::min(tally.first.runs, tally.second.runs);
  report.ceiling = dither::audit::ceiling(tally.second.runs, tally.first.runs, found.delta, found.spent);
  report.power_1_5 = power_against(1.5, event, target.promise, found.spent);
  report.power_2 = power_against(2, event, target.promise, found.spent);
  report.witness = Witness{.first = second_is_likelier ? pair.second : pair.first,
                           .second = second_is_likelier ? pair.first : pair.second,
                           .event = event.complement ? "not: " + bet.set.description : bet.set.description,
                           .runs_first = event.likelier.runs,
                           .runs_second = event.other.runs,
                           .hits_first = event.likelier.hits,
                           .hits_second = event.other.hits,
                           .least_first = 1 - (event.complement ? most.false_positive : most.false_negative),
                           .most_second = event.complement ? most.false_negative : most.false_positive,
                           .epsilon = bet.epsilon,
                           .delta = found.delta};
}

// All bets on one pair, on the same runs, in as many looks as they need. Bounds of different bets depend on each other
// then; the alarm is divided among them, which holds all the same (Bonferroni).
class Settling {
 public:
  Settling(const Target& target, std::vector<const Bet*> bets, double alarm, std::uint64_t salt, const Effort& effort)
      : target_(target), pair_(target.pairs[bets.front()->pair]), alarm_(alarm), salt_(salt), effort_(effort) {
    for (const Bet* bet : bets) {
      findings_.push_back({bet, {}, target.promise.delta(bet->epsilon)});
      sets_.push_back(bet->set);
    }
    first_.hits.resize(sets_.size());
    second_.hits.resize(sets_.size());
  }

  void run() {
    for (const Look& look : looks_of(effort_)) {
      draw(look.runs);
      if (!tested()) return;  // the deadline came first
      bound(alarm_ * look.share);
      if (violated() || first_.runs < look.runs || second_.runs < look.runs) return;
    }
  }

  bool tested() const { return first_.runs > 0 && second_.runs > 0; }
  const std::vector<Finding>& findings() const { return findings_; }
  bool violated() const {
    return std::any_of(findings_.begin(), findings_.end(), [](const Finding& one) { return one.violated(); });
  }

 private:
  void bound(double alarm) {
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      Finding& found = findings_[i];
      const Seen first{first_.runs, first_.hits[i]}, second{second_.runs, second_.hits[i]};
      found.tally = found.bet->swapped ? Tally{second, first} : Tally{first, second};
      found.spent = alarm;
      found.bound = epsilon_lower_bound(errors(found.tally), found.delta, alarm);
    }
  }

  // Both inputs in turn, so that a deadline leaves runs of both.
  void draw(std::int64_t until) {
    const std::int64_t begin = first_.runs;
    for (int turn = 1; turn <= kTurns; ++turn) {
      const std::int64_t some = begin + (until - begin) * turn / kTurns;
      add(first_, pair_.draw_first, some, 2 * salt_);
      add(second_, pair_.draw_second, some, 2 * salt_ + 1);
    }
  }
  void add(Hits& hits, const Draw& draw, std::int64_t until, std::uint64_t side) {
    // Salts differ between sides, pairs and looks: no coin is thrown twice.
    const std::uint64_t salt = side * 0x1'0000 + static_cast<std::uint64_t>(look_++);
    const Hits more = count_hits(draw, target_.shape, sets_, until - hits.runs, salt, effort_);
    hits.runs += more.runs;
    for (std::size_t i = 0; i < sets_.size(); ++i) hits.hits[i] += more.hits[i];
  }

  const Target& target_;
  const Pair& pair_;
  double alarm_;
  std::uint64_t salt_;
  const Effort& effort_;
  std::vector<AttackSet> sets_;
  std::vector<Finding> findings_;
  Hits first_, second_;
  int look_ = 0;
};

// The bets on each pair, in the order of their first.
std::vector<std::vector<const Bet*>> by_pair(std::span<const Bet> bets) {
  std::vector<std::vector<const Bet*>> groups;
  for (const Bet& bet : bets) {
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const std::vector<const Bet*>& one) { return one.front()->pair == bet.pair; });
    if (group == groups.end()) {
      groups.push_back({&bet});
    } else {
      group->push_back(&bet);
    }
  }
  return groups;
}

// Why some bets, or all, had no run at all: the deadline came, or there was nothing left to draw, as of a file.
std::string_view without_runs(bool all, const Effort& effort) {
  if (effort.deadline && std::chrono::steady_clock::now() >= *effort.deadline) {
    return all ? "time was over before any run of the test: nothing was tested"
               : "time was over before every suspicion was tested";
  }
  return all ? "no runs were left for the test: nothing was tested"
             : "no runs were left to test every suspicion: those before it had used them";
}

}  // namespace

Report settle(const Target& target, std::string_view tester, std::span<const Bet> bets, const Effort& effort) {
  const auto start = std::chrono::steady_clock::now();
  Report report{.target = target.name, .tester = std::string(tester), .false_alarm = effort.false_alarm};
  report.promised = target.promise.epsilons().front();
  report.delta = target.promise.delta(report.promised);
  if (bets.empty()) report.notes.emplace_back("nothing to bet on was found: no fresh runs were made");
  double best = -HUGE_VAL;
  std::size_t untested = 0;
  const std::vector<std::vector<const Bet*>> groups = by_pair(bets);
  for (std::size_t i = 0; i < groups.size() && report.verdict != Verdict::violated; ++i) {
    Settling settling(target, groups[i], effort.false_alarm / static_cast<double>(bets.size()), i, effort);
    if (target.before_event) target.before_event();
    settling.run();
    if (!settling.tested()) {
      ++untested;
      continue;
    }
    for (const Finding& found : settling.findings()) {
      if (found.margin() <= best) continue;
      best = found.margin();
      put_into(report, found, target);
    }
    if (settling.violated()) report.verdict = Verdict::violated;
  }
  if (untested > 0) report.notes.emplace_back(without_runs(untested == groups.size(), effort));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace dither::audit
