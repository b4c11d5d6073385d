// HistogramBins of a number or a word, chosen from what was seen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dither::audit::detail {

// What the bins are made from: words the 10000 most frequent; numbers up to 200 values, else 64 bins of equal counts.
// Fine ones hold the values that were seen often, each for itself, and between them a few numbers each: rare outputs. Few
// are 16 of words, or of numbers.
enum class Binning { words, numbers, fine, few_words, few_numbers };

// Bin 0 holds what is absent, 1 NaN, 2 words that were not seen or were rare, or numbers below all that were; the others
// follow.
class HistogramBins {
 public:
  HistogramBins(const std::vector<double>& a, const std::vector<double>& b, Binning binning);

  std::size_t count() const { return edges_.size() + 3; }
  bool is_exact() const { return words_ || single_; }  // each bin is one value
  std::size_t of(double x) const;
  // "absent", "NaN", "below 2", "3"; of several neighbours, up to the second: "in [2, 5)", "from 2 to 4", "at least 2".
  std::string str(std::size_t bin, std::size_t last) const;
  // Whether two neighbours may be told as one interval.
  bool are_one(std::size_t bin) const { return !words_ && bin >= 2 && bin + 1 < count(); }
  std::optional<double> word(std::size_t bin) const;  // the code, of bins of words

 private:
  std::vector<double> edges_;  // where each bin from 3 on begins
  bool single_ = false;        // each bin has been seen with one value only
  bool words_;
};

}  // namespace dither::audit::detail
