// Drives a sampler with every string of bits, so that its law is computed instead of sampled.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "base/big_interval.h"
#include "base/int128.h"

namespace dither::testing {

// A source that plays given bits and, asked for more, throws how many it would have taken.
class Tape {
 public:
  struct End {
    int needed;  // length the tape would have to have
  };

  Tape(std::uint64_t bits, int length) : bits_(bits), length_(length) {}

  std::uint64_t bits(int count) {
    if (used_ + count > length_) throw End{used_ + count};
    used_ += count;
    const std::uint64_t mask = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    return (bits_ >> (length_ - used_)) & mask;
  }

 private:
  std::uint64_t bits_;  // the first bit is the highest of `length_`
  int length_;
  int used_ = 0;
};

// What a sampler returns over all tapes: exact masses on the scale 2^-depth.
struct TapeLaw {
  int depth = 0;
  std::map<Int128, std::uint64_t> resolved;  // mass of tapes that end in this outcome
  std::uint64_t unresolved = 0;              // mass of tapes that would need more than `depth` bits

  double unresolved_share() const;
};

// Runs the sampler on every tape of at most `depth` bits (depth <= 60). The number of runs is about 2^(bits of a round)
// times the rounds that are not decided at once, so keep the words small.
TapeLaw enumerate(const std::function<Int128(Tape&)>& draw, int depth);

// The probability of an outcome, as an interval of the given precision.
using Pmf = std::function<BigInterval(Int128 outcome, long precision_bits)>;

// Whether every outcome's exact probability lies in [resolved, resolved + unresolved], both for the outcomes seen and
// for all of [first, last]. No sampling: a correct sampler never fails it, and a wrong one fails it if it is wrong by
// more than the unresolved share.
bool follows(const TapeLaw& law, const Pmf& pmf, Int128 first, Int128 last);

}  // namespace dither::testing
