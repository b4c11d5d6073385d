#include "audit/tester.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"

namespace dither::audit {

namespace {

constexpr Tester kTesters[] = {
    {"stat-dp", "events and summaries, counts thinned to the promise", stat_dp},
    {"dp-finder", "a coordinate search over events", dp_finder},
    {"dp-sniper", "a logistic classifier's best event", dp_sniper},
    {"dp-sniper-mlp", "the same with a small network", dp_sniper_mlp},
    {"dp-sniper-bits", "the same on the bits of the numbers", dp_sniper_bits},
    {"delta-siege", "a whole curve of epsilon and delta", delta_siege},
    {"hockey-stick", "how often a classifier guesses the input", hockey_stick},
    {"renyi", "a Renyi divergence from below", renyi},
    {"kernel", "the witness of the maximum mean discrepancy (weak)", kernel},
    {"stochastic", "bins of equal width, in both directions", stochastic},
    {"histogram", "all bins at once, in both directions", histogram},
};
constexpr Tester kLikelihood = {"likelihood", "many scores, each by its estimated likelihood ratio", likelihood};

}  // namespace

std::span<const Tester> all_testers() { return kTesters; }

const Tester& tester(std::string_view name) {
  if (name == kLikelihood.name) return kLikelihood;
  std::string names(kLikelihood.name);
  for (const Tester& one : kTesters) {
    if (one.name == name) return one;
    names += ", " + std::string(one.name);
  }
  throw Error(Code::bad_argument, fmt::format("there is no tester \"{}\"", name), "choose one of: " + names);
}

}  // namespace dither::audit
