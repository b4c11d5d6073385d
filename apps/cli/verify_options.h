// Options that several parts of `dither verify` read.
#pragma once

#include <cstdint>
#include <optional>

#include "audit/promise.h"
#include "cli/arguments.h"

namespace dither::cli {

// --false-alarm, 0.001 when not given. Refuses what is outside (0, 1) (bad-probability).
double read_false_alarm(const Given& given);
// --seed. When not given 1, where recorded rows are chosen and the same files shall give the same answer; or a fresh
// one, where what one run does not try, another may.
std::uint64_t read_seed(const Given& given);
std::uint64_t fresh_seed(const Given& given);

// "50/1000": so many of so many.
struct Part {
  std::int64_t part = 0;
  std::int64_t whole = 0;
};
// Refuses    text without a slash (bad-argument), a whole outside 1..most, a part above the whole (bad-count); the
//            hint is for these.
Part read_part(const std::string& option, const std::string& text, Int128 most, const std::string& hint);

// --claim. Refuses its absence (bad-argument), and what reading it refuses.
audit::Promise read_claim(const Given& given);

// What an attack's results are held against.
struct AttackQuestion {
  std::optional<audit::Promise> claim;
  double claimed = 0;             // epsilon at `delta`, as the claim says; 0 without one
  std::optional<double> mu = {};  // of a claim of Gaussian DP
  double delta = 0;
  double false_alarm = 0;
};

// delta is --delta, or else that of the claim, or else 0.
// Refuses    a delta outside [0, 1] (bad-probability); a claim that says nothing at it, such as mu=1 at delta 0
//            (needs-delta); what reading the claim refuses.
AttackQuestion read_attack_question(const Given& given);

}  // namespace dither::cli
