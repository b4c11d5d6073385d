#include "stats/detail/require.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace dither::stats::detail {

namespace {

constexpr std::int64_t kMaxTrials = 1'000'000'000'000;

}  // namespace

void require_trials(std::int64_t n) {
  if (n >= 1 && n <= kMaxTrials) return;
  throw Error{Code::bad_count, fmt::format("the number of trials is {}, but it must lie in 1..10^12", n),
              "give the number of trials that were made"};
}

void require_hits(std::int64_t hits, std::int64_t n) {
  if (hits >= 0 && hits <= n) return;
  throw Error{Code::bad_count, fmt::format("the number of hits is {}, but it must lie in 0..{}", hits, n),
              "count each trial at most once"};
}

void require_probability(const char* name, double value) {
  if (value >= 0 && value <= 1) return;
  throw Error{Code::bad_probability, fmt::format("{} is {}, but it must lie in [0, 1]", name, value),
              "give a probability, not a percentage"};
}

void require_open_probability(const char* name, double value) {
  if (value > 0 && value < 1) return;
  throw Error{Code::bad_probability, fmt::format("{} is {}, but it must lie in (0, 1)", name, value),
              "give a probability strictly between 0 and 1"};
}

void require_between(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;
  throw Error{Code::out_of_range, fmt::format("{} is {}, but it must lie in [{}, {}]", name, value, low, high),
              fmt::format("give a {} inside that range", name)};
}

std::int64_t require_cells(std::span<const std::int64_t> counts, std::span<const double> probabilities) {
  if (counts.size() < 2 || counts.size() != probabilities.size()) {
    throw Error{Code::bad_count,
                fmt::format("{} counts stand beside {} probabilities, but both must be the same number, 2 or more",
                            counts.size(), probabilities.size()),
                "give one probability for each cell"};
  }
  std::int64_t n = 0;
  for (const std::int64_t count : counts) {
    require_hits(count, kMaxTrials);
    n += count;
    if (n > kMaxTrials) break;  // before the sum can overflow; refused below
  }
  require_trials(n);
  double total = 0;
  for (const double p : probabilities) {
    require_probability("the probability of a cell", p);
    total += p;
  }
  if (std::abs(total - 1) > 1e-9) {
    throw Error{Code::bad_probability, fmt::format("the cells' probabilities sum to {}, but it must be 1", total),
                "add a cell for everything else"};
  }
  return n;
}

}  // namespace dither::stats::detail
