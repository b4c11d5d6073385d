// A promise against a channel, and the channel as something to run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "audit/channel.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/sum.h"
#include "random/categorical.h"
#include "random/source.h"

namespace dither::audit {

namespace {

// One point of the promise on one ordered pair.
struct Point {
  std::size_t first = 0, second = 0;
  double epsilon = 0, delta = 0;
  DeltaBounds found;
  double margin = -HUGE_VAL;  // above 0: refuted
};

struct Worst {
  Point point;
  double open = -HUGE_VAL;  // by how much some delta may still exceed the promise; at most 0: all are decided
};
Worst worst_point(const Channel& channel, const Promise& promise) {
  Worst worst;
  for (const auto& [first, second] : channel.neighbours()) {
    for (const double epsilon : promise.epsilons()) {
      const double delta = promise.delta(epsilon);
      DeltaBounds found = hockey_stick_delta(channel, first, second, epsilon);
      worst.open = std::max(worst.open, found.at_most - delta);
      const double margin = found.at_least - delta;
      if (margin > worst.point.margin) worst.point = {first, second, epsilon, delta, std::move(found), margin};
    }
  }
  return worst;
}

// How likely an output is under the first that is impossible under the second: no epsilon bounds what it tells.
double impossible_at_least(const Channel& channel, std::size_t first, std::size_t second) {
  RunningSum sum;
  for (std::size_t output = 0; output < channel.outputs().size(); ++output) {
    if (channel.probability(second, output).high() == 0) sum += channel.probability(first, output).low();
  }
  return sum.down();
}

// The least epsilon at which this pair has this delta, from below.
double epsilon_at(const Channel& channel, std::size_t first, std::size_t second, double delta) {
  constexpr double kFurthest = 512;
  const auto leaks = [&](double epsilon) {
    return hockey_stick_delta(channel, first, second, epsilon).at_least > delta;
  };
  if (!leaks(0)) return 0;
  double low = 0, high = 1;
  while (high < kFurthest && leaks(high)) high *= 2;
  if (leaks(high)) return impossible_at_least(channel, first, second) > delta ? HUGE_VAL : high;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (leaks(middle) ? low : high) = middle;
  }
  return low;
}

Witness witness(const Channel& channel, std::size_t first, std::size_t second, const std::vector<std::size_t>& event) {
  Witness found{.first = channel.inputs()[first],
                .second = channel.inputs()[second],
                .event = "one of:",
                .evidence = Evidence::exact};
  RunningSum least, most;
  for (const std::size_t output : event) {
    found.event += " " + channel.outputs()[output];
    least += channel.probability(first, output).low();
    most += channel.probability(second, output).high();
  }
  found.least_first = std::max(0.0, least.down());
  found.most_second = std::min(1.0, most.up());
  return found;
}

}  // namespace

Report test_channel(const Channel& channel, const Promise& promise) {
  const auto start = std::chrono::steady_clock::now();
  Report report{.target = "channel", .tester = "enumeration", .power_1_5 = 1, .power_2 = 1};
  report.promised = promise.epsilons().front();
  report.delta = promise.delta(report.promised);
  report.ceiling = HUGE_VAL;
  if (channel.neighbours().empty()) {
    report.power_1_5 = report.power_2 = 0;
    report.ceiling = 0;
    report.notes.emplace_back("there are no neighbours: nothing was tested");
    return report;
  }
  double at_most = 0, allowed = 0;  // what the channel may have at most; above this the promise is broken
  if (const auto epsilon = promise.pure_epsilon()) {
    const LossBounds found = min_distance(channel);
    report.lower_bound = std::max(0.0, found.at_least);
    report.verdict = report.lower_bound > report.promised ? Verdict::violated : Verdict::none_found;
    report.witness = witness(channel, found.first, found.second, {found.output});
    at_most = found.at_most;
    allowed = *epsilon;
  } else {
    const Worst worst = worst_point(channel, promise);
    report.promised = worst.point.epsilon;
    report.delta = worst.point.delta;
    report.lower_bound = epsilon_at(channel, worst.point.first, worst.point.second, worst.point.delta);
    const std::vector<std::size_t>& event = worst.point.found.event;  // nothing, where the claim leaves everything
    if (!event.empty()) report.witness = witness(channel, worst.point.first, worst.point.second, event);
    if (worst.point.margin > 0) {
      report.verdict = Verdict::violated;
      report.lower_bound = std::max(report.lower_bound, report.promised);  // the search ends before some curves do
    }
    at_most = worst.open;
  }
  if (report.witness) {
    report.witness->epsilon = report.promised;
    report.witness->delta = report.delta;
  }
  const bool open = !channel.is_exact() && report.verdict == Verdict::none_found && at_most > allowed;
  report.notes.emplace_back(open ? "every pair of neighbours and every output was looked at"
                                 : "every pair of neighbours and every output was looked at: exact, but for roundings");
  if (promise.epsilons().size() > 1) {
    report.notes.push_back(
        fmt::format("the promise is a curve: it was tested at {} of its points", promise.epsilons().size()));
  }
  if (open) {
    report.notes.emplace_back("the claim lies within the intervals of the probabilities: not decided");
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

Target sampled(const Channel& channel, const Promise& promise, std::string name) {
  if (!channel.is_exact()) {
    throw Error(Code::no_theorem, "a channel of intervals has no law to draw from", "give exact probabilities");
  }
  const auto draw_of = [&](std::size_t input) -> Draw {
    std::vector<Rational> weights;
    for (std::size_t output = 0; output < channel.outputs().size(); ++output)
      weights.push_back(channel.exact(input, output));
    const auto law = std::make_shared<const random::Categorical>(weights);
    return [law](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = static_cast<double>(law->draw(source));
    };
  };
  Target target{std::move(name), promise, {Reading::word}, {}, Words(channel.outputs())};
  for (const auto& [first, second] : channel.neighbours()) {
    if (first > second) continue;
    target.pairs.push_back({channel.inputs()[first], channel.inputs()[second], draw_of(first), draw_of(second)});
  }
  return target;
}

}  // namespace dither::audit
