// What accounting promises of mechanisms that hide one step among others, or one unit among few.
#include "audit/attacks/simulated.h"

namespace dither::audit {

using namespace simulated;  // NOLINT
using accounting::EventList;
using accounting::Mechanism;
using accounting::Neighbours;

namespace {

constexpr double kMicroseconds = 1.5;

EventList of(Neighbours neighbours, const Mechanism& mechanism) {
  return {.neighbours = neighbours, .events = {{.sample = {}, .mechanism = mechanism}}};
}

void add_matrices(Attacks& attacks) {
  // The first column 1, 1/2, in halves; a row takes part in the first two steps.
  add_simulation(attacks,
                 {"matrix",
                  "two bands, a row in two of three steps",
                  kMicroseconds,
                  of(Neighbours::add_remove,
                     accounting::Matrix{.sigma = 2, .steps = 3, .coefficients = {1, {1, 2}}, .participations = 2}),
                  {numbers({0, 0, 0}, {1, 1, 0})},
                  product({{2, 0, 0}, {1, 2, 0}, {0, 1, 2}}, normal(4))});
  add_simulation(attacks, {"matrix",
                           "a tree over four steps",
                           kMicroseconds,
                           of(Neighbours::add_remove, accounting::Tree{.sigma = 2, .leaves = 4}),
                           {numbers({0, 0, 0, 0}, {1, 0, 0, 0})},
                           product(tree_of_four(), normal(2))});
}

void add_groups(Attacks& attacks) {
  EventList two = of(Neighbours::add_remove, accounting::DiscreteLaplace{4});
  two.events.push_back({.sample = {}, .mechanism = accounting::Gaussian{4}});
  two.group = 2;
  add_simulation(attacks, {"unit-groups",
                           "two rows in a Laplace and a normal sum",
                           kMicroseconds,
                           two,
                           {numbers({0, 0}, {1, 1})},
                           two_sums(discrete_laplace(4), normal(4))});
  // The worst of all that are (1, 1/50)-DP: each row more says so e times as likely, and 1/50. Rounded down.
  EventList black_box = of(Neighbours::add_remove, accounting::BlackBox{1, Rational(1, 50)});
  black_box.group = 2;
  add_simulation(attacks, {"unit-groups",
                           "two rows in a black box that leaks",
                           kMicroseconds,
                           black_box,
                           {numbers({0, 0}, {1, 1})},
                           leaks({0, {1, 50}, {743, 10'000}, {222, 1000}})});
}

}  // namespace

void add_amplification_attacks(Attacks& attacks) {
  add_simulation(attacks, {"shuffle",
                           "ten people, randomised response",
                           kMicroseconds,
                           of(Neighbours::replace_one, accounting::Shuffle{.epsilon = 1, .users = 10}),
                           {numbers({0}, {1}), numbers({5}, {6})},
                           answers(1, 10, Order::shuffled)});
  add_simulation(
      attacks,
      {"tuning",
       "the best of a geometric number of Laplace counts",
       kMicroseconds,
       of(Neighbours::add_remove,
          accounting::Tuning{.base = Mechanism(accounting::DiscreteLaplace{2}), .shape = 1, .stop = Rational(1, 4)}),
       {numbers({0}, {1})},
       best_of(geometric_runs(Rational(1, 4)), discrete_laplace(2))});
  add_simulation(attacks, {"hidden-state",
                           "four steps on linear losses",
                           kMicroseconds,
                           of(Neighbours::replace_one, accounting::HiddenState{.sigma = 1,
                                                                               .lipschitz = 1,
                                                                               .smoothness = 1,
                                                                               .step_size = 1,
                                                                               .iterations = 4,
                                                                               .position = 1,
                                                                               .convex = true,
                                                                               .last_iterate_only = true,
                                                                               .one_pass = true}),
                           {numbers({-1, 0, 0, 0}, {1, 0, 0, 0})},
                           last_iterate(normal(1))});
  add_matrices(attacks);
  add_groups(attacks);
}

}  // namespace dither::audit
