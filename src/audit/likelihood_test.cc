#include "audit/likelihood.h"

#include "audit/searching_check.h"

namespace dither::audit {
namespace {

Report with_names(const Target& target, const Effort& effort) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < target.shape.size(); ++i) names.push_back("cell " + std::to_string(i + 1));
  return likelihood(target, names, effort);
}

// Spec: T-35
TEST(Likelihood, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(with_names); }

// Spec: W-69
TEST(Likelihood, TellsBrokenFromRight) { check::expect_tells_twins(with_names, {}); }

}  // namespace
}  // namespace dither::audit
