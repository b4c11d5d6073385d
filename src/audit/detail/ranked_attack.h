// Attacks by a ranking of outputs: train it, cut it, bet on what lies above. Private to the room.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/detail/search_runs.h"
#include "audit/features.h"
#include "audit/report.h"

namespace dither::audit::detail {

// Orders outputs by how much they speak for the first input: the highest most.
struct Ranking {
  std::string description;  // of the score, "the score of a logistic classifier", or of minus the score: "the number"
  std::function<double(std::span<const double> row)> score;  // never NaN
  bool describes_minus = false;
};

// Rankings learnt from training runs.
using Ranker = std::function<std::vector<Ranking>(const Runs& training, const Shape& shape, std::uint64_t seed)>;

// The scores of all outputs.
std::vector<double> scores_of(const Outputs& outputs, const Ranking& ranking);

// The outputs whose score is at least the threshold.
AttackSet set_above(const Ranking& ranking, double threshold);
// High scores become low ones.
Ranking opposite(const Ranking& ranking);

// Logistic classifiers on plain features, and on shapes and atoms besides: where that helps, its cuts promise more.
std::vector<Ranking> rank_by_logistic(const Runs& training, const Shape& shape, std::uint64_t seed);

// A tester: half of the runs of a search train, the other half say where to cut (best_cut); settle decides on fresh runs.
Report attack_by_ranking(const Target& target, const Effort& effort, std::string_view tester, const Ranker& quick,
                         const Ranker& thorough);

}  // namespace dither::audit::detail
