#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "audit/detail/bins.h"
#include "audit/sampling.h"
#include "audit/stochastic.h"
#include "audit/tester.h"

namespace dither::audit {

namespace {

using Database = std::vector<double>;

constexpr std::size_t kMostSuspects = 2;
constexpr std::size_t kMostBins = 32;

std::vector<Database> spread_databases(const SmallAggregate& aggregate, int databases, std::uint64_t seed) {
  constexpr std::uint64_t kBases[] = {2, 3, 5};
  const double range = aggregate.high - aggregate.low;
  std::vector<Database> all;
  for (int i = 0; i < databases; ++i) {
    Database one;
    for (int row = 0; row < 1 + i % 3; ++row) {
      const double place = halton(static_cast<std::uint64_t>(i) + 1 + seed % 1024, kBases[row]);
      one.push_back(aggregate.low + range * (1.2 * place - 0.1));  // a sixth of them beyond the bounds
    }
    std::sort(one.begin(), one.end());
    all.push_back(std::move(one));
  }
  return all;
}

// Walks down from a database to its subsets, each once, and keeps their runs and the steps between them.
class Subsets {
 public:
  Subsets(const SmallAggregate& aggregate, const Effort& effort) : aggregate_(aggregate), effort_(effort) {}

  void visit(const Database& rows) {
    if (!runs_.contains(rows)) runs_.emplace(rows, sample(draw_of(rows), aggregate_.shape, effort_.search, effort_));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Database fewer = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!steps_.insert({rows, fewer}).second) continue;
      visit(fewer);
    }
  }

  // The steps whose histograms differ most, for their number of runs.
  std::vector<std::pair<Database, Database>> suspects() const {
    std::vector<std::pair<double, std::pair<Database, Database>>> ranked;
    for (const auto& step : steps_) ranked.emplace_back(-suspicion(runs_.at(step.first), runs_.at(step.second)), step);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::pair<Database, Database>> best;
    for (std::size_t i = 0; i < std::min(kMostSuspects, ranked.size()); ++i) best.push_back(ranked[i].second);
    return best;
  }

  Draw draw_of(const Database& rows) const {
    return [rows, draw = aggregate_.draw](Outputs& out, std::int64_t runs, random::Source& source) {
      draw(rows, out, runs, source);
    };
  }

 private:
  double suspicion(const Outputs& first, const Outputs& second) const {
    if (first.runs() == 0 || second.runs() == 0) return 0;
    const double grown = std::exp(aggregate_.promise.epsilons().front());
    double most = 0;
    for (std::size_t column = 0; column < aggregate_.shape.size(); ++column) {
      const detail::OutputBins bins(
          {"", aggregate_.shape[column], [column](std::span<const double> row) { return row[column]; }}, first, second,
          kMostBins, detail::BinRule::freedman_diaconis);
      const detail::BinCounts a = count(first, bins), b = count(second, bins);
      for (std::size_t i = 0; i < a.hits.size(); ++i) {
        const double p = a.share(i), q = b.share(i), runs = static_cast<double>(a.runs);
        const auto deviations = [&](double x, double y) {
          return (x - grown * y) / std::sqrt((x + grown * grown * y) / runs + 1 / runs / runs);
        };
        most = std::max({most, deviations(p, q), deviations(q, p)});
      }
    }
    return most;
  }

  const SmallAggregate& aggregate_;
  const Effort& effort_;
  std::map<Database, Outputs> runs_;
  std::set<std::pair<Database, Database>> steps_;
};

}  // namespace

double halton(std::uint64_t index, std::uint64_t base) {
  double result = 0;
  double digit = 1;
  for (; index > 0; index /= base) {
    digit /= static_cast<double>(base);
    result += digit * static_cast<double>(index % base);
  }
  return result;
}

Report stochastic_on_databases(const SmallAggregate& aggregate, int databases, const Effort& effort) {
  Subsets subsets(aggregate, effort);
  for (const Database& one : spread_databases(aggregate, databases, effort.seed)) subsets.visit(one);
  Target target{aggregate.name, aggregate.promise, aggregate.shape, {}};
  for (const auto& [more, fewer] : subsets.suspects()) {
    target.pairs.push_back({fmt::format("{{{}}}", fmt::join(more, ", ")), fmt::format("{{{}}}", fmt::join(fewer, ", ")),
                            subsets.draw_of(more), subsets.draw_of(fewer)});
  }
  return stochastic(target, effort);
}

}  // namespace dither::audit
