// Bins of a summary, fixed by training runs and counted on fresh ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/detail/summaries.h"
#include "audit/effort.h"
#include "audit/target.h"

namespace dither::audit::detail {

enum class BinRule {
  equal_share,       // about as many training runs in each
  freedman_diaconis  // of equal width 2 IQR / n^(1/3), as the stochastic tester has them (T-48)
};

// A partition of all outputs by one summary: a bin for each value where there are few values, otherwise intervals; of words
// a bin for each of the most frequent in training, and one for all others; and one bin each for absent, NaN and the
// infinities.
class OutputBins {
 public:
  OutputBins(Summary summary, const Outputs& first, const Outputs& second, std::size_t most, BinRule rule);

  std::size_t size() const { return kSpecial + edges_.size() + 1; }
  std::size_t of(std::span<const double> row) const;
  std::string name(std::size_t bin) const;
  const std::string& summary() const { return summary_.name; }

 private:
  static constexpr std::size_t kSpecial = 4;

  Summary summary_;
  // Bin i holds the values up to edges_[i] and above the one before; where `values_`, only those at it.
  std::vector<double> edges_;
  bool values_ = false;
};

struct BinCounts {
  std::vector<std::int64_t> hits;
  std::int64_t runs = 0;

  double share(std::size_t bin) const { return static_cast<double>(hits[bin]) / static_cast<double>(runs); }
  std::int64_t hits_of(const std::vector<bool>& chosen) const;
};

// The bins that tell: where one side's share is more than e^epsilon of the other's; where there are none, more than the
// other's.
std::vector<bool> telling(const BinCounts& likelier, const BinCounts& other, double epsilon);

BinCounts count(const Outputs& outputs, const OutputBins& bins);
// Of fresh runs, which are forgotten. May stop early at effort.deadline.
BinCounts count(const Draw& draw, const Shape& shape, const OutputBins& bins, std::int64_t runs, const Effort& effort);

}  // namespace dither::audit::detail
