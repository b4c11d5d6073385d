// The tester for mechanisms that nobody knows anything about: histograms of everything an output shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/effort.h"
#include "audit/report.h"
#include "audit/settle.h"
#include "audit/target.h"

namespace dither::audit {

// Runs of both inputs of a pair, to search on. A pair with none of one of them is not searched.
struct TrainingRuns {
  Outputs first, second;
};

// Scores (likelihood_scores.h) are learnt on half of the training runs, cut where they promise most on the other half
// (T-35), and the best cuts of all pairs become bets: at most three that training foretells surely, and two on what is
// rare, of which training has seen a few. `names` are those of the columns.
std::vector<Bet> likelihood_bets(const Target& target, const std::vector<std::string>& names,
                                 const std::vector<TrainingRuns>& training, const Effort& effort);

// Searches all pairs on effort.search runs of each input, or fewer where these, or their scores, would take more than
// about half of the time until the deadline, and settles the bets on fresh ones.
//
// False alarm  that of settle(): no run is searched on and tested on.
Report likelihood(const Target& target, const std::vector<std::string>& names, const Effort& effort);

// Report::rarest, after a search on so many runs: what is seen twenty times in the half that learns is bet on, and what is
// seen so often in the test refutes the claim where the other input never shows it. A rule of thumb, for people.
std::optional<double> rarest_found(const Report& report, std::int64_t search);

// Whether every output was the same one, and there were some.
bool never_varied(const std::vector<TrainingRuns>& training);

}  // namespace dither::audit
