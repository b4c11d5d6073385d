#include "audit/likelihood.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "audit/cut.h"
#include "audit/likelihood_scores.h"
#include "audit/lower_bound.h"
#include "audit/sampling.h"
#include "audit/tester.h"

namespace dither::audit {

namespace {

constexpr std::size_t kCarefulBets = 3;  // on events that training foretells surely
constexpr std::size_t kHopefulBets = 2;  // on rare ones
constexpr std::size_t kMostBets = kCarefulBets + kHopefulBets;
constexpr double kSearchShare = 0.4;         // of the time that there is
constexpr double kScoreShare = 0.15;         // of it, to score what was drawn
constexpr double kScoredASecond = 4e6;       // features of runs, on a busy core
constexpr std::int64_t kLeastScored = 2000;  // runs
constexpr double kFirstSeen = 20;            // times in half of the search: then a rare event is chosen

bool is_there(const TrainingRuns& runs) { return runs.first.runs() > 0 && runs.second.runs() > 0; }

// So many runs of each pair that all their features are scored in kScoreShare of the time.
std::int64_t scored_runs(const Target& target, const std::vector<std::string>& names, const Effort& effort) {
  if (!effort.deadline) return effort.search;
  const std::chrono::duration<double> left = *effort.deadline - std::chrono::steady_clock::now();
  const std::size_t features = likelihood_features(target.shape, target.parts, names).size();
  const double of_run = 2 * static_cast<double>(features * std::max<std::size_t>(1, target.pairs.size()));
  const auto fitting = static_cast<std::int64_t>(kScoredASecond * kScoreShare * left.count() / of_run);
  return std::min(effort.search, std::max(fitting, kLeastScored));
}

// The test keeps the larger part of the time, however long the search would take.
Effort of_search(const Target& target, const std::vector<std::string>& names, const Effort& effort) {
  Effort search = effort;
  search.search = scored_runs(target, names, effort);
  const auto now = std::chrono::steady_clock::now();
  if (effort.deadline) {
    const std::chrono::duration<double> part = kSearchShare * (*effort.deadline - now);
    search.deadline = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(part);
  }
  return search;
}

// Of the pair that was searched least.
std::int64_t fewest_runs(const std::vector<TrainingRuns>& training) {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const TrainingRuns& pair : training) fewest = std::min({fewest, pair.first.runs(), pair.second.runs()});
  return fewest;
}

struct Candidate {
  std::size_t pair;
  std::shared_ptr<const Score> score;
  Cut cut;

  bool operator==(const Candidate& other) const {
    return score == other.score && cut.swapped == other.cut.swapped && cut.threshold == other.cut.threshold &&
           cut.epsilon == other.cut.epsilon;
  }
};
struct Candidates {
  std::vector<Candidate> careful, hopeful;
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

Bet bet_of(const Candidate& candidate) {
  const auto& [pair, score, cut] = candidate;
  return {pair, cut.swapped, AttackSet{score->describe(cut.threshold), score->value, cut.threshold}, cut.epsilon};
}

// The best of some candidates, but for those that are chosen.
void choose(std::vector<Candidate>& candidates, std::size_t most, std::vector<Candidate>& chosen) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cut.margin > b.cut.margin; });
  const std::size_t end = chosen.size() + most;
  for (const Candidate& one : candidates) {
    if (chosen.size() == end) return;
    if (std::find(chosen.begin(), chosen.end(), one) == chosen.end()) chosen.push_back(one);
  }
}

void search_pair(const Target& target, const std::vector<std::string>& names, std::size_t pair,
                 const TrainingRuns& training, const Effort& effort, Candidates& candidates) {
  const auto [learn_first, cut_first] = halves(training.first);
  const auto [learn_second, cut_second] = halves(training.second);
  for (Score& one : likelihood_scores(target, names, learn_first, learn_second)) {
    effort.cancel.check();
    const auto score = std::make_shared<const Score>(std::move(one));
    const Cuts cuts = best_cuts(scored(cut_first, *score), scored(cut_second, *score), target.promise, effort);
    candidates.careful.push_back({pair, score, cuts.careful});
    candidates.hopeful.push_back({pair, score, cuts.hopeful});
  }
}

}  // namespace

std::vector<Bet> likelihood_bets(const Target& target, const std::vector<std::string>& names,
                                 const std::vector<TrainingRuns>& training, const Effort& effort) {
  Candidates candidates;
  Effort each = effort;
  each.false_alarm /= kMostBets;  // as settle() will divide it
  for (std::size_t pair = 0; pair < training.size(); ++pair) {
    if (is_there(training[pair])) search_pair(target, names, pair, training[pair], each, candidates);
  }
  std::vector<Candidate> chosen;
  choose(candidates.careful, kCarefulBets, chosen);
  choose(candidates.hopeful, kHopefulBets, chosen);
  std::vector<Bet> bets;
  for (const Candidate& one : chosen) bets.push_back(bet_of(one));
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

std::optional<double> rarest_found(const Report& report, std::int64_t search) {
  if (report.runs == 0 || report.verdict == Verdict::violated) return std::nullopt;
  const double alarm = report.false_alarm / kMostBets / 2;  // about that of a bet's last look
  const auto refutes = [&](std::int64_t hits) {
    const ErrorCounts errors{.false_positives = 0,
                             .negative_runs = report.runs,
                             .false_negatives = report.runs - hits,
                             .positive_runs = report.runs};
    return epsilon_lower_bound(errors, report.delta, alarm) > report.promised;
  };
  std::int64_t low = 0, high = report.runs;  // not refutes(low); refutes(high), or nothing does
  if (!refutes(high)) return std::nullopt;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (refutes(middle) ? high : low) = middle;
  }
  const double tested = static_cast<double>(high) / static_cast<double>(report.runs);
  return std::min(1.0, std::max(tested, 2 * kFirstSeen / static_cast<double>(std::max<std::int64_t>(1, search))));
}

Report likelihood(const Target& target, const std::vector<std::string>& names, const Effort& effort) {
  std::vector<TrainingRuns> training;  // of every pair, in their order; none where time was up
  const Effort search = of_search(target, names, effort);
  for (const Pair& pair : target.pairs) {
    training.push_back({sample(pair.draw_first, target.shape, search.search, search),
                        sample(pair.draw_second, target.shape, search.search, search)});
  }
  const std::vector<Bet> bets = likelihood_bets(target, names, training, effort);
  Report report = settle(target, "likelihood", bets, effort);
  report.rarest = rarest_found(report, fewest_runs(training));
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
