#include "audit/detail/histogram_bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/detail/frequent.h"
#include "audit/outputs.h"

namespace dither::audit::detail {

namespace {

constexpr std::size_t kMostValues = 200;
constexpr std::size_t kMostWords = 10'000;
constexpr std::size_t kQuantiles = 64;

}  // namespace

HistogramBins::HistogramBins(const std::vector<double>& a, const std::vector<double>& b, bool words) : words_(words) {
  std::vector<double> all;
  for (const std::vector<double>* side : {&a, &b}) {
    std::copy_if(side->begin(), side->end(), std::back_inserter(all), [](double x) { return !std::isnan(x); });
  }
  if (words) {
    edges_ = most_frequent(std::move(all), kMostWords);
    return;
  }
  std::sort(all.begin(), all.end());
  edges_ = all;
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  single_ = edges_.size() <= kMostValues;
  if (single_) return;
  edges_.clear();
  for (std::size_t i = 0; i < kQuantiles; ++i) edges_.push_back(all[all.size() * i / kQuantiles]);
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

std::size_t HistogramBins::of(double x) const {
  if (is_absent(x)) return 0;
  if (std::isnan(x)) return 1;
  const auto above = std::upper_bound(edges_.begin(), edges_.end(), x);
  if (words_ && (above == edges_.begin() || *(above - 1) != x)) return 2;
  return 2 + static_cast<std::size_t>(above - edges_.begin());
}

std::optional<double> HistogramBins::word(std::size_t bin) const {
  if (!words_ || bin < 3) return std::nullopt;
  return edges_[bin - 3];
}

std::string HistogramBins::str(std::size_t bin) const {
  if (bin == 0) return "absent";
  if (bin == 1) return "NaN";
  if (bin == 2) return words_ || edges_.empty() ? "another" : fmt::format("below {}", edges_.front());
  if (words_ || single_) return fmt::format("{}", edges_[bin - 3]);
  if (bin - 2 == edges_.size()) return fmt::format("at least {}", edges_.back());
  return fmt::format("in [{}, {})", edges_[bin - 3], edges_[bin - 2]);
}

}  // namespace dither::audit::detail
