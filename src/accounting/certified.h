// Numbers with a proof and numbers without one, as different types.
#pragma once

#include <optional>
#include <string>

namespace dither::accounting {

// A proven bound: the exact value is at most `upper` and, where a lower bound is known, at least `lower`. Only a
// theorem makes one; there is no way from an Estimate to it (A-19, Part E item 1).
struct Certified {
  double upper;
  std::optional<double> lower;
  std::string theorem;
};

// A number that no theorem bounds, such as one from a central limit theorem. It may lie on either side of the truth by
// any amount and is only ever shown as an estimate.
struct Estimate {
  double value;
  std::string method;
};

}  // namespace dither::accounting
