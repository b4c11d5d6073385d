// The witness function of the maximum mean discrepancy, as a bounded function of the output (T-47).
//
// Weak where a bug shows in few outputs: a smooth function averages over many. Strong where numbers are far apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "audit/detail/means.h"
#include "audit/detail/own_report.h"
#include "audit/detail/power.h"
#include "audit/detail/search_runs.h"
#include "audit/tester.h"

namespace dither::audit {

namespace {

using detail::Bounded;
using detail::Mean;
using detail::Runs;

constexpr std::int64_t kPoints = 96;          // of each side, in the witness
constexpr std::int64_t kMostTraining = 4000;  // more teach nothing: the points are few
constexpr std::int64_t kMostRuns = 400'000;   // each costs 2 * kPoints kernels
constexpr double kFloors[] = {0, 0.25, 0.5, 0.75, 0.9, 0.97};

// exp(-sum of squared distances / 2): numbers in units of their spread, words and what is no number by equality.
class Kernel {
 public:
  Kernel(const Shape& shape, const Runs& runs) : shape_(shape) {
    for (std::size_t column = 0; column < shape.size(); ++column) per_spread_.push_back(1 / spread(runs, column));
  }

  double operator()(std::span<const double> a, std::span<const double> b) const {
    double sum = 0;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
      const double apart = shape_[i] == Reading::number ? (a[i] - b[i]) * per_spread_[i] : std::nan("");
      if (std::isfinite(apart)) {
        sum += apart * apart;
      } else {
        sum += same(a.subspan(i, 1), b.subspan(i, 1)) ? 0 : kDifferent;
      }
    }
    return std::exp(-sum / 2);
  }

 private:
  static constexpr double kDifferent = 4;  // the squared distance of two words

  static double spread(const Runs& runs, std::size_t column) {
    std::vector<double> all;
    for (const Outputs* outputs : {&runs.first, &runs.second}) {
      for (std::int64_t i = 0; i < outputs->runs(); ++i) {
        if (std::isfinite(outputs->row(i)[column])) all.push_back(outputs->row(i)[column]);
      }
    }
    if (all.empty()) return 1;
    std::sort(all.begin(), all.end());
    const double middle = all[3 * all.size() / 4] - all[all.size() / 4];
    return middle > 0 && std::isfinite(middle) ? middle : 1;
  }

  Shape shape_;
  std::vector<double> per_spread_;
};

// f(x) = mean of k(x, first) - mean of k(x, second): the function of the kernel's unit ball, up to a factor, on which
// the two samples differ most.
class WitnessFunction {
 public:
  WitnessFunction(Kernel kernel, const Runs& runs)
      : kernel_(std::move(kernel)), first_(points(runs.first)), second_(points(runs.second)) {}

  double operator()(std::span<const double> row) const { return mean(first_, row) - mean(second_, row); }

 private:
  static Outputs points(const Outputs& runs) {
    Outputs some(runs.width());
    const std::int64_t count = std::min(kPoints, runs.runs());
    const std::span<double> cells = some.add(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto row = runs.row(i);
      std::copy(row.begin(), row.end(),
                cells.begin() + static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(row.size()));
    }
    return some;
  }
  double mean(const Outputs& points, std::span<const double> row) const {
    double sum = 0;
    for (std::int64_t i = 0; i < points.runs(); ++i) sum += kernel_(points.row(i), row);
    return sum / static_cast<double>(points.runs());
  }

