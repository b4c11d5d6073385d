// Testers on the zoo: what each must catch, and what it must let pass.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "audit/report_check.h"
#include "audit/tester.h"
#include "audit/zoo/zoo.h"
#include "testing/seed.h"

namespace dither::audit::zoo {

inline bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// Runs that a test of every day has time for. Quieter bugs wait for the night.
inline constexpr std::int64_t kQuick = 400'000;

// A right one is called violated once in a million times. A broken one that is listed was caught every time at half of
// these runs when it was put on the list; the night repeats it with 20 seeds.
inline Effort effort_for(const Entry& one, std::uint64_t seed) {
  return {.search = one.search, .certify = one.certify, .false_alarm = 1e-6, .seed = seed};
}

inline bool lists(const Entry& one, std::string_view tester) {
  return std::find(one.caught_by.begin(), one.caught_by.end(), tester) != one.caught_by.end();
}

// By day some of them, chosen by the seed of the run; by night all.
inline std::vector<const Entry*> chosen(const std::vector<const Entry*>& from, std::size_t by_day) {
  std::vector<const Entry*> result;
  for (const Entry* one : from) {
    if (nightly() || one->certify <= kQuick) result.push_back(one);
  }
  if (nightly() || result.size() <= by_day) return result;
  const std::size_t first = testing::run_seed() % result.size();
  std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(first), result.end());
  result.resize(by_day);
  return result;
}

inline std::vector<const Entry*> caught_by(std::string_view tester) {
  std::vector<const Entry*> result;
  for (const Entry& one : all()) {
    if (lists(one, tester)) result.push_back(&one);
  }
  return result;
}

inline std::vector<const Entry*> right_ones() {
  std::vector<const Entry*> result;
  for (const Entry& one : all()) {
    if (!one.broken) result.push_back(&one);
  }
  return result;
}

// "dp_sniper" for "dp-sniper": what GoogleTest takes as a name.
inline std::string test_name(std::string_view tester) {
  std::string name(tester);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// A bound at delta 0 above the truth is wrong, whatever the verdict: with probability 10^-6 at most.
inline bool above_the_truth(const Report& report, const Entry& one) {
  return one.true_epsilon && report.delta == 0 && report.lower_bound > *one.true_epsilon;
}

inline void expect_catches(const Tester& tester, std::size_t by_day) {
  for (const Entry* one : chosen(caught_by(tester.name), by_day)) {
    const Target target = one->make();
    for (std::uint64_t seed = 0; seed < (nightly() ? 20U : 1U); ++seed) {
      const Report report = tester.test(target, effort_for(*one, testing::run_seed() + seed));
      EXPECT_EQ(report.verdict, Verdict::violated) << tester.name << " lets " << one->name << " pass, seed " << seed;
      EXPECT_EQ(check::contradiction(report), "") << tester.name << " on " << one->name;
      EXPECT_FALSE(above_the_truth(report, *one)) << tester.name << " on " << one->name << ": " << report.lower_bound;
    }
  }
}

inline void expect_lets_right_ones_pass(const Tester& tester, std::size_t by_day) {
  for (const Entry* one : chosen(right_ones(), by_day)) {
    const Report report = tester.test(one->make(), effort_for(*one, testing::run_seed()));
    EXPECT_EQ(report.verdict, Verdict::none_found) << tester.name << " on " << one->name;
    EXPECT_EQ(check::contradiction(report), "") << tester.name << " on " << one->name;
    EXPECT_FALSE(above_the_truth(report, *one)) << tester.name << " on " << one->name << ": " << report.lower_bound;
  }
}

}  // namespace dither::audit::zoo
