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

// What is known of a bet: hits among the runs of the likelier and of the other input.
struct Tally {
  Hits first, second;
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
  Hits likelier, other;
  bool complement;
};
Direction telling(const Tally& tally, double delta, double alarm) {
  const ErrorRates most = error_rates_upper(errors(tally), alarm);
  const double set = (1 - delta - most.false_negative) / most.false_positive;
  const double rest = (1 - delta - most.false_positive) / most.false_negative;
  if (set >= rest) return {tally.first, tally.second, false};
  const auto misses = [](const Hits& hits) { return Hits{hits.runs, hits.runs - hits.hits}; };
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

// One bet, in as many looks as it needs.
class Settling {
 public:
  Settling(const Target& target, const Bet& bet, double alarm, std::uint64_t salt, const Effort& effort)
      : target_(target),
        bet_(bet),
        alarm_(alarm),
        salt_(salt),
        effort_(effort),
        delta_(target.promise.delta(bet.epsilon)) {}

  void run() {
    for (const Look& look : looks_of(effort_)) {
      draw(look.runs);
      if (!tested()) return;  // the deadline came first
      spent_ = alarm_ * look.share;
      bound_ = epsilon_lower_bound(errors(tally_), delta_, spent_);
      if (violated() || tally_.first.runs < look.runs || tally_.second.runs < look.runs) return;
    }
  }

  bool violated() const { return bound_ > bet_.epsilon; }
  double bound() const { return bound_; }
  double margin() const { return detail::beyond(bound_, bet_.epsilon); }

  bool tested() const { return tally_.first.runs > 0 && tally_.second.runs > 0; }

  void put_into(Report& report) const {
    const Pair& pair = target_.pairs[bet_.pair];
    const Direction event = telling(tally_, delta_, spent_);
    const ErrorRates most = error_rates_upper(errors(tally_), spent_);
    const bool second_is_likelier = bet_.swapped != event.complement;
    report.promised = bet_.epsilon;
    report.delta = delta_;
    report.lower_bound = bound_;
    report.runs = std::min(tally_.first.runs, tally_.second.runs);
    report.ceiling = dither::audit::ceiling(tally_.second.runs, tally_.first.runs, delta_, spent_);
    report.power_1_5 = power_against(1.5, event, target_.promise, spent_);
    report.power_2 = power_against(2, event, target_.promise, spent_);
    report.witness = Witness{.first = second_is_likelier ? pair.second : pair.first,
                             .second = second_is_likelier ? pair.first : pair.second,
                             .event = event.complement ? "not: " + bet_.set.description : bet_.set.description,
                             .runs_first = event.likelier.runs,
                             .runs_second = event.other.runs,
                             .hits_first = event.likelier.hits,
                             .hits_second = event.other.hits,
                             .least_first = 1 - (event.complement ? most.false_positive : most.false_negative),
                             .most_second = event.complement ? most.false_negative : most.false_positive,
                             .epsilon = bet_.epsilon,
                             .delta = delta_};
  }

 private:
  // Both inputs in turn, so that a deadline leaves runs of both.
  void draw(std::int64_t until) {
    const Pair& pair = target_.pairs[bet_.pair];
    const Draw& first = bet_.swapped ? pair.draw_second : pair.draw_first;
    const Draw& second = bet_.swapped ? pair.draw_first : pair.draw_second;
    const std::int64_t begin = tally_.first.runs;
    for (int turn = 1; turn <= kTurns; ++turn) {
      const std::int64_t some = begin + (until - begin) * turn / kTurns;
      add(tally_.first, first, some, 2 * salt_);
      add(tally_.second, second, some, 2 * salt_ + 1);
    }
  }
  void add(Hits& hits, const Draw& draw, std::int64_t until, std::uint64_t side) {
    // Salts differ between sides, bets and looks: no coin is thrown twice.
    const std::uint64_t salt = side * 0x1'0000 + static_cast<std::uint64_t>(look_++);
    const Hits more = count_hits(draw, target_.shape, bet_.set, until - hits.runs, salt, effort_);
    hits.runs += more.runs;
    hits.hits += more.hits;
  }

  const Target& target_;
  const Bet& bet_;
  double alarm_;
  std::uint64_t salt_;
  const Effort& effort_;
  double delta_;
  Tally tally_;
  int look_ = 0;
  double spent_ = 0;
  double bound_ = 0;
};

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
  for (std::size_t i = 0; i < bets.size(); ++i) {
    Settling settling(target, bets[i], effort.false_alarm / static_cast<double>(bets.size()), i, effort);
    if (target.before_event) target.before_event();
    settling.run();
    if (!settling.tested()) {
      ++untested;
      continue;
    }
    if (settling.margin() > best) {
      best = settling.margin();
      settling.put_into(report);
    }
    if (settling.violated()) {
      report.verdict = Verdict::violated;
      break;
    }
  }
  if (untested > 0) report.notes.emplace_back(without_runs(untested == bets.size(), effort));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace dither::audit
