// Data that stands further apart than was paid for, under every attack on what is released.
#include <gtest/gtest.h>

#include "audit/attacks_check.h"

namespace dither::audit {
namespace {

// Half of them by day. Every one of them was found 9.5 or more standard errors beyond its promise, where 4.7 are
// enough: none lives with a probability above 1e-6.
// Spec: W-69
TEST(Attacks, PlantedViewsOfWiderDataAreCaught) {
  std::string alive;
  std::size_t number = 0;
  for (const Attack& attack : check::attacks_with({"stat-dp", "dp-sniper", "dp-sniper-bits"})) {
    if (!check::is_its_turn(number++)) continue;
    const Subject wider = testing::mutants_of(attack).back();  // the others: own_paths_test.cc
    alive += check::lives(attack, wider, 50'000);
  }
  EXPECT_EQ(alive, "");
}

}  // namespace
}  // namespace dither::audit
