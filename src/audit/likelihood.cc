#include "audit/likelihood.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "audit/cut.h"
#include "audit/likelihood_scores.h"
#include "audit/sampling.h"
#include "audit/tester.h"

namespace dither::audit {

namespace {

constexpr std::size_t kMostBets = 3;
constexpr double kSearchShare = 0.4;  // of the time that there is

bool is_there(const TrainingRuns& runs) { return runs.first.runs() > 0 && runs.second.runs() > 0; }

// The test keeps the larger part of the time, however long the search would take.
Effort of_search(const Effort& effort) {
  Effort search = effort;
  const auto now = std::chrono::steady_clock::now();
  if (effort.deadline) {
    const std::chrono::duration<double> part = kSearchShare * (*effort.deadline - now);
    search.deadline = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(part);
  }
  return search;
}

struct Candidate {
  double margin;
  Bet bet;
};

std::pair<Outputs, Outputs> halves(const Outputs& runs) {
  std::pair<Outputs, Outputs> result{Outputs(runs.width()), Outputs(runs.width())};
  for (std::int64_t i = 0; i < runs.runs(); ++i) {
    const std::span<double> to = (i % 2 == 0 ? result.first : result.second).add(1);
    std::copy(runs.row(i).begin(), runs.row(i).end(), to.begin());
  }
  return result;
}

std::vector<double> scored(const Outputs& runs, const Score& score) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < runs.runs(); ++i) values.push_back(score.value(runs.row(i)));
  return values;
}

Bet bet_of(std::size_t pair, const Score& score, const Cut& cut) {
  Bet bet;
  bet.pair = pair;
  bet.swapped = cut.swapped;
  bet.epsilon = cut.epsilon;
  bet.set.threshold = cut.threshold;
  bet.set.score = score.value;
  bet.set.description = score.describe(cut.threshold);
  return bet;
}

void search_pair(const Target& target, const std::vector<std::string>& names, std::size_t pair,
                 const TrainingRuns& training, const Effort& effort, std::vector<Candidate>& candidates) {
  const auto [learn_first, cut_first] = halves(training.first);
  const auto [learn_second, cut_second] = halves(training.second);
  for (const Score& score : likelihood_scores(target.shape, names, target.words, learn_first, learn_second)) {
    effort.cancel.check();
    const Cut cut = best_cut(scored(cut_first, score), scored(cut_second, score), target.promise, effort);
    candidates.push_back({cut.margin, bet_of(pair, score, cut)});
  }
}

}  // namespace

std::vector<Bet> likelihood_bets(const Target& target, const std::vector<std::string>& names,
                                 const std::vector<TrainingRuns>& training, const Effort& effort) {
  std::vector<Candidate> candidates;
  Effort each = effort;
  each.false_alarm /= kMostBets;  // as settle() will divide it
  for (std::size_t pair = 0; pair < training.size(); ++pair) {
    if (is_there(training[pair])) search_pair(target, names, pair, training[pair], each, candidates);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.margin > b.margin; });
  std::vector<Bet> bets;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostBets); ++i) bets.push_back(std::move(candidates[i].bet));
  return bets;
}

bool never_varied(const std::vector<TrainingRuns>& training) {
  const Outputs* one = nullptr;
  for (const TrainingRuns& pair : training) {
    for (const Outputs* runs : {&pair.first, &pair.second}) {
      if (runs->runs() == 0) continue;
      if (one == nullptr) one = runs;
      for (std::int64_t i = 0; i < runs->runs(); ++i) {
        if (!same(runs->row(i), one->row(0))) return false;
      }
    }
  }
  return one != nullptr;
}

Report likelihood(const Target& target, const std::vector<std::string>& names, const Effort& effort) {
  std::vector<TrainingRuns> training;  // of every pair, in their order; none where time was up
  const Effort search = of_search(effort);
  for (const Pair& pair : target.pairs) {
    training.push_back({sample(pair.draw_first, target.shape, effort.search, search),
                        sample(pair.draw_second, target.shape, effort.search, search)});
  }
  const std::vector<Bet> bets = likelihood_bets(target, names, training, effort);
  Report report = settle(target, "likelihood", bets, effort);
  if (!std::all_of(training.begin(), training.end(), is_there)) {
    report.notes.emplace_back("time was up before all pairs of inputs were tried");
  }
  if (never_varied(training)) report.notes.emplace_back("the output never varied");
  return report;
}

Report likelihood(const Target& target, const Effort& effort) {
  std::vector<std::string> names;
  for (const Reading reading : target.shape) {
    names.push_back(fmt::format("{} {}", reading == Reading::number ? "number" : "word", names.size() + 1));
  }
  return likelihood(target, names, effort);
}

}  // namespace dither::audit
