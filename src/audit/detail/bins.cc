#include "audit/detail/bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/detail/blocks.h"
#include "audit/detail/frequent.h"
#include "audit/detail/search_runs.h"

namespace dither::audit::detail {

namespace {

std::vector<double> finite_values(const Summary& summary, const Outputs& first, const Outputs& second) {
  std::vector<double> all;
  for (const Outputs* outputs : {&first, &second}) {
    for (std::int64_t run = 0; run < outputs->runs(); ++run) {
      const double value = summary.of(outputs->row(run));
      if (std::isfinite(value)) all.push_back(value);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Equal numbers of training runs; a value that many share gets a bin of its own.
std::vector<double> equal_share(const std::vector<double>& sorted, std::size_t most) {
  std::vector<double> edges;
  for (std::size_t i = 1; i < most; ++i) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() * i / most);
    const auto below = std::lower_bound(sorted.begin(), at, *at);  // where this value begins
    if (below != sorted.begin()) edges.push_back(*(below - 1));
    edges.push_back(*at);
  }
  return edges;
}

std::vector<double> equal_width(const std::vector<double>& sorted, std::size_t most) {
  const std::size_t n = sorted.size();
  const double spread = sorted[3 * n / 4] - sorted[n / 4];
  const double range = sorted.back() - sorted.front();
  double width = 2 * spread / std::cbrt(static_cast<double>(n));
  width = std::max(width, range / static_cast<double>(most));
  std::vector<double> edges;
  for (std::size_t i = 1; i < most && width > 0 && std::isfinite(range); ++i) {
    const double edge = sorted.front() + static_cast<double>(i) * width;
    if (edge >= sorted.back()) break;
    edges.push_back(edge);
  }
  return edges;
}

}  // namespace

OutputBins::OutputBins(Summary summary, const Outputs& first, const Outputs& second, std::size_t most, BinRule rule)
    : summary_(std::move(summary)) {
  const std::vector<double> sorted = finite_values(summary_, first, second);
  if (sorted.empty()) return;
  if (summary_.reading == Reading::word) {
    values_ = true;
    edges_ = most_frequent(sorted, most);
    return;
  }
  std::vector<double> distinct = sorted;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  values_ = distinct.size() <= most;
  edges_ = values_                        ? std::move(distinct)
           : rule == BinRule::equal_share ? equal_share(sorted, most)
                                          : equal_width(sorted, most);
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

std::size_t OutputBins::of(std::span<const double> row) const {
  const double value = summary_.of(row);
  if (!std::isfinite(value)) return is_absent(value) ? 0 : std::isnan(value) ? 1 : value > 0 ? 2 : 3;
  const auto at = std::lower_bound(edges_.begin(), edges_.end(), value);
  if (values_ && (at == edges_.end() || *at != value))
    return kSpecial + edges_.size();  // a value that training never saw, or a rare word
  return kSpecial + static_cast<std::size_t>(at - edges_.begin());
}

std::string OutputBins::name(std::size_t bin) const {
  constexpr const char* kSpecialNames[] = {"absent", "NaN", "infinite", "minus infinite"};
  if (bin < kSpecial) return fmt::format("{} is {}", summary_.name, kSpecialNames[bin]);
  const std::size_t i = bin - kSpecial;
  if (values_ && i == edges_.size())
    return summary_.name + (summary_.reading == Reading::word ? " is another" : " is new");
  if (values_) return fmt::format("{} is {}", summary_.name, cell_text(edges_[i], summary_.reading, summary_.words));
  if (edges_.empty()) return summary_.name + " is finite";
  if (i == 0) return fmt::format("{} is at most {:.6g}", summary_.name, edges_[0]);
  if (i == edges_.size()) return fmt::format("{} is above {:.6g}", summary_.name, edges_.back());
  return fmt::format("{} is above {:.6g} and at most {:.6g}", summary_.name, edges_[i - 1], edges_[i]);
}

std::int64_t BinCounts::hits_of(const std::vector<bool>& chosen) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) sum += chosen[i] ? hits[i] : 0;
  return sum;
}

std::vector<bool> telling(const BinCounts& likelier, const BinCounts& other, double epsilon) {
  std::vector<bool> chosen(likelier.hits.size());
  const auto choose = [&](double times) {
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = likelier.share(i) > times * other.share(i);
    return std::find(chosen.begin(), chosen.end(), true) != chosen.end();
  };
  if (!choose(std::exp(epsilon))) choose(1);
  return chosen;
}

BinCounts count(const Outputs& outputs, const OutputBins& bins) {
  BinCounts counts{std::vector<std::int64_t>(bins.size()), outputs.runs()};
  for (std::int64_t run = 0; run < outputs.runs(); ++run) ++counts.hits[bins.of(outputs.row(run))];
  return counts;
}

BinCounts count(const Draw& draw, const Shape& shape, const OutputBins& bins, std::int64_t runs, const Effort& effort) {
  BinCounts all{std::vector<std::int64_t>(bins.size())};
  for_fresh_blocks(draw, shape, runs, effort, [&](const Outputs& block) {
    const BinCounts more = count(block, bins);
    for (std::size_t i = 0; i < all.hits.size(); ++i) all.hits[i] += more.hits[i];
    all.runs += more.runs;
  });
  return all;
}

}  // namespace dither::audit::detail
