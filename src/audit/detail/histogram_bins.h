// HistogramBins of a number or a word, chosen from what was seen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dither::audit::detail {

// Bin 0 holds what is absent, 1 NaN, 2 words that were not seen or were rare, or numbers below all that were; the others
// follow: of words the 10000 most frequent.
class HistogramBins {
 public:
  HistogramBins(const std::vector<double>& a, const std::vector<double>& b, bool words);

  std::size_t count() const { return edges_.size() + 3; }
  std::size_t of(double x) const;
  std::string str(std::size_t bin) const;             // "absent", "NaN", "below 2", "3", "in [2, 3)"
  std::optional<double> word(std::size_t bin) const;  // the code, of bins of words

 private:
  std::vector<double> edges_;  // where each bin from 3 on begins
  bool single_ = false;        // each bin has been seen with one value only
  bool words_;
};

}  // namespace dither::audit::detail