  Kernel kernel_;
  Outputs first_, second_;
};

// A witness function, cut to [0, 1], with a side and a point of the promise.
struct Found {
  std::size_t pair = 0;
  bool swapped = false;
  Bounded function;
  double epsilon = 0;
  double worth = -HUGE_VAL;
  double discrepancy = 0;
  bool seen = false;  // any runs of some pair
};

// About the discrepancy: the root of the mean difference of the witness.
double discrepancy(const std::vector<double>& first, const std::vector<double>& second) {
  const auto mean = [](const std::vector<double>& all) {
    double sum = 0;
    for (const double x : all) sum += x;
    return sum / static_cast<double>(all.size());
  };
  return std::sqrt(std::max(0.0, mean(first) - mean(second)));
}

Mean mean_of(const std::vector<double>& scores, double sign, double low, double high) {
  Mean result{static_cast<std::int64_t>(scores.size())};
  const auto cut = [&](double score) { return std::clamp((sign * score - low) / (high - low), 0.0, 1.0); };
  for (const double score : scores) result.mean += cut(score);
  result.mean /= static_cast<double>(scores.size());
  for (const double score : scores) result.variance += std::pow(cut(score) - result.mean, 2);
  result.variance /= static_cast<double>(std::max<std::size_t>(1, scores.size() - 1));
  return result;
}

void search_pair(const Target& target, std::size_t pair, const Effort& effort, Found& best) {
  const Runs runs = detail::draw_runs(target, pair, std::min(effort.search, kMostTraining), effort);
  if (!runs.any()) return;
  const auto witness = std::make_shared<const WitnessFunction>(Kernel(target.shape, runs), runs);
  // The points themselves are left out: there the witness knows too much.
  const auto scores_of = [&](const Outputs& outputs) {
    std::vector<double> all;
    for (std::int64_t i = std::min(kPoints, outputs.runs() / 2); i < outputs.runs(); ++i)
      all.push_back((*witness)(outputs.row(i)));
    return all;
  };
  const std::vector<double> first = scores_of(runs.first), second = scores_of(runs.second);
  if (first.empty() || second.empty()) return;
  best.seen = true;
  for (const bool swapped : {false, true}) {
    const double sign = swapped ? -1 : 1;
    std::vector<double> pooled;
    for (const double x : first) pooled.push_back(sign * x);
    for (const double x : second) pooled.push_back(sign * x);
    std::sort(pooled.begin(), pooled.end());
    const double high = pooled.back();
    for (const double floor : kFloors) {
      const double low = pooled[static_cast<std::size_t>(floor * static_cast<double>(pooled.size() - 1))];
      if (!(low < high)) continue;
      const double least =
          detail::mean_at_least(mean_of(swapped ? second : first, sign, low, high), effort.false_alarm / 2);
      const double most =
          detail::mean_at_most(mean_of(swapped ? first : second, sign, low, high), effort.false_alarm / 2);
      for (const double epsilon : target.promise.epsilons()) {
        const double worth = detail::refuted_epsilon(least, most, target.promise.delta(epsilon)) - epsilon;
        if (worth <= best.worth) continue;
        best = {pair,
                swapped,
                [witness, sign, low, high](std::span<const double> row) {
                  return std::clamp((sign * (*witness)(row)-low) / (high - low), 0.0, 1.0);
                },
                epsilon,
                worth,
                discrepancy(first, second),
                true};
      }
    }
  }
}

}  // namespace

// The function was fixed on training runs and has values in [0, 1], so that a mechanism with (epsilon, delta) has
// E g <= e^epsilon E' g + delta (detail/means.h). Both means' bounds hold at once except with probability
// effort.false_alarm, for every number of runs.
Report kernel(const Target& target, const Effort& effort) {
  detail::OwnReport own(target, "kernel", effort);
  Found best;
  for (std::size_t pair = 0; pair < target.pairs.size(); ++pair) search_pair(target, pair, effort, best);
  if (!best.function)
    return std::move(own).nothing_tested(best.seen ? "the witness function never varied: nothing was tested"
                                         : target.pairs.empty() ? "there are no pairs of inputs: nothing was tested"
                                                                : "time was over: nothing was tested");

  const Pair& pair = target.pairs[best.pair];
  const std::int64_t runs = std::clamp<std::int64_t>(effort.certify, 2, kMostRuns);
  const Mean first =
      detail::mean_of(best.swapped ? pair.draw_second : pair.draw_first, target.shape, best.function, runs, effort);
  const Mean second =
      detail::mean_of(best.swapped ? pair.draw_first : pair.draw_second, target.shape, best.function, runs, effort);
  if (first.runs == 0 || second.runs == 0) return std::move(own).nothing_tested("time was over: nothing was tested");
  const double least = detail::mean_at_least(first, effort.false_alarm / 2);
  const double most = detail::mean_at_most(second, effort.false_alarm / 2);
  Report& report = own.report;
  report.promised = best.epsilon;
  report.delta = target.promise.delta(best.epsilon);
  report.lower_bound = detail::refuted_epsilon(least, most, report.delta);
  report.verdict = report.lower_bound > report.promised ? Verdict::violated : Verdict::none_found;
  report.runs = std::min(first.runs, second.runs);
  const double far = std::log(4 / effort.false_alarm),
               count = static_cast<double>(std::max<std::int64_t>(2, report.runs));
  report.ceiling = std::max(0.0, std::log(count / (far * 7 / 3)));
  const auto power_against = [&](double times) {
    return detail::best_of_points(target.promise, [&](double epsilon, double delta) {
      return detail::power_of_means(times, {first, second}, epsilon, delta, effort.false_alarm);
    });
  };
  report.power_1_5 = power_against(1.5);
  report.power_2 = std::max(report.power_1_5, power_against(2));
  report.notes.push_back(
      fmt::format("maximum mean discrepancy about {:.3g}; a smooth function is a weak event", best.discrepancy));
  report.witness = Witness{.first = best.swapped ? pair.second : pair.first,
                           .second = best.swapped ? pair.first : pair.second,
                           .event = "the mean of a witness function of the kernel",
                           .evidence = Evidence::means,
                           .runs_first = first.runs,
                           .runs_second = second.runs,
                           .least_first = least,
                           .most_second = most,
                           .epsilon = report.promised,
                           .delta = report.delta};
  return std::move(own).finish();
}

}  // namespace dither::audit
