// What accounting promises of mechanisms that choose, on scores that all move by one.
#include "audit/attacks/simulated.h"

namespace dither::audit {

using namespace simulated;  // NOLINT
using accounting::EventList;
using accounting::Mechanism;
using accounting::NoisyMax;

namespace {

constexpr double kMicroseconds = 1.5;

EventList of(const Mechanism& mechanism, std::uint64_t times) {
  return {.neighbours = accounting::Neighbours::replace_one,
          .events = {{.sample = {}, .mechanism = mechanism, .times = times}}};
}

const std::vector<DataPair> kBestFalls = {numbers({1, 0, 0}, {0, 1, 1})};

}  // namespace

void add_selection_attacks(Attacks& attacks) {
  const Rational half(1, 2);  // of epsilon: one score falls, another one rises
  add_simulation(attacks, {"selection", "the exponential mechanism, three times", kMicroseconds,
                           of(accounting::Exponential{1}, 3), kBestFalls, chosen(half, Turns::any, 3)});
  add_simulation(attacks, {"selection", "permute-and-flip, twice", kMicroseconds, of(accounting::PermuteAndFlip{1}, 2),
                           kBestFalls, chosen(half, Turns::each, 2)});
  add_simulation(attacks, {"selection", "the largest score with Laplace noise", kMicroseconds,
                           of(NoisyMax{1, NoisyMax::Noise::laplace}, 1), kBestFalls, noisy_max(discrete_laplace(2))});
  add_simulation(attacks, {"selection",
                           "the first score above a threshold",
                           kMicroseconds,
                           of(accounting::SparseVector{1}, 1),
                           {numbers({0, 0, 0, 1}, {1, 1, 1, 0})},
                           first_above(discrete_laplace(2), discrete_laplace(4))});
  add_simulation(attacks, {"randomised-response",
                           "two answers of three",
                           kMicroseconds,
                           of(accounting::RandomisedResponse{1, 3}, 2),
                           {numbers({1, 0, 0}, {0, 1, 0})},
                           chosen(1, Turns::any, 2)});
}

}  // namespace dither::audit
