#include "audit/settle.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "audit/lower_bound.h"
#include "audit/sampling.h"
#include "base/error.h"
#include "stats/binomial.h"

namespace dither::audit {

namespace {

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

// About how likely the test is to refute, were epsilon `times` as large at this event: the set as likely as it was under
// one input, and as unlikely as such an epsilon lets it be under the other.
double power_against(double times, const Tally& tally, double epsilon, double delta, double alarm) {
  const auto runs = tally.second.runs;
  const double first =
      static_cast<double>(tally.first.hits) / static_cast<double>(std::max<std::int64_t>(1, tally.first.runs));
  const double second = std::max(0.0, first - delta) * std::exp(-times * epsilon);
  const auto refutes = [&](std::int64_t hits) {
    ErrorCounts counts = errors(tally);
    counts.false_positives = hits;
    return epsilon_lower_bound(counts, delta, alarm) > epsilon;
  };
  if (!refutes(0)) return 0;
  std::int64_t low = 0;
  std::int64_t high = runs;  // refutes(low), not refutes(high): the bound falls with the hits
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (refutes(middle) ? low : high) = middle;
  }
  return stats::binomial_lower(low, runs, second);
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
      if (tally_.first.runs == 0 || tally_.second.runs == 0) return;  // the deadline came first
      spent_ = alarm_ * look.share;
      bound_ = epsilon_lower_bound(errors(tally_), delta_, spent_);
      if (violated() || tally_.first.runs < look.runs || tally_.second.runs < look.runs) return;
    }
  }

  bool violated() const { return bound_ > bet_.epsilon; }
  double bound() const { return bound_; }
  double margin() const { return bound_ - bet_.epsilon; }

  void put_into(Report& report) const {
    const Pair& pair = target_.pairs[bet_.pair];
    report.promised = bet_.epsilon;
    report.delta = delta_;
    report.lower_bound = bound_;
    report.runs = std::min(tally_.first.runs, tally_.second.runs);
    if (report.runs == 0) return;
    report.ceiling = dither::audit::ceiling(tally_.second.runs, tally_.first.runs, delta_, spent_);
    report.power_1_5 = power_against(1.5, tally_, bet_.epsilon, delta_, spent_);
    report.power_2 = power_against(2, tally_, bet_.epsilon, delta_, spent_);
    const ErrorRates most = error_rates_upper(errors(tally_), spent_);
    report.witness = Witness{.first = bet_.swapped ? pair.second : pair.first,
                             .second = bet_.swapped ? pair.first : pair.second,
                             .event = bet_.set.description,
                             .runs = report.runs,
                             .hits_first = tally_.first.hits,
                             .hits_second = tally_.second.hits,
                             .least_first = 1 - most.false_negative,
                             .most_second = most.false_positive,
                             .epsilon = bet_.epsilon,
                             .delta = delta_};
  }

 private:
  void draw(std::int64_t until) {
    const Pair& pair = target_.pairs[bet_.pair];
    add(tally_.first, bet_.swapped ? pair.draw_second : pair.draw_first, until, 2 * salt_);
    add(tally_.second, bet_.swapped ? pair.draw_first : pair.draw_second, until, 2 * salt_ + 1);
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

}  // namespace

Report settle(const Target& target, std::string_view tester, std::span<const Bet> bets, const Effort& effort) {
  const auto start = std::chrono::steady_clock::now();
  Report report{.target = target.name, .tester = std::string(tester), .false_alarm = effort.false_alarm};
  if (bets.empty()) report.notes.emplace_back("nothing to bet on was found: no fresh runs were made");
  double best = -HUGE_VAL;
  for (std::size_t i = 0; i < bets.size(); ++i) {
    Settling settling(target, bets[i], effort.false_alarm / static_cast<double>(bets.size()), i, effort);
    settling.run();
    if (settling.margin() > best) {
      best = settling.margin();
      settling.put_into(report);
    }
    if (settling.violated()) {
      report.verdict = Verdict::violated;
      break;
    }
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace dither::audit
