// dither verify --scores: what scores of membership tell apart, and the epsilon that this takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "accounting/tradeoff.h"
#include "audit/lower_bound.h"
#include "audit/outputs_file.h"
#include "audit/thresholds.h"
#include "audit/two_sided.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/verify_attack.h"
#include "show/show.h"
#include "stats/dkw.h"
#include "stats/roc.h"

namespace dither::cli {

namespace {

constexpr int kSplits = 25;

using Rows = std::vector<audit::RunValue>;

// First rows that are the same word in both files are headers.
bool have_headers(const Rows& first, const Rows& second) {
  if (first.empty() || second.empty() || first[0].cells != second[0].cells || first[0].cells.size() != 1) return false;
  const auto* word = std::get_if<std::string>(&first[0].cells[0]);
  return word != nullptr && !word->empty();
}

std::vector<double> scores_of(const Rows& rows, std::size_t from, const std::string& path) {
  std::vector<double> scores;
  for (std::size_t i = from; i < rows.size(); ++i) {
    const double* score = rows[i].cells.size() == 1 ? std::get_if<double>(&rows[i].cells[0]) : nullptr;
    if (score == nullptr || std::isnan(*score)) {
      throw Error{Code::bad_number, fmt::format("--scores {}: row {} is no single number", echo(path), i + 1),
                  "write one score a row, higher for runs that look as if the record was in"};
    }
    scores.push_back(*score);
  }
  if (!scores.empty()) return scores;
  throw Error{Code::bad_count, fmt::format("--scores {}: no score in it", echo(path)),
              "write one score a row, of each run"};
}

audit::AttackScores read_scores(const std::string& in_path, const std::string& out_path) {
  const Rows in = audit::csv_runs(read_bytes(in_path, "--scores"), in_path);
  const Rows out = audit::csv_runs(read_bytes(out_path, "--scores"), out_path);
  const std::size_t from = have_headers(in, out) ? 1 : 0;
  std::vector<double> in_scores = scores_of(in, from, in_path);
  return {scores_of(out, from, out_path), std::move(in_scores)};
}

// How a threshold was found without looking at the scores that are counted.
struct Cut {
  std::string how;
  AttackBound bound;
  // For the power: what is wrong at one threshold, and what the method makes of it.
  audit::ErrorCounts errors;
  audit::UpperEnds ends;
};

Cut cut_at(const std::string& list, const audit::AttackScores& scores, const AttackQuestion& question) {
  std::vector<double> thresholds;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    thresholds.push_back(exact_number("threshold", list.substr(at, comma - at)).to_double_down());
    at = comma + 1;
  }
  const double each = question.false_alarm / static_cast<double>(thresholds.size());
  const auto shows_less = [&](double one, double other) {
    return audit::epsilon_at_threshold(scores, one, question.delta, each) <
           audit::epsilon_at_threshold(scores, other, question.delta, each);
  };
  const double best = *std::max_element(thresholds.begin(), thresholds.end(), shows_less);
  return {
      fmt::format("fixed before the runs, as given ({}), each with its share of the false alarm", thresholds.size()),
      {audit::epsilon_of_thresholds(scores, thresholds, question.delta, question.false_alarm),
       audit::ceiling(std::ssize(scores.out), std::ssize(scores.in), question.delta, each)},
      audit::errors_at(scores, best),
      audit::exact_ends(each)};
}

Cut cut_by_splits(int splits, const audit::AttackScores& scores, const AttackQuestion& question, std::uint64_t seed) {
  if (scores.in.size() < 2 || scores.out.size() < 2) {
    throw Error{Code::bad_count, "--scores has a file with one score, but halves need two",
                "record more runs, or give the --threshold that was fixed before"};
  }
  const audit::SplitChoice choice{0.5, seed};
  const double alarm = splits == 1 ? question.false_alarm : question.false_alarm / 2;
  const audit::ErrorCounts errors = audit::errors_by_split(scores, choice, question.delta, alarm);
  const double ceiling = audit::ceiling(errors.negative_runs, errors.positive_runs, question.delta, alarm);
  if (splits == 1) {
    return {"split: chosen on a random half of the scores, counted on the other half",
            {audit::epsilon_by_split(scores, choice, question.delta, alarm), ceiling},
            errors,
            audit::exact_ends(alarm)};
  }
  const double median =
      audit::epsilon_by_median_of_splits(scores, splits, choice, question.delta, question.false_alarm);
  return {fmt::format("median of {} splits: chosen on random halves, counted on the others", splits),
          {median, ceiling},
          errors,
          audit::exact_ends(alarm)};
}

Cut cut_by_band(const audit::AttackScores& scores, const AttackQuestion& question) {
  const audit::ErrorRates none{std::min(1.0, stats::dkw_band(std::ssize(scores.out), question.false_alarm)),
                               std::min(1.0, stats::dkw_band(std::ssize(scores.in), question.false_alarm))};
  return {"band: the best of all, paid for by a band around both whole curves",
          {audit::epsilon_by_band(scores, question.delta, question.false_alarm),
           audit::epsilon_of_rates_down(none, question.delta)},
          audit::errors_at(scores, audit::best_threshold(scores, question.delta, question.false_alarm)),
          audit::band_ends(question.false_alarm)};
}

Cut cut_of(const Given& given, const audit::AttackScores& scores, const AttackQuestion& question) {
  const std::string how = given.contains("threshold") ? given.at("threshold") : "split";
  if (how == "split") return cut_by_splits(1, scores, question, read_seed(given));
  if (how == "median") return cut_by_splits(kSplits, scores, question, read_seed(given));
  if (how == "band") return cut_by_band(scores, question);
  return cut_at(how, scores, question);
}

void say_area(const AttackQuestion& question, const stats::Roc& roc, Facts& facts, show::Json& document) {
  const double area = stats::area(roc);
  const double half = stats::area_half_width(roc, question.false_alarm);
  const double low = std::max(0.0, sub_down(area, half));
  const double high = std::min(1.0, add_up(area, half));
  const double advantage = stats::advantage(roc, stats::best_step(roc));
  facts.push_back({"AUC", fmt::format("{:.4f}, truly {} to {} with confidence {}", area, digits_down(low, 4),
                                      digits_up(high, 4), audit::confidence_text(question.false_alarm))});
  facts.push_back({"advantage", fmt::format("{:.4g} at the threshold that looks best here, so optimistic", advantage)});
  document["scores_with"] = show::json_integer(roc.ins());
  document["scores_without"] = show::json_integer(roc.outs());
  document["area"] = {{"value", show::json_real(area)},
                      {"low", show::json_real(low)},
                      {"high", show::json_real(high)},
                      {"standard_error", show::json_real(stats::area_standard_error(roc))}};
  document["advantage"] = show::json_real(advantage);
}

// The share of runs with the record that are found at each low rate of false alarms; null where there are too few runs.
void say_rates(const AttackQuestion& question, const stats::Roc& roc, Facts& facts, show::Json& document) {
  show::Json rates = show::Json::array();
  for (const double rate : stats::low_false_positive_rates()) {
    const std::optional<stats::RocStep> step = stats::step_at_false_positive_rate(roc, rate);
    std::string text = stats::true_positive_rate_text(roc, rate);
    show::Json entry = {{"false_positive_rate", show::json_real(rate)},
                        {"true_positive_rate", step ? show::json_real(roc.true_positive_rate(*step)) : nullptr}};
    if (question.claim) {
      const double allowed = question.mu ? sub_up(1, accounting::gaussian_tradeoff_down(*question.mu, rate))
                                         : accounting::true_positive_rate_up(question.claimed, question.delta, rate);
      text += fmt::format(" (the claim allows {})", digits_up(allowed, 4));
      entry["allowed"] = show::json_real(allowed);
    }
    facts.push_back({fmt::format("TPR at {:g}%", 100 * rate), text});
    rates.push_back(std::move(entry));
  }
  document["true_positive_rates"] = std::move(rates);
}

show::Json hull_json(const stats::Roc& roc) {
  show::Json hull = show::Json::array();
  for (const stats::RocStep& step : roc.hull()) {
    hull.push_back({{"threshold", show::json_real(step.threshold)},
                    {"false_positive_rate", show::json_real(roc.false_positive_rate(step))},
                    {"true_positive_rate", show::json_real(roc.true_positive_rate(step))}});
  }
  return hull;
}

}  // namespace

