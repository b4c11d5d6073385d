// From what somebody's attack got right and wrong to an epsilon: the parts of `dither verify` that run nothing.
#pragma once

#include <functional>
#include <string>

#include "audit/attack_power.h"
#include "audit/report.h"
#include "cli/arguments.h"
#include "cli/verify_options.h"
#include "cli/verify_output.h"
#include "show/json.h"

namespace dither::cli {

struct AttackAnswer {
  std::string text;  // for people, or with --json for programs
  bool violated = false;
};

// --errors FP/N0 FN/N1: an attack on runs without and with a record, each its own (T-32 to T-34, T-36, T-37, T-41).
AttackAnswer verify_errors(const Given& given);
// --guesses RIGHT/GUESSED --canaries M: an attack on one run with many canaries (T-38; T-39 for a claim of mu).
AttackAnswer verify_guesses(const Given& given);
// --scores IN OUT: an attack's scores of runs with and without a record, one number a row (T-26, T-27, T-35).
//
// Refuses    no score at all (bad-count), a row that is no single number (bad-number), but for the same header in both.
AttackAnswer verify_scores(const Given& given);

// --channel FILE: a finite mechanism with its probabilities (audit/channel.h), examined rather than attacked: what it
// says has no false alarm (T-54, T-56).
//
// Refuses    what reading a channel refuses; more than 10^9 comparisons of probabilities (bad-count).
AttackAnswer verify_channel(const Given& given);
// NAME --write-channel FILE: that of an attack of ours that lists all probabilities. Refuses names of none or several of
// them (bad-argument).
void write_channel(const Given& given);

// What an attack has shown: epsilon at the question's delta is at least `lower`.
struct AttackBound {
  double lower = 0;
  double ceiling = 0;  // an attack without errors would have shown this
};

// Lines and members that all three have. `violated` is what the method at hand found.
void say_verdict(const AttackQuestion& question, bool violated, Facts& facts, show::Json& document);
void say_bound(const AttackQuestion& question, const AttackBound& bound, Facts& facts, show::Json& document);
// How likely runs like these were to refute the claim at 1.5 and 2 times as leaky, `if_so` being what this supposes of
// the attack; nothing without a claim.
void say_power(const AttackQuestion& question, const std::function<double(double times)>& power,
               const std::string& if_so, Facts& facts, show::Json& document);
// That of an attack with these errors.
void say_power_of_errors(const AttackQuestion& question, const audit::ErrorCounts& seen, const audit::UpperEnds& ends,
                         Facts& facts, show::Json& document);
// Claim and bound side by side, and what a gap means; nothing without a claim.
void say_both(const AttackQuestion& question, const AttackBound& bound, Facts& facts, show::Json& document);
// The corners of what the claim allows (audit/region.h), to be laid over a curve of hits against false alarms.
show::Json region_json(const AttackQuestion& question);
AttackAnswer attack_answer(const Given& given, const Facts& facts, const show::Json& document, bool violated);

std::string delta_text(double delta);  // "at delta 1e-05"

}  // namespace dither::cli
