// For tests of attacks: which of them, and how hard.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "audit/attack.h"
#include "audit/false_alarms_check.h"
#include "testing/mutants.h"
#include "testing/seed.h"

namespace dither::audit::check {

inline constexpr std::int64_t kMostSearch = 10'000;  // runs, by day

// As quick() in the night; else with so many runs at most that all of a test's attacks take some seconds. A right
// system is called violated with probability 0.001 at most in all tests together.
inline Effort effort_for(const Attack& attack, std::int64_t most) {
  Effort effort = quick(attack);
  effort.seed = testing::run_seed();
  if (nightly()) return effort;
  effort.looks = 1;
  if (attack.tester == "dp-sniper-bits") return effort;  // what bits show is rare
  effort.certify = std::min(effort.certify, most);
  effort.search = std::min({effort.search, most, kMostSearch});
  return effort;
}

// The attacks with one of these testers; of statements those that are, or are not.
inline std::vector<Attack> attacks_with(const std::vector<std::string>& testers, bool statements = false) {
  std::vector<Attack> found;
  for (const Attack& attack : all_attacks()) {
    const bool statement = attack.claim.starts_with("sql-");
    const bool wanted = std::find(testers.begin(), testers.end(), attack.tester) != testers.end();
    if (wanted && statement == statements) found.push_back(attack);
  }
  return found;
}

// Names of attacks that found a violation, and of those whose mutants lived.
inline std::string violated(const std::vector<Attack>& attacks, std::int64_t most) {
  std::string names;
  for (const Attack& attack : attacks) {
    const Report report = run(attack, effort_for(attack, most));
    if (report.verdict != Verdict::violated) continue;
    names += attack.name;
    if (report.witness)
      names += ": " + report.witness->event + ", on " + report.witness->first + " and " + report.witness->second;
    names += "\n";
  }
  return names;
}

// How this attack lets a mutant live: a line with the first seed for which it does; empty where it never does. By day a
// quarter of the runs first, which find most; by night with 20 seeds, but for what is worked out and draws nothing.
inline std::string lives(const Attack& attack, const Subject& mutant, std::int64_t most) {
  constexpr std::int64_t kMany = 4000;
  const auto dies = [&](const Effort& effort) { return run_on(attack, mutant, effort).verdict == Verdict::violated; };
  const bool in_two_steps = !nightly() && most >= kMany && attack.tester != "dp-sniper-bits";  // whose runs stay all
  if (in_two_steps && dies(effort_for(attack, most / 4))) return "";
  Effort effort = effort_for(attack, most);
  const int seeds = nightly() && attack.tester != "exact" ? 20 : 1;
  for (int i = 0; i < seeds; ++i, ++effort.seed) {
    const Report report = run_on(attack, mutant, effort);
    if (report.verdict == Verdict::violated) continue;
    return attack.name + ", seed " + std::to_string(effort.seed) + ", bound " + std::to_string(report.lower_bound) +
           " at " + (report.witness ? report.witness->event : "") + "\n";
  }
  return "";
}

// Whether the turn of this one is today: by day every other one, the seed says which; by night all.
inline bool is_its_turn(std::size_t number) { return nightly() || (number + testing::run_seed()) % 2 == 0; }

inline std::string survivors(const std::vector<Attack>& attacks, std::int64_t most) {
  std::string names;
  for (const Attack& attack : attacks) {
    int number = 0;
    for (const Subject& mutant : testing::mutants_of(attack)) {
      const std::string found = lives(attack, mutant, most);
      if (!found.empty()) names += "mutant " + std::to_string(number) + " of " + found;
      ++number;
    }
  }
  return names;
}

}  // namespace dither::audit::check
