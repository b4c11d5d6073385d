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
constexpr std::size_t kFew = 16;
constexpr std::size_t kOften = 8;    // a value that was seen so often has a fine bin of its own
constexpr std::size_t kInFine = 24;  // numbers in any other one
constexpr std::size_t kMostFine = 4000;

// Where fine bins begin; `all` ascends.
std::vector<double> fine_edges(const std::vector<double>& all) {
  const std::size_t often = std::max(kOften, all.size() / kMostFine);
  const std::size_t in_bin = std::max(kInFine, all.size() / kMostFine);
  std::vector<double> edges;
  std::size_t in_this = in_bin;  // a full one: the first value begins another
  for (std::size_t i = 0; i < all.size();) {
    const auto next = std::upper_bound(all.begin() + static_cast<std::ptrdiff_t>(i), all.end(), all[i]);
    const std::size_t size = static_cast<std::size_t>(next - all.begin()) - i;
    if (size >= often || in_this >= in_bin) {
      edges.push_back(all[i]);
      in_this = 0;
    }
    in_this = size >= often ? in_bin : in_this + size;
    i += size;
  }
  return edges;
}

}  // namespace

HistogramBins::HistogramBins(const std::vector<double>& a, const std::vector<double>& b, Binning binning)
    : words_(binning == Binning::words || binning == Binning::few_words) {
  const bool few = binning == Binning::few_words || binning == Binning::few_numbers;
  std::vector<double> all;
  for (const std::vector<double>* side : {&a, &b}) {
    std::copy_if(side->begin(), side->end(), std::back_inserter(all), [](double x) { return !std::isnan(x); });
  }
  if (words_) {
    edges_ = most_frequent(std::move(all), few ? kFew : kMostWords);
    return;
  }
  std::sort(all.begin(), all.end());
  if (binning == Binning::fine) {
    edges_ = fine_edges(all);
    return;
  }
  edges_ = all;
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  single_ = edges_.size() <= (few ? kFew : kMostValues);
  if (single_) return;
  edges_.clear();
  const std::size_t bins = few ? kFew : kQuantiles;
  for (std::size_t i = 0; i < bins; ++i) edges_.push_back(all[all.size() * i / bins]);
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

std::string HistogramBins::str(std::size_t bin, std::size_t last) const {
  if (bin == 0) return "absent";
  if (bin == 1) return "NaN";
  if (words_) return bin == 2 ? "another" : fmt::format("{}", edges_[bin - 3]);
  const bool to_the_end = last - 2 == edges_.size();
  if (bin == 2) return to_the_end ? "a number" : fmt::format("below {}", edges_[last - 2]);
  if (single_ && bin == last) return fmt::format("{}", edges_[bin - 3]);
  if (to_the_end) return fmt::format("at least {}", edges_[bin - 3]);
  return single_ ? fmt::format("from {} to {}", edges_[bin - 3], edges_[last - 3])
                 : fmt::format("in [{}, {})", edges_[bin - 3], edges_[last - 2]);
}

}  // namespace dither::audit::detail
