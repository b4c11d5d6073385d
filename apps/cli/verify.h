// The parts of `dither verify`, each in its own file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/report.h"
#include "base/progress.h"
#include "cli/arguments.h"

namespace dither::cli {

// One attack as it went: what was expected of planted mechanisms, and what was found.
struct Verified {
  audit::Report report;
  std::string claim;                // "" where none of ours was attacked
  bool expected_violation = false;  // of a planted one
  // What chose inputs, events and classifiers, where it is one for all attacks on our own.
  std::optional<std::uint64_t> seed = {};
};

// How far a list of attacks is.
using Step = std::function<void(std::size_t done, std::size_t all)>;

// All attacks on all claims, or those on NAME: a claim, an attack, or a planted "zoo." mechanism.
//
// Seeds      --seed, or a fresh one: what one run does not try, another may.
// Refuses    a name that is none (unknown-mechanism).
std::vector<Verified> verify_claims(const Given& given, const CancelToken& token, const Step& step);

// The planted mechanisms, each by a tester that must catch it, and their right twins by the same. Seeds as above.
std::vector<Verified> verify_planted(const Given& given, const CancelToken& token, const Step& step);

// --outputs, --command: one report for each tester.
std::vector<Verified> verify_outputs(const Given& given, const CancelToken& token);
std::vector<Verified> verify_command(const Given& given, const CancelToken& token);

// --timing: a page of numbers, which are no verdicts.
std::string verify_timing(const Given& given, const CancelToken& token, const Step& step);

}  // namespace dither::cli
