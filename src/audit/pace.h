// How much of an effort fits into its time.
#pragma once

#include "audit/effort.h"
#include "audit/target.h"

namespace dither::audit {

// Measures with some runs of the first pair how fast the target is, and takes search and test down to what fits before
// the deadline: the searches of all pairs into two fifths of the time, the test of one event into three tenths, so that
// the proof of another one has some left. At least 100 runs of each, and no more than asked for. Without a deadline as
// it was.
//
// Cost       up to a twentieth of the time, or one batch of 8 runs.
Effort paced(const Target& target, const Effort& effort);

}  // namespace dither::audit
