// Bugs of what accounting prices and nobody here ships: the attack on the claim must find each.
#pragma once

#include <span>
#include <string_view>

#include "audit/view.h"

namespace dither::testing {

// A bug of what this attack looks at.
struct ViewBug {
  std::string_view attack;
  void (*plant)(audit::View& view);
};

// Samples that are not drawn, or of too many rows; batches that overlap or are cut at one; one coin for two
// rows; answers in the order of people; a fixed number of runs; steps without noise; one draw for all steps;
// a score's part of the budget forgotten, scores without noise; too few lies; a leak of three rows.
std::span<const ViewBug> simulated_bugs();

}  // namespace dither::testing
