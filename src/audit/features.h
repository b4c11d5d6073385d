// What a classifier sees of an output.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "audit/outputs.h"

namespace dither::audit {

// Which features to make besides those that are always there.
struct FeatureChoice {
  bool shapes = false;  // |z| and z^2 of a number
  bool atoms = false;   // a flag for each value of a number that many training runs share
  bool ramps =
      false;  // where a number lies between its medians on the two inputs, from 0 to 1: the loss of Laplace noise
  bool bits = false;  // the 64 bits of a number, and the place of the lowest bit of its fraction that is set
};

// Turns outputs into features, in a way that is fixed by training runs: a number becomes z = (number - median) / spread,
// with flags for absent, NaN and the infinities where training saw them; a word becomes a flag for each frequent word.
// Far out, z grows like a logarithm, so that one wild number does not rule the others; it stays in order, and finite.
//
// Cost       a few ns a number; visit allocates nothing.
// Spec       T-45 (flags for mixed outputs), T-52 (bits).
class Features {
 public:
  Features(const Outputs& first, const Outputs& second, const Shape& shape, const FeatureChoice& choice);

  std::size_t size() const { return size_; }

  // Calls sink(index, value) for the features of this output that are not 0, in no order.
  template <class Sink>
  void visit(std::span<const double> row, Sink&& sink) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      if (column.reading == Reading::number) visit_number(column, row[i], sink);
      if (!column.atoms.empty()) visit_atom(column, row[i], sink);
    }
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  struct Column {
    Reading reading = Reading::number;
    double centre = 0;
    double per_spread = 1;               // 1 / spread
    double ramp_from = 0, per_ramp = 0;  // the median on the first input; 1 / (that on the second less it)
    std::size_t z = kNone, shapes = kNone, ramp = kNone, bits = kNone;
    std::size_t absent = kNone, nan = kNone, plus_infinity = kNone, minus_infinity = kNone;
    std::vector<std::uint64_t> atoms = {};  // bits of the values, ascending
    std::size_t atoms_from = 0;
  };

  template <class Sink>
  static void visit_number(const Column& column, double number, Sink&& sink) {
    if (column.bits != kNone) visit_bits(column, number, sink);
    if (std::isfinite(number)) [[likely]] {
      double z = (number - column.centre) * column.per_spread;
      if (std::abs(z) > kFar) [[unlikely]] {
        const double far = std::min(std::abs(z), std::numeric_limits<double>::max());  // it may have overflowed
        z = std::copysign(kFar + std::log(far / kFar), z);
      }
      sink(column.z, z);
      if (column.ramp != kNone) sink(column.ramp, std::clamp((number - column.ramp_from) * column.per_ramp, 0.0, 1.0));
      if (column.shapes != kNone) {
        sink(column.shapes, std::abs(z));
        sink(column.shapes + 1, z * z);
      }
      return;
    }
    const std::size_t flag = is_absent(number)    ? column.absent
                             : std::isnan(number) ? column.nan
                             : number > 0         ? column.plus_infinity
                                                  : column.minus_infinity;
    if (flag != kNone) sink(flag, 1.0);
  }

  template <class Sink>
  static void visit_bits(const Column& column, double number, Sink&& sink) {
    if (is_absent(number)) return;
    std::uint64_t rest = bits_of(number);
    sink(column.bits + 64, lowest_bit_place(number));
    for (; rest != 0; rest &= rest - 1) sink(column.bits + static_cast<std::size_t>(__builtin_ctzll(rest)), 1.0);
  }

  template <class Sink>
  static void visit_atom(const Column& column, double cell, Sink&& sink) {
    const std::size_t at = place_of(column.atoms, bits_of(cell));
    if (at != kNone) sink(column.atoms_from + at, 1.0);
  }

  static std::uint64_t bits_of(double number);
  // In eighths above the lowest bit of numbers in [1, 2); 0 for 0 and what is not finite. A sum that was rounded on a grid
  // never has bits below the grid, whatever the noise: this one number shows it.
  static double lowest_bit_place(double number);
  static std::size_t place_of(const std::vector<std::uint64_t>& atoms, std::uint64_t bits);

  void learn_number(Column& column, const std::vector<double>& cells, const FeatureChoice& choice);
  void learn_ramp(Column& column, const Outputs& first, const Outputs& second, std::size_t at);
  void learn_atoms(Column& column, const std::vector<double>& cells, std::size_t most, double least_share);

  static constexpr double kFar = 50;
  std::vector<Column> columns_;
  std::size_t size_ = 0;
};

}  // namespace dither::audit
