#include "audit/law.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "random/source.h"
#include "stats/binomial.h"
#include "stats/multinomial.h"

namespace dither::audit {

namespace {

constexpr double kSumError = 1e-11;  // of the probabilities' sum

struct Cells {
  std::vector<double> probabilities;  // of low .. high, and of the rest
  std::vector<std::int64_t> counts;
  std::int64_t draws = 0;
};

Cells cells_of(const SampledLaw& law) {
  Cells cells;
  double sum = 0;
  for (std::int64_t k = law.low; k <= law.high; ++k) {
    cells.probabilities.push_back(law.probability(k));
    sum += cells.probabilities.back();
  }
  cells.probabilities.push_back(std::max(1 - sum, 0.0) + kSumError);
  cells.counts.resize(cells.probabilities.size());
  return cells;
}

void draw(const SampledLaw& law, const Effort& effort, Cells& cells) {
  constexpr std::int64_t kBlock = 1 << 13;
  std::vector<std::int64_t> block(kBlock);
  const auto late = [&] { return effort.deadline && std::chrono::steady_clock::now() >= *effort.deadline; };
  while (cells.draws < effort.certify && !late()) {
    effort.cancel.check();
    const std::span some(block.data(), static_cast<std::size_t>(std::min(kBlock, effort.certify - cells.draws)));
    law.fill(some, random::Source::this_thread());
    for (const std::int64_t k : some) {
      ++cells.counts[k < law.low || k > law.high ? cells.counts.size() - 1 : static_cast<std::size_t>(k - law.low)];
    }
    cells.draws += static_cast<std::int64_t>(some.size());
  }
}

// The log of the smaller tail of a cell's count.
double log_tail(const Cells& cells, std::size_t i) {
  return std::min(stats::binomial_log_lower(cells.counts[i], cells.draws, cells.probabilities[i]),
                  stats::binomial_log_upper(cells.counts[i], cells.draws, cells.probabilities[i]));
}

bool entropy_is_off(const Cells& cells, double alarm) {
  const double divergence = stats::multinomial_divergence(cells.counts, cells.probabilities);
  return stats::divergence_log_tail_bound(divergence, static_cast<std::int64_t>(cells.counts.size())) < std::log(alarm);
}

bool l2_is_off(const Cells& cells, double alarm) {
  double distance = 0;
  double squares = 0;
  const auto draws = static_cast<double>(cells.draws);
  for (std::size_t i = 0; i < cells.counts.size(); ++i) {
    const double off = static_cast<double>(cells.counts[i]) / draws - cells.probabilities[i];
    distance += off * off;
    squares += cells.probabilities[i] * cells.probabilities[i];
  }
  return std::sqrt(distance) > std::sqrt(std::max(0.0, 1 - squares) / draws) + std::sqrt(-std::log(alarm) / draws);
}

Witness witness_of(const SampledLaw& law, const Cells& cells, std::size_t i) {
  const bool rest = i + 1 == cells.counts.size();
  Witness witness;
  witness.first = "what is drawn";
  witness.second = "the law";
  witness.event = rest ? fmt::format("an outcome outside {} to {}", law.low, law.high)
                       : fmt::format("the outcome {}", law.low + static_cast<std::int64_t>(i));
  witness.runs_first = witness.runs_second = cells.draws;
  witness.hits_first = cells.counts[i];
  witness.hits_second = std::llround(cells.probabilities[i] * static_cast<double>(cells.draws));
  witness.least_first = static_cast<double>(cells.counts[i]) / static_cast<double>(cells.draws);
  witness.most_second = cells.probabilities[i];
  return witness;
}

}  // namespace

Report check_law(const SampledLaw& law, const Effort& effort) {
  const auto start = std::chrono::steady_clock::now();
  Report report;
  report.target = law.name;
  report.tester = "law";
  report.false_alarm = effort.false_alarm;
  Cells cells = cells_of(law);
  draw(law, effort, cells);
  report.runs = cells.draws;
  if (cells.draws > 0) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < cells.counts.size(); ++i) {
      if (log_tail(cells, i) < log_tail(cells, worst)) worst = i;
    }
    const double share = effort.false_alarm / 3;
    const double cell = share / (2 * static_cast<double>(cells.counts.size()));
    const bool off = log_tail(cells, worst) < std::log(cell) || entropy_is_off(cells, share) || l2_is_off(cells, share);
    report.verdict = off ? Verdict::violated : Verdict::none_found;
    report.witness = witness_of(law, cells, worst);
  }
  report.notes.emplace_back("the histogram of draws against the exact law; no epsilon is tested here");
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace dither::audit
