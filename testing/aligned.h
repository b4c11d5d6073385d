// Mechanisms written over values that know how far the neighbour's lie away: a proof by alignment, run.
//
// On the neighbouring input the same mechanism runs with the noise moved by a shift of our choice. Where every comparison
// falls out the same and every output is the same, the outputs are as likely but for e^(sum of |shift| / scale) (W-68). The
// ghost keeps both runs in one: a value, and how much more the other run has.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/int128.h"
#include "base/rational.h"
#include "random/discrete_laplace.h"
#include "random/source.h"

namespace dither::testing {

template <class T>
struct Aligned {
  T value{};
  T delta{};  // the neighbour's value less this one's

  friend Aligned operator+(const Aligned& a, const Aligned& b) { return {a.value + b.value, a.delta + b.delta}; }
  friend Aligned operator-(const Aligned& a, const Aligned& b) { return {a.value - b.value, a.delta - b.delta}; }
};

using AlignedNumber = Aligned<std::int64_t>;

// The noise of both runs, what the shifts cost, and whether the runs ever parted. Noise comes fresh from the source the
// first time; `again` starts over with the same noise, for shifts that depend on how the first run ended (each output has
// an alignment of its own, as in noisy max).
class Ghost {
 public:
  Ghost(const Rational& budget, random::Source& source) : budget_(budget), source_(source) {}

  // Discrete Laplace noise; `shift` says, from the noise, how far it is moved in the other run.
  AlignedNumber laplace(const Rational& scale, const std::function<std::int64_t(std::int64_t noise)>& shift) {
    if (next_ == noise_.size()) noise_.push_back(static_cast<std::int64_t>(random::discrete_laplace(scale, source_)));
    const std::int64_t noise = noise_[next_++];
    const std::int64_t moved = shift(noise);
    spent_ += Rational(moved < 0 ? -moved : moved) / scale;
    return {noise, moved};
  }
  AlignedNumber laplace(const Rational& scale, std::int64_t shift) {
    return laplace(scale, [shift](std::int64_t) { return shift; });
  }

  // A branch: both runs must take it or neither.
  bool at_least(const AlignedNumber& a, const AlignedNumber& b) {
    const bool here = a.value >= b.value;
    const bool there = a.value + a.delta >= b.value + b.delta;
    parted_ = parted_ || here != there;
    return here;
  }
  // An output: the same in both runs.
  std::int64_t release(const AlignedNumber& a) {
    parted_ = parted_ || a.delta != 0;
    return a.value;
  }

  void again() {
    next_ = 0;
    spent_ = 0;
    parted_ = false;
  }

  const Rational& spent() const { return spent_; }
  bool parted() const { return parted_; }
  bool holds() const { return !parted_ && spent_ <= budget_; }

 private:
  Rational budget_;
  random::Source& source_;
  std::vector<std::int64_t> noise_;
  std::size_t next_ = 0;
  Rational spent_ = 0;
  bool parted_ = false;
};

}  // namespace dither::testing
