#include "calculus/count_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"

namespace dither::calculus {

namespace {

// Where each value is counted: the place of its category, or the one behind all.
class Places {
 public:
  explicit Places(std::span<const std::int64_t> categories) : others_(categories.size()) {
    if (categories.empty()) throw Error{Code::bad_count, "a histogram has no categories", "list one or more"};
    const auto [least, greatest] = std::minmax_element(categories.begin(), categories.end());
    low_ = *least;
    const std::uint64_t width = static_cast<std::uint64_t>(*greatest) - static_cast<std::uint64_t>(low_);
    const bool dense = width < std::max<std::uint64_t>(kDense, 8 * categories.size());
    if (dense) table_.assign(width + 1, static_cast<std::uint32_t>(others_));
    for (std::size_t i = 0; i < categories.size(); ++i) {
      if (!(dense ? place(categories[i], i) : sparse_.emplace(categories[i], i).second)) {
        throw Error{Code::duplicate_key, "a category is listed twice", "list each category once"};
      }
    }
  }

  template <class Count>
  void count(std::span<const std::int64_t> values, Count&& at) const {
    if (table_.empty()) {
      for (const std::int64_t value : values) {
        const auto found = sparse_.find(value);
        at(found == sparse_.end() ? others_ : found->second);
      }
      return;
    }
    for (const std::int64_t value : values) {
      const std::uint64_t offset = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low_);
      at(offset < table_.size() ? table_[offset] : others_);
    }
  }

 private:
  static constexpr std::uint64_t kDense = 1 << 22;

  bool place(std::int64_t category, std::size_t i) {
    std::uint32_t& taken = table_[static_cast<std::uint64_t>(category) - static_cast<std::uint64_t>(low_)];
    if (taken != others_) return false;
    taken = static_cast<std::uint32_t>(i);
    return true;
  }

  std::size_t others_;
  std::int64_t low_;
  std::vector<std::uint32_t> table_;  // empty where categories lie too far apart
  std::unordered_map<std::int64_t, std::size_t> sparse_;
};

// The number of edges not above a value: a guess by the mean distance of edges, put right by looking at the edges.
class Buckets {
 public:
  explicit Buckets(std::span<const Rational> edges) {
    if (edges.empty()) throw Error{Code::bad_bounds, "there are no edges", "give one or more, ascending"};
    for (std::size_t i = 1; i < edges.size(); ++i) {
      if (edges[i - 1] < edges[i]) continue;
      throw Error{Code::bad_bounds, fmt::format("edge {} is not above the one before it", i + 1),
                  "give the edges in ascending order"};
    }
    for (const Rational& edge : edges) edges_.push_back(edge.to_double_up());
    const auto gaps = static_cast<double>(edges_.size() - 1);
    rate_ = gaps / (edges_.back() - edges_.front());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const double guess = (edges_[i] - edges_[0]) * rate_;
      even_ = even_ && std::isfinite(guess) && std::fabs(guess - static_cast<double>(i)) < 2;
    }
  }

  // Of a value that is not NaN.
  std::int64_t operator()(double value) const {
    if (!even_) return std::upper_bound(edges_.begin(), edges_.end(), value) - edges_.begin();
    const auto count = static_cast<std::int64_t>(edges_.size());
    const double guess = (value - edges_[0]) * rate_ + 1;
    std::int64_t at = guess < 0 ? 0 : guess >= static_cast<double>(count) ? count : static_cast<std::int64_t>(guess);
    while (at < count && edges_[static_cast<std::size_t>(at)] <= value) ++at;
    while (at > 0 && edges_[static_cast<std::size_t>(at - 1)] > value) --at;
    return at;
  }

 private:
  std::vector<double> edges_;
  double rate_ = 0;
  bool even_ = true;
};

}  // namespace

Integers count_values(std::span<const std::int64_t> values, std::span<const std::int64_t> categories, bool other) {
  const Places places(categories);
  std::vector<std::uint64_t> counts(categories.size() + 1);
  places.count(values, [&](std::size_t place) { ++counts[place]; });
  if (!other) counts.pop_back();
  return {counts.begin(), counts.end()};
}

Integers count_values(std::span<const double> values, std::span<const Rational> edges,
                      std::span<const std::int64_t> categories, bool other) {
  const Buckets bucket(edges);
  std::vector<std::int64_t> numbers(edges.size() + 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  std::vector<std::uint64_t> in(numbers.size());
  std::uint64_t missing = 0;
  for (const double value : values) std::isnan(value) ? ++missing : ++in[static_cast<std::size_t>(bucket(value))];

  const Places places(categories);
  Integers result(categories.size() + 1);
  std::size_t at = 0;
  places.count(numbers, [&](std::size_t place) { result[place] += static_cast<Int128>(in[at++]); });
  result.back() += static_cast<Int128>(missing);
  if (!other) result.pop_back();
  return result;
}

}  // namespace dither::calculus
