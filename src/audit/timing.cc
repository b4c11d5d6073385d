#include "audit/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "base/error.h"

namespace dither::audit {

namespace {

void require_pairs(std::size_t first, std::size_t second, std::size_t least) {
  if (first == second && first >= least) return;
  throw Error{Code::bad_count,
              fmt::format("{} and {} times, but pairs of them are needed, {} or more", first, second, least),
              "take both times of a pair one after the other"};
}

// Both samples in one order, so that each exchange costs one pass.
class Merged {
 public:
  Merged(std::span<const double> first, std::span<const double> second)
      : pairs_(first.size()), order_(2 * first.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto value = [&](std::size_t i) { return i < pairs_ ? first[i] : second[i - pairs_]; };
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
    for (std::size_t i = 0; i < order_.size(); ++i) {
      ends_.push_back(i + 1 == order_.size() || value(order_[i]) != value(order_[i + 1]));
    }
  }

  // With some pairs exchanged.
  double distance(const std::vector<char>& exchanged) const {
    std::int64_t ahead = 0;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::size_t pair = order_[i] % pairs_;
      ahead += (order_[i] < pairs_) == (exchanged[pair] == 0) ? 1 : -1;
      if (ends_[i] != 0) most = std::max(most, std::abs(ahead));
    }
    return static_cast<double>(most) / static_cast<double>(pairs_);
  }

 private:
  std::size_t pairs_;
  std::vector<std::size_t> order_;  // below pairs_: of the first sample
  std::vector<char> ends_;          // the last of equal times
};

double linear(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx == 0 || yy == 0 ? 0 : xy / std::sqrt(xx * yy);
}

// How many pairs of neighbours in order are equal under `same`.
template <class Same>
double ties(std::size_t n, const Same& same) {
  double count = 0;
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && same(begin, end)) ++end;
    const auto size = static_cast<double>(end - begin);
    count += size * (size - 1) / 2;
    begin = end;
  }
  return count;
}

// Pairs that stand in the wrong order; sorts on the way.
double inversions(std::vector<double>& values, std::vector<double>& room, std::size_t begin, std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  double count = inversions(values, room, begin, middle) + inversions(values, room, middle, end);
  std::size_t i = begin;
  std::size_t j = middle;
  for (std::size_t k = begin; k < end; ++k) {
    const bool left = j == end || (i < middle && values[i] <= values[j]);
    if (!left) count += static_cast<double>(middle - i);
    room[k] = left ? values[i++] : values[j++];
  }
  std::copy(room.begin() + static_cast<std::ptrdiff_t>(begin), room.begin() + static_cast<std::ptrdiff_t>(end),
            values.begin() + static_cast<std::ptrdiff_t>(begin));
  return count;
}

// Knight's way: concordant less discordant pairs in n log n steps.
double kendall(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b]; });
  const double equal_x = ties(n, [&](std::size_t a, std::size_t b) { return x[order[a]] == x[order[b]]; });
  const double equal_both =
      ties(n, [&](std::size_t a, std::size_t b) { return x[order[a]] == x[order[b]] && y[order[a]] == y[order[b]]; });
  std::vector<double> values(n), room(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = y[order[i]];
  const double discordant = inversions(values, room, 0, n);
  const double equal_y = ties(n, [&](std::size_t a, std::size_t b) { return values[a] == values[b]; });
  const double all = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  return (all - equal_x - equal_y + equal_both - 2 * discordant) / all;
}

}  // namespace

TwoSampleTest paired_times(std::span<const double> first, std::span<const double> second, int swaps,
                           std::uint64_t seed) {
  require_pairs(first.size(), second.size(), 1);
  const Merged merged(first, second);
  std::vector<char> exchanged(first.size(), 0);
  TwoSampleTest test;
  test.distance = merged.distance(exchanged);
  std::mt19937_64 coins(seed);
  int as_far = 0;
  for (int i = 0; i < swaps; ++i) {
    for (char& one : exchanged) one = static_cast<char>(coins() >> 63);
    as_far += merged.distance(exchanged) >= test.distance ? 1 : 0;
  }
  test.p_value = (1.0 + as_far) / (1.0 + swaps);
  return test;
}

Correlation correlation(std::span<const double> times, std::span<const double> sizes, double false_alarm) {
  require_pairs(times.size(), sizes.size(), 2);
  if (!(false_alarm > 0 && false_alarm < 1)) {
    throw Error{Code::bad_probability, fmt::format("false alarm is {}, but must be above 0 and below 1", false_alarm),
                "give e.g. 0.01"};
  }
  const double rank = kendall(times, sizes);
  const double off = std::sqrt(2 * std::log(2 / false_alarm) / std::floor(static_cast<double>(times.size()) / 2));
  return {linear(times, sizes), rank, std::max(-1.0, rank - off), std::min(1.0, rank + off)};
}

}  // namespace dither::audit
