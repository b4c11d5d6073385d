#include "audit/detail/ranked_attack.h"

#include <fmt/format.h>

#include <cmath>

#include "audit/cut.h"
#include "audit/logistic.h"

namespace dither::audit::detail {

namespace {

// With one feature the classifier's order is that of the number itself, up or down, which people can read.
Ranking the_number(bool falls) {
  if (falls)
    return {"the number", [](std::span<const double> row) { return std::isnan(row[0]) ? -HUGE_VAL : -row[0]; }, true};
  return {"the number", [](std::span<const double> row) { return std::isnan(row[0]) ? -HUGE_VAL : row[0]; }};
}

Ranking by(const std::shared_ptr<const Logistic>& fitted, const char* description) {
  return {description, [fitted](std::span<const double> row) { return fitted->score(row); }};
}

std::shared_ptr<const Logistic> fit(const Runs& training, const Shape& shape, const FeatureChoice& choice) {
  return std::make_shared<const Logistic>(
      fit_logistic(Features(training.first, training.second, shape, choice), training.first, training.second));
}

}  // namespace

std::vector<double> scores_of(const Outputs& outputs, const Ranking& ranking) {
  std::vector<double> scores(static_cast<std::size_t>(outputs.runs()));
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = ranking.score(outputs.row(static_cast<std::int64_t>(i)));
  return scores;
}

AttackSet set_above(const Ranking& ranking, double threshold) {
  const bool falls = ranking.describes_minus;
  return {fmt::format("{} is {} {:.17g}", ranking.description, falls ? "at most" : "at least",
                      falls ? 0 - threshold : threshold),
          ranking.score, threshold};
}

Ranking opposite(const Ranking& ranking) {
  return {ranking.description, [score = ranking.score](std::span<const double> row) { return 0 - score(row); },
          !ranking.describes_minus};
}

std::vector<Ranking> rank_by_logistic(const Runs& training, const Shape& shape, std::uint64_t) {
  const auto plain = fit(training, shape, {});
  const bool one_number = shape.size() == 1 && shape[0] == Reading::number && plain->weights().size() == 1;
  return {one_number ? the_number(plain->weights()[0] < 0) : by(plain, "the score of a logistic classifier"),
          by(fit(training, shape, {.ramps = true}),
             "the score of a logistic classifier on numbers, cut off at their medians"),
          by(fit(training, shape, {.shapes = true, .atoms = true}),
             "the score of a logistic classifier on numbers, squares and frequent values")};
}

Report attack_by_ranking(const Target& target, const Effort& effort, std::string_view tester, const Ranker& quick,
                         const Ranker& thorough) {
  bool varies = false;
  const auto search_with = [&](const Ranker& ranker) -> Search {
    return [&target, &effort, &varies, ranker](std::size_t pair, std::int64_t runs) {
      std::vector<Suspicion> found;
      const Runs training = draw_runs(target, pair, runs / 2, effort);
      const Runs cutting = draw_runs(target, pair, runs - runs / 2, effort);
      if (!training.any() || !cutting.any()) return found;
      varies = varies || !never_varies(training);
      for (const Ranking& ranking : ranker(training, target.shape, effort.seed)) {
        const Cut cut =
            best_cut(scores_of(cutting.first, ranking), scores_of(cutting.second, ranking), target.promise, effort);
        found.push_back({{pair, cut.swapped, set_above(ranking, cut.threshold), cut.epsilon}, cut.margin});
      }
      return found;
    };
  };
  const std::vector<Bet> bets = search_pairs(target, effort, search_with(quick), search_with(thorough));
  Report report = settle(target, tester, bets, effort);
  if (!bets.empty() && !varies) report.notes.emplace_back("the output never varied in the search");
  if (const auto note = quick_pairs(target)) report.notes.push_back(*note);
  return report;
}

}  // namespace dither::audit::detail
