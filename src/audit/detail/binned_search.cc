#include "audit/detail/binned_search.h"

#include <fmt/format.h>

#include <cmath>

#include "audit/detail/columns.h"
#include "audit/detail/search_runs.h"

namespace dither::audit::detail {

namespace {

void look(const Target& target, std::size_t pair, std::int64_t runs, const Effort& effort, const BinChoice& choice,
          const Judge& judge, std::vector<std::string>& notes, std::optional<Finding>& best) {
  const Runs seen = draw_runs(target, pair, runs, effort);
  if (!seen.any()) return;
  if (never_varies(seen)) {
    notes.push_back(
        fmt::format("the output never varied on {} and {}", target.pairs[pair].first, target.pairs[pair].second));
  }
  for (Summary& summary : summaries(target, seen)) {
    const OutputBins bins(std::move(summary), seen.first, seen.second, choice.most, choice.rule);
    const BinCounts first = count(seen.first, bins), second = count(seen.second, bins);
    for (const bool swapped : {false, true}) {
      if (swapped && !choice.both_ways) break;
      const BinCounts& likelier = swapped ? second : first;
      const BinCounts& other = swapped ? first : second;
      const Hope hope = judge(likelier, other);
      if (!best || hope.worth > best->hope.worth) best = Finding{pair, swapped, bins, likelier, other, hope};
    }
  }
}

}  // namespace

std::optional<Finding> search_bins(const Target& target, const Effort& effort, const BinChoice& choice,
                                   const Judge& judge, std::vector<std::string>& notes) {
  const std::vector<std::size_t> pairs = promising_pairs(target, effort, [&](std::size_t pair, std::int64_t runs) {
    std::optional<Finding> found;
    std::vector<std::string> unheard;
    look(target, pair, runs, effort, choice, judge, unheard, found);
    return found ? found->hope.worth : -HUGE_VAL;
  });
  if (const auto note = quick_pairs(target)) notes.push_back(*note);
  if (const auto note = left_out_columns(target.shape, kMostColumns)) notes.push_back(*note);
  std::optional<Finding> best;
  for (const std::size_t pair : pairs) look(target, pair, effort.search, effort, choice, judge, notes, best);
  return best;
}

std::string_view why_nothing(const Target& target) {
  return target.pairs.empty() ? "there are no pairs of inputs: nothing was tested"
                              : "time was over: nothing was tested";
}

Sides sides(const Target& target, std::size_t pair, bool swapped) {
  const Pair& one = target.pairs[pair];
  if (swapped) return {one.draw_second, one.draw_first, one.second, one.first};
  return {one.draw_first, one.draw_second, one.first, one.second};
}

std::string describe(const OutputBins& bins, const std::vector<bool>& chosen) {
  constexpr int kMostNamed = 3;
  std::string text;
  int named = 0;
  for (std::size_t bin = 0; bin < chosen.size(); ++bin) {
    if (!chosen[bin]) continue;
    if (++named <= kMostNamed) text += (named == 1 ? "" : ", or ") + bins.name(bin);
  }
  if (named > kMostNamed) text += fmt::format(", or {} more", named - kMostNamed);
  return text;
}

}  // namespace dither::audit::detail
