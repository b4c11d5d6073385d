#include "stats/roc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/int128.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

std::vector<double> sorted_down(std::span<const double> scores, const char* name) {
  if (scores.empty()) {
    throw Error{Code::bad_count, fmt::format("there are no {} scores", name), "give at least one score of each kind"};
  }
  for (const double score : scores) {
    if (!std::isnan(score)) continue;
    throw Error{Code::bad_number, fmt::format("a score of the {} sample is NaN", name), "give every run a score"};
  }
  std::vector<double> sorted(scores.begin(), scores.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

// Whether the turn a -> b -> c bends down: b lies above the line from a to c.
bool above_line(const RocStep& a, const RocStep& b, const RocStep& c) {
  const Int128 rise = Int128{b.true_positives - a.true_positives} * (c.false_positives - b.false_positives);
  const Int128 run = Int128{c.true_positives - b.true_positives} * (b.false_positives - a.false_positives);
  return rise > run;
}

// The sample variance of what each score of one kind contributes to the area, over the number of scores.
// Proof  a score of IN contributes the share of OUT below it plus half of its ties; both are sums over steps.
double share_variance(double sum, double squares, double n) { return (squares - sum * sum / n) / (n - 1) / n; }

}  // namespace

Roc::Roc(std::span<const double> out_scores, std::span<const double> in_scores)
    : outs_(static_cast<std::int64_t>(out_scores.size())), ins_(static_cast<std::int64_t>(in_scores.size())) {
  const std::vector<double> out = sorted_down(out_scores, "OUT");
  const std::vector<double> in = sorted_down(in_scores, "IN");
  steps_.push_back({std::numeric_limits<double>::infinity(), 0, 0});
  std::size_t o = 0;
  std::size_t i = 0;
  while (o < out.size() || i < in.size()) {
    const double score = o == out.size() ? in[i] : i == in.size() ? out[o] : std::max(out[o], in[i]);
    while (o < out.size() && out[o] == score) ++o;
    while (i < in.size() && in[i] == score) ++i;
    steps_.push_back({score, static_cast<std::int64_t>(o), static_cast<std::int64_t>(i)});
  }
}

std::vector<RocStep> Roc::hull() const {
  std::vector<RocStep> hull;
  for (const RocStep& step : steps_) {
    while (hull.size() >= 2 && !above_line(hull[hull.size() - 2], hull.back(), step)) hull.pop_back();
    hull.push_back(step);
  }
  return hull;
}

double area(const Roc& roc) {
  Int128 twice = 0;  // pairs in order count 2, ties 1
  for (std::size_t i = 1; i < roc.steps().size(); ++i) {
    const RocStep& before = roc.steps()[i - 1];
    const RocStep& after = roc.steps()[i];
    twice += Int128{after.false_positives - before.false_positives} * (before.true_positives + after.true_positives);
  }
  return static_cast<double>(twice) / (2 * static_cast<double>(roc.outs()) * static_cast<double>(roc.ins()));
}

double area_half_width(const Roc& roc, double alpha) {
  detail::require_open_probability("alpha", alpha);
  const double pairs = static_cast<double>(std::min(roc.outs(), roc.ins()));
  return std::min(1.0, std::sqrt(std::log(2 / alpha) / (2 * pairs)) * (1 + 1e-14));
}

double area_standard_error(const Roc& roc) {
  const double outs = static_cast<double>(roc.outs());
  const double ins = static_cast<double>(roc.ins());
  double out_sum = 0, out_squares = 0, in_sum = 0, in_squares = 0;
  for (std::size_t i = 1; i < roc.steps().size(); ++i) {
    const RocStep& before = roc.steps()[i - 1];
    const RocStep& after = roc.steps()[i];
    const double out_here = static_cast<double>(after.false_positives - before.false_positives);
    const double in_here = static_cast<double>(after.true_positives - before.true_positives);
    const double in_above = static_cast<double>(before.true_positives + after.true_positives) / (2 * ins);
    const double out_below = 1 - static_cast<double>(before.false_positives + after.false_positives) / (2 * outs);
    out_sum += out_here * in_above;
    out_squares += out_here * in_above * in_above;
    in_sum += in_here * out_below;
    in_squares += in_here * out_below * out_below;
  }
  return std::sqrt(std::max(0.0, share_variance(out_sum, out_squares, outs)) +
                   std::max(0.0, share_variance(in_sum, in_squares, ins)));
}

double advantage(const Roc& roc, const RocStep& step) {
  return roc.true_positive_rate(step) - roc.false_positive_rate(step);
}

double balanced_accuracy(const Roc& roc, const RocStep& step) { return (1 + advantage(roc, step)) / 2; }

RocStep best_step(const Roc& roc) {
  return *std::max_element(roc.steps().begin(), roc.steps().end(),
                           [&](const RocStep& a, const RocStep& b) { return advantage(roc, a) < advantage(roc, b); });
}

RocBand band(const Roc& roc, const RocStep& step, double alpha) {
  return {clopper_pearson(step.false_positives, roc.outs(), alpha),
          clopper_pearson(step.true_positives, roc.ins(), alpha)};
}

std::optional<RocStep> step_at_false_positive_rate(const Roc& roc, double rate) {
  detail::require_probability("the false positive rate", rate);
  const double allowed = rate * static_cast<double>(roc.outs()) * (1 + 1e-12);  // 0.1 of 10 is 1, whatever 0.1 is
  if (allowed < 1) return std::nullopt;
  const auto past = std::partition_point(roc.steps().begin(), roc.steps().end(), [&](const RocStep& step) {
    return static_cast<double>(step.false_positives) <= allowed;
  });
  return *(past - 1);  // the first step has no false positives
}

std::string true_positive_rate_text(const Roc& roc, double rate) {
  const std::optional<RocStep> step = step_at_false_positive_rate(roc, rate);
  return step ? fmt::format("{:.4g}", roc.true_positive_rate(*step)) : "not resolvable";
}

std::span<const double> low_false_positive_rates() {
  static constexpr std::array<double, 5> kRates{0.1, 0.01, 0.001, 1e-4, 1e-5};
  return kRates;
}

double precision(double true_positive_rate, double false_positive_rate, double prior) {
  detail::require_probability("the true positive rate", true_positive_rate);
  detail::require_probability("the false positive rate", false_positive_rate);
  detail::require_probability("the prior", prior);
  const double right = prior * true_positive_rate;
  const double all = right + (1 - prior) * false_positive_rate;
  return all > 0 ? right / all : 0;
}

}  // namespace dither::stats
