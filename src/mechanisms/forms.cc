#include "mechanisms/forms.h"

#include <vector>

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

using K = ParameterKind;

const Parameter kScale{"scale", K::width, "of the noise"};
const Parameter kSigma{"sigma", K::width, "of the noise"};
const Parameter kEpsilon{"epsilon", K::number, "the loss at which delta is stated"};
const Parameter kTrials{"trials", K::count, "fair coins, an even number"};
const Parameter kVariance{"variance", K::square, "of the noise"};
const Parameter kParties{"parties", K::count, "of which each adds one number, and its share of the noise"};
const Parameter kColluding{"colluding", K::count, "parties that may pool what they know"};
const Parameter kThreshold{"threshold", K::count, "a key is shown when its noisy count is at least this"};
const Parameter kKeys{"keys", K::keys, "the public keys; each is answered"};

void add_noise(std::vector<Form>& all) {
  all.push_back({"discrete-laplace", Takes::vector, "l1", {kScale}, true});
  all.push_back({"laplace", Takes::vector, "l1", {kScale}, true});
  all.push_back({"truncated-geometric", Takes::vector, "l1", {kScale}, true});
  all.push_back({"gaussian", Takes::vector, "l2", {kSigma}, true});
  all.push_back({"real-gaussian",
                 Takes::vector,
                 "l2",
                 {kSigma, {"measure", K::text, "how the loss is stated: concentrated (rho) or gaussian (mu)"}},
                 true});
}

void add_more_noise(std::vector<Form>& all) {
  all.push_back({"binomial", Takes::vector, "l1", {kTrials, kEpsilon}, false, "1"});
  all.push_back({"skellam", Takes::vector, "l1", {kVariance, kEpsilon}, false, "1"});
  all.push_back({"staircase",
                 Takes::vector,
                 "l1",
                 {{"epsilon", K::number, "the loss at distance `sensitivity`"},
                  {"sensitivity", K::count, "width of a stair, in steps"},
                  {"first", K::count, "how much of a stair is high, 1 to sensitivity"}},
                 false,
                 "1"});
  all.push_back({"k-norm",
                 Takes::vector,
                 "l1",
                 {{"epsilon", K::number, "the loss at distance 1"},
                  {"rows", K::count, "of the matrix: queries"},
                  {"matrix", K::numbers, "whole numbers, row by row"}},
                 false,
                 "matrix"});
  all.push_back(
      {"distributed-binomial", Takes::vector, "l1", {kParties, kColluding, kTrials, kEpsilon}, false, "parties"});
  all.push_back(
      {"distributed-skellam", Takes::vector, "l1", {kParties, kColluding, kVariance, kEpsilon}, false, "parties"});
  all.push_back({"distributed-laplace", Takes::vector, "l1", {kParties, kColluding, kScale}, false, "parties"});
  all.push_back(
      {"sample", Takes::same_as_parts, "", {{"rate", K::number, "probability with which a row or unit is kept"}}});
}

void add_keys(std::vector<Form>& all) {
  all.push_back({"laplace-histogram", Takes::keyed, "l1", {kScale, kKeys}});
  all.push_back({"gaussian-histogram", Takes::keyed, "l2", {kSigma, kKeys}});
  all.push_back({"laplace-threshold", Takes::keyed, "cells", {kScale, kThreshold}});
  all.push_back({"gaussian-threshold", Takes::keyed, "cells", {kScale, kThreshold}});
  all.push_back({"partition-selection",
                 Takes::keyed,
                 "cells",
                 {{"epsilon", K::number, "the loss for one unit, over all its keys"},
                  {"delta", K::number, "the same"},
                  {"keys", K::count, "that one unit may be in"}}});
  all.push_back({"sparse-histogram",
                 Takes::keyed,
                 "l1",
                 {{"size", K::count, "the keys are the whole numbers below it"},
                  {"ratio", K::number, "of the noise: exp(-epsilon), or above"},
                  kThreshold}});
  all.push_back(
      {"greedy-votes", Takes::table, "units-added", {{"cutoff", K::count, "votes after which a key needs no more"}}});
}

}  // namespace

std::span<const Form> forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> made;
    add_noise(made);
    add_more_noise(made);
    add_keys(made);
    return made;
  }();
  return all;
}

}  // namespace dither::mechanisms
