// Somebody else's mechanism, however it is run: a program, a function of another language.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/effort.h"
#include "audit/patterns.h"
#include "audit/report.h"
#include "audit/run_value.h"
#include "audit/target.h"

namespace dither::audit {

// An input in words, and what runs the mechanism on it: fewer runs than asked for when time is up. Several threads may
// draw at once.
struct ForeignInput {
  std::string words;
  std::function<std::vector<RunValue>(std::int64_t runs)> draw;
};
struct ForeignPair {
  ForeignInput first, second;
};

// All runs so far, and those that failed, with the status of the first of these.
struct Tally {
  std::int64_t runs = 0, failed = 0;
  std::string first_failure = {};
  void see(const std::vector<RunValue>& values);
};

// How many runs to ask for at once: 8 at first; more while a batch takes less than a quarter of a second, 10000 at
// most; fewer again when one takes more than a second.
class BatchSize {
 public:
  std::int64_t runs() const { return runs_; }
  void took(std::chrono::steady_clock::duration time);

 private:
  std::int64_t runs_ = 8;
};

// Where inputs are vectors that may be searched: the mechanism on any of them, and where to start.
struct InputSearch {
  VectorMechanism mechanism;
  std::vector<InputPair> starts;
  InputRules rules;
};

// A mechanism whose columns are known.
struct LearntTarget {
  Target target;
  std::vector<std::string> names;                    // of the columns
  std::function<Draw(const ForeignInput&)> draw_of;  // of other inputs, with the same columns
  std::optional<InputSearch> search = std::nullopt;  // for testers that search inputs: dp-finder
};

// A target on these pairs. Its columns are learnt from some first runs of the first pairs, for which about a tenth of
// the time until the deadline is taken, so that later runs fit.
//
// Refuses    a mechanism that fails in each of ten runs of both inputs of the first pair, by calling `refuse`, which
//            throws, with how the first one failed: that tells something about it, and nothing about privacy.
LearntTarget learn_target(const std::string& name, const std::vector<ForeignPair>& pairs, const Promise& promise,
                          const std::optional<std::chrono::steady_clock::time_point>& deadline,
                          const std::function<void(const std::string& status)>& refuse);

// Tests with so many runs of each input, searches with a quarter of them (a million at most), until the time is over.
Effort foreign_effort(std::int64_t runs, std::chrono::milliseconds time);

// The testers that a name stands for: "likelihood", one of tester.h, or "all"; bad-argument for others.
std::vector<std::string> testers_named(const std::string& name);

// One report for each tester, with as many runs as fit into its part of the time, which the report says. The effort
// has a deadline, and its false alarm is that of each tester.
std::vector<Report> test_foreign(const LearntTarget& learnt, const std::vector<std::string>& testers,
                                 const Effort& effort);

// Says in every report how many runs failed, if any did.
void note_failures(const Tally& tally, std::vector<Report>& reports);

}  // namespace dither::audit
