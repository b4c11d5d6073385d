// The runs that searching testers search on, and what they share. Private to the room.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/effort.h"
#include "audit/settle.h"
#include "audit/target.h"

namespace dither::audit::detail {

// Outputs of both inputs of a pair; the test draws its own (T-35).
struct Runs {
  Outputs first, second;
  bool any() const { return first.runs() > 0 && second.runs() > 0; }
};
Runs draw_runs(const Target& target, std::size_t pair, std::int64_t runs, const Effort& effort);

// Whether every one of these outputs is the same: then there is no noise, or it is never seen.
bool never_varies(const Runs& runs);

// A suspicion: a bet, and by how much its bound is expected to exceed the promise.
struct Suspicion {
  Bet bet;
  double margin = 0;
};

// Finds suspicions on one pair, with so many runs of each input at most.
using Search = std::function<std::vector<Suspicion>(std::size_t pair, std::int64_t runs)>;

// The pairs worth a thorough search: all of them, or the best two after a quick look at each, which says what the pair is
// worth; together those looks take about as many runs as two searches.
using Glance = std::function<double(std::size_t pair, std::int64_t runs)>;
std::vector<std::size_t> promising_pairs(const Target& target, const Effort& effort, const Glance& worth);
// The same by the best suspicion of a search.
std::vector<std::size_t> promising_pairs_of(const Target& target, const Effort& effort, const Search& quick);

// Looks at every pair with few runs, then at the best two with all of effort.search, and says what to bet on: the best
// suspicion, and the second where the best expects nothing, best first. One bet has all of the alarm to itself.
std::vector<Bet> search_pairs(const Target& target, const Effort& effort, const Search& quick, const Search& thorough);

constexpr std::size_t kThoroughPairs = 2;
// What to say where pairs had a quick look only; nothing when all were searched.
std::optional<std::string> quick_pairs(const Target& target);

// A cell as people read it; words by name.
std::string cell_text(double cell, Reading reading, const Words& words);

}  // namespace dither::audit::detail
