// What accounting promises of releases on random batches, where the batches are drawn as their sampler says.
#include "audit/attacks/simulated.h"

namespace dither::audit {

using namespace simulated;  // NOLINT
using accounting::Event;
using accounting::EventList;
using accounting::Neighbours;

namespace {

constexpr double kMicroseconds = 1.5;

EventList of(Neighbours neighbours, const Event& event) { return {.neighbours = neighbours, .events = {event}}; }

// All other records are alike, so that they hide nothing.
const std::vector<DataPair> kOneOfFour = {numbers({0, 0, 0, 0}, {1, 0, 0, 0})};

void add_fixed_sizes(Attacks& attacks) {
  const accounting::WithoutReplacement half{2, 4};
  add_simulation(attacks, {"without-replacement", "three normal sums of two of four rows", kMicroseconds,
                           of(Neighbours::replace_one, {half, accounting::Gaussian{Rational(1, 2)}, 3}), kOneOfFour,
                           sums_of(without_replacement(2, 3), normal(Rational(1, 2)))});
  add_simulation(attacks, {"without-replacement", "a Laplace sum of two of four rows", kMicroseconds,
                           of(Neighbours::replace_one, {half, accounting::DiscreteLaplace{1}}), kOneOfFour,
                           sums_of(without_replacement(2, 1), discrete_laplace(1))});
  const accounting::WithReplacement drawn{2, 3};
  const std::vector<DataPair> one_of_three = {numbers({0, 0, 0}, {1, 0, 0})};
  add_simulation(attacks, {"with-replacement", "a Laplace sum of two draws from three rows", kMicroseconds,
                           of(Neighbours::replace_one, {drawn, accounting::DiscreteLaplace{1}}), one_of_three,
                           sums_of(with_replacement(2, 1), discrete_laplace(1))});
  add_simulation(attacks, {"with-replacement", "two normal sums of two draws from three rows", kMicroseconds,
                           of(Neighbours::replace_one, {drawn, accounting::Gaussian{1}, 2}), one_of_three,
                           sums_of(with_replacement(2, 2), normal(1))});
}

void add_epochs(Attacks& attacks) {
  // The others pull the other way (B-16): replacing one moves a sum by two.
  add_simulation(attacks, {"shuffled-batches",
                           "an epoch of two batches of two rows",
                           kMicroseconds,
                           of(Neighbours::replace_one, {accounting::ShuffledBatches{2}, accounting::Gaussian{2, 2}}),
                           {numbers({-1, -1, -1, -1}, {1, -1, -1, -1})},
                           sums_of(shuffled_batches(2), normal(2))});
  add_simulation(attacks, {"random-allocation",
                           "an epoch of three steps",
                           kMicroseconds,
                           of(Neighbours::add_remove, {accounting::RandomAllocation{3}, accounting::Gaussian{1}}),
                           {numbers({0}, {1})},
                           sums_of(random_allocation(3), normal(1))});
}

void add_poisson(Attacks& attacks) {
  const Rational rate(2, 5);
  // Who is cut depends on the first record, which stays when it is there.
  add_simulation(attacks, {"cut-batches",
                           "a normal sum of six rows at most",
                           kMicroseconds,
                           of(Neighbours::add_remove, {accounting::Poisson{rate, accounting::Poisson::Cut{6, 8}},
                                                       accounting::Gaussian{Rational(1, 2)}}),
                           {numbers({0, -1, -1, -1, -1, -1, -1, -1}, {1, -1, -1, -1, -1, -1, -1, -1})},
                           sums_of(cut_poisson(rate, 6), normal(Rational(1, 2)))});
  EventList two =
      of(Neighbours::add_remove, {accounting::Poisson{Rational(1, 2), {}}, accounting::Gaussian{Rational(1, 2)}});
  two.group = 2;
  add_simulation(attacks, {"unit-groups",
                           "two rows, each in the sample by its own coin",
                           kMicroseconds,
                           two,
                           {numbers({0, 0}, {1, 1})},
                           sums_of(poisson(Rational(1, 2), 1), normal(Rational(1, 2)))});
}

}  // namespace

void add_sampling_attacks(Attacks& attacks) {
  add_fixed_sizes(attacks);
  add_epochs(attacks);
  add_poisson(attacks);
}

}  // namespace dither::audit
