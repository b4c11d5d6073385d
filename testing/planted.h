// Samplers with a mistake in them. Each is caught by a test named Planted...IsCaught that judges the right sampler too.
#pragma once

#include <cstdint>
#include <span>

#include "base/int128.h"
#include "random/source.h"
#include "testing/tape.h"

namespace dither::planted {

// Discrete Laplace of scale 1 (the tail's cut and the rest as named), by tape.
Int128 half_scale(testing::Tape& tape);          // noise of scale 1/2
Int128 off_by_one_at_zero(testing::Tape& tape);  // |K| + 1 where it should be |K|
Int128 sign_bias(testing::Tape& tape);           // minus in 7 of 16 cases
Int128 double_zero(testing::Tape& tape);         // plus and minus zero both kept
Int128 truncated_tail(testing::Tape& tape);      // nothing beyond +-4
Int128 forgotten_residual(testing::Tape& tape);  // what the table leaves out is given to zero
Int128 shared_sign_bit(testing::Tape& tape);     // the sign is a bit that the table uses too

// One round of the discrete Laplace of scale 4 in cells of two, by tape; kInt128Max is a rejected round.
Int128 skipped_acceptance(testing::Tape& tape);  // every remainder kept
Int128 undecided_accepted(testing::Tape& tape);  // a close decision taken as a yes

// Discrete Gaussian with sigma = 2 that takes sigma for sigma^2, by tape.
Int128 sigma_for_sigma_squared(testing::Tape& tape);

// Discrete Laplace from a source, for statistical tests.
Int128 float_rounding(random::Source& source);        // scale 2^40, by the inverse cdf in single precision
Int128 five_percent_narrow(random::Source& source);   // scale 95 where 100 is wanted
Int128 value_dependent_work(random::Source& source);  // scale 10, counting up as long as the noise is large

// Bytes that repeat after 4,096: a block handed out twice.
void reused_block(std::span<std::uint8_t> out, random::Source& source);

// A stream kept in ordinary memory: a forked child goes on with its parent's bytes.
class UnforkableStream {
 public:
  explicit UnforkableStream(random::Source& source);
  std::uint64_t word();

 private:
  std::uint64_t words_[64];
  int next_ = 0;
};

}  // namespace dither::planted