AttackAnswer verify_scores(const Given& given) {
  if (!given.contains("NAME")) {
    throw Error{Code::bad_argument, "--scores needs two files: of runs with the record, and of runs without",
                "write e.g. --scores in.csv out.csv"};
  }
  const AttackQuestion question = read_attack_question(given);
  const audit::AttackScores scores = read_scores(given.at("scores"), given.at("NAME"));
  const stats::Roc roc(scores.out, scores.in);
  const Cut cut = cut_of(given, scores, question);
  const bool violated = question.claim && cut.bound.lower > question.claimed;
  Facts facts;
  show::Json document;
  say_verdict(question, violated, facts, document);
  facts.push_back({"scores", fmt::format("{} of runs with the record, {} of runs without", roc.ins(), roc.outs())});
  say_bound(question, cut.bound, facts, document);
  AttackQuestion epsilon_alone = question;  // scores are not held against a curve
  epsilon_alone.mu.reset();
  say_power_of_errors(epsilon_alone, cut.errors, cut.ends, facts, document);
  facts.push_back({"threshold", cut.how});
  document["threshold"] = cut.how;
  say_area(question, roc, facts, document);
  say_rates(question, roc, facts, document);
  document["hull"] = hull_json(roc);
  if (question.claim) document["allowed_region"] = region_json(question);
  say_both(question, cut.bound, facts, document);
  return attack_answer(given, facts, document, violated);
}

}  // namespace dither::cli
