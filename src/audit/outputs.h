// What a mechanism said, run after run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dither::audit {

// How a column of outputs is read: a number, or the code of a word (a key, a text, an error), whose order means nothing.
enum class Reading { number, word };

// The columns of every output of a mechanism. An output that is shorter than the others ends in absent() cells.
using Shape = std::vector<Reading>;

// What stands where an output has nothing: a NaN of its own, so that it differs from a NaN that the mechanism said.
double absent();
bool is_absent(double cell);

// Rows of equal width, one for each run.
class Outputs {
 public:
  explicit Outputs(std::size_t width) : width_(width) {}

  std::size_t width() const { return width_; }
  std::int64_t runs() const { return width_ == 0 ? 0 : static_cast<std::int64_t>(cells_.size() / width_); }
  std::span<const double> row(std::int64_t run) const {
    return {cells_.data() + static_cast<std::size_t>(run) * width_, width_};
  }
  // So many new rows, all absent, to be filled in: cells row by row.
  std::span<double> add(std::int64_t runs);
  void append(const Outputs& more);  // of the same width
  void clear() { cells_.clear(); }

 private:
  std::size_t width_;
  std::vector<double> cells_;
};

// Whether two outputs are the same to everybody: equal bits of every cell.
bool same(std::span<const double> a, std::span<const double> b);

}  // namespace dither::audit
