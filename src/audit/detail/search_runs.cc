#include "audit/detail/search_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/sampling.h"
#include "base/text.h"

namespace dither::audit::detail {

namespace {

constexpr std::int64_t kLeastQuick = 2000;

void best_first(std::vector<Suspicion>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Suspicion& a, const Suspicion& b) { return a.margin > b.margin; });
}

bool one_row(const Outputs& outputs, std::span<const double> row) {
  for (std::int64_t run = 0; run < outputs.runs(); ++run) {
    if (!same(outputs.row(run), row)) return false;
  }
  return true;
}

}  // namespace

Runs draw_runs(const Target& target, std::size_t pair, std::int64_t runs, const Effort& effort) {
  return {sample(target.pairs[pair].draw_first, target.shape, runs, effort),
          sample(target.pairs[pair].draw_second, target.shape, runs, effort)};
}

bool never_varies(const Runs& runs) {
  return runs.any() && one_row(runs.first, runs.first.row(0)) && one_row(runs.second, runs.second.row(0));
}

std::vector<std::size_t> promising_pairs(const Target& target, const Effort& effort, const Glance& worth) {
  const auto pairs = static_cast<std::int64_t>(target.pairs.size());
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < target.pairs.size(); ++i) all.push_back(i);
  if (all.size() <= kThoroughPairs) return all;
  const std::int64_t runs = std::min(effort.search, std::max(kLeastQuick, 2 * effort.search / pairs));
  std::vector<double> worths;
  for (const std::size_t pair : all) worths.push_back(worth(pair, runs));
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return worths[a] > worths[b]; });
  all.resize(kThoroughPairs);
  return all;
}

std::vector<std::size_t> promising_pairs_of(const Target& target, const Effort& effort, const Search& quick) {
  return promising_pairs(target, effort, [&](std::size_t pair, std::int64_t runs) {
    double most = -HUGE_VAL;
    for (const Suspicion& found : quick(pair, runs)) most = std::max(most, found.margin);
    return most;
  });
}

std::vector<Bet> search_pairs(const Target& target, const Effort& effort, const Search& quick, const Search& thorough) {
  std::vector<Suspicion> all;
  for (const std::size_t pair : promising_pairs_of(target, effort, quick)) {
    for (Suspicion& found : thorough(pair, effort.search)) all.push_back(std::move(found));
  }
  best_first(all);
  std::vector<Bet> bets;
  for (Suspicion& found : all) {
    if (bets.size() == 2 || (bets.size() == 1 && all.front().margin > 0)) break;
    bets.push_back(std::move(found.bet));
  }
  return bets;
}

std::optional<std::string> quick_pairs(const Target& target) {
  if (target.pairs.size() <= kThoroughPairs) return std::nullopt;
  return fmt::format("{} of {} pairs of inputs were searched thoroughly, the others had a quick look", kThoroughPairs,
                     target.pairs.size());
}

std::string cell_text(double cell, Reading reading, const Words& words) {
  if (is_absent(cell)) return "absent";
  if (std::isnan(cell)) return "NaN";
  const std::optional<std::string> word = reading == Reading::word ? words.text(cell) : std::nullopt;
  if (word) return '"' + echo(*word) + '"';
  return fmt::format("{:.17g}", cell);
}

}  // namespace dither::audit::detail
