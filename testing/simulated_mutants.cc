#include "testing/simulated_mutants.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "audit/attacks/simulated.h"
#include "random/source.h"
#include "testing/calculus_access.h"

namespace dither::testing {

using namespace calculus;          // NOLINT
using namespace audit::simulated;  // NOLINT
using audit::View;

namespace {

void run_instead(View& view, const Run& other) {
  view.ask = [other](const Private& data, random::Source& source) { return other(as<Integers>(look(data)), source); };
}

// The rows that come first, whoever they are.
Batches first_rows(std::uint64_t batch, int rounds) {
  return [batch, rounds](const Integers&, random::Source&) {
    std::vector<std::uint64_t> first(batch);
    std::iota(first.begin(), first.end(), 0U);
    return Steps(static_cast<std::size_t>(rounds), first);
  };
}
// Each batch holds the rows of the next one too.
Batches overlapping(Batches batches) {
  return [batches = std::move(batches)](const Integers& records, random::Source& source) {
    const Steps steps = batches(records, source);
    Steps result = steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto& next = steps[(i + 1) % steps.size()];
      result[i].insert(result[i].end(), next.begin(), next.end());
    }
    return result;
  };
}
// All rows or none.
Batches one_coin() {
  return [](const Integers& records, random::Source& source) {
    Steps steps(1);
    if (source.bits(1) == 0) return steps;
    steps[0].resize(records.size());
    std::iota(steps[0].begin(), steps[0].end(), 0U);
    return steps;
  };
}

// Normal noise: one draw for all numbers; on the first ones alone.
Noise drawn_once(const Rational& sigma) {
  return [noise = normal(sigma)](Integers& numbers, random::Source& source) {
    Integers one{0};
    noise(one, source);
    for (Int128& x : numbers) x = x * kGrid + one[0];
  };
}
Noise first_alone(const Rational& sigma, std::size_t first) {
  return [noise = normal(sigma), first](Integers& numbers, random::Source& source) {
    Integers noisy(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(first));
    noise(noisy, source);
    for (Int128& x : numbers) x *= kGrid;
    std::copy(noisy.begin(), noisy.end(), numbers.begin());
  };
}

void not_drawn(View& view) { run_instead(view, sums_of(first_rows(2, 3), normal(Rational(1, 2)))); }
void all_four(View& view) { run_instead(view, sums_of(without_replacement(4, 1), discrete_laplace(1))); }
void four_draws(View& view) { run_instead(view, sums_of(with_replacement(4, 1), discrete_laplace(1))); }
void six_draws(View& view) { run_instead(view, sums_of(with_replacement(6, 2), normal(1))); }
void batches_overlap(View& view) { run_instead(view, sums_of(overlapping(shuffled_batches(2)), normal(2))); }
void in_all_steps(View& view) { run_instead(view, sums_of(without_replacement(1, 3), normal(1))); }
void cut_at_one(View& view) { run_instead(view, sums_of(cut_poisson(Rational(2, 5), 1), normal(Rational(1, 2)))); }
void both_or_none(View& view) { run_instead(view, sums_of(one_coin(), normal(Rational(1, 2)))); }
void in_order(View& view) { run_instead(view, answers(1, 10, Order::kept)); }
void always_six(View& view) {
  run_instead(view, best_of([](random::Source&) { return 6; }, discrete_laplace(2)));
}

void last_steps_without_noise(View& view) { run_instead(view, last_iterate(first_alone(1, 1))); }
void one_draw_for_all_steps(View& view) {
  run_instead(view, product({{2, 0, 0}, {1, 2, 0}, {0, 1, 2}}, drawn_once(4)));
}
void leaves_alone(View& view) { run_instead(view, product(tree_of_four(), first_alone(2, 4))); }
void noise_for_one_row(View& view) { run_instead(view, two_sums(discrete_laplace(2), normal(2))); }
void whole_epsilon(View& view) { run_instead(view, chosen(1, Turns::any, 3)); }
void whole_flips(View& view) { run_instead(view, chosen(1, Turns::each, 2)); }
void noise_of_a_quarter(View& view) { run_instead(view, noisy_max(discrete_laplace(Rational(1, 2)))); }
void scores_without_noise(View& view) {
  run_instead(view, first_above(discrete_laplace(2), [](Integers&, random::Source&) {}));
}
void leaks_as_three(View& view) { run_instead(view, leaks({0, {1, 50}, {222, 1000}})); }
void fewer_lies(View& view) { run_instead(view, chosen(2, Turns::any, 2)); }

constexpr ViewBug kBugs[] = {
    {"without-replacement: three normal sums of two of four rows", not_drawn},
    {"without-replacement: a Laplace sum of two of four rows", all_four},
    {"with-replacement: a Laplace sum of two draws from three rows", four_draws},
    {"with-replacement: two normal sums of two draws from three rows", six_draws},
    {"shuffled-batches: an epoch of two batches of two rows", batches_overlap},
    {"random-allocation: an epoch of three steps", in_all_steps},
    {"cut-batches: a normal sum of six rows at most", cut_at_one},
    {"unit-groups: two rows, each in the sample by its own coin", both_or_none},
    {"unit-groups: two rows in a Laplace and a normal sum", noise_for_one_row},
    {"unit-groups: two rows in a black box that leaks", leaks_as_three},
    {"shuffle: ten people, randomised response", in_order},
    {"tuning: the best of a geometric number of Laplace counts", always_six},
    {"hidden-state: four steps on linear losses", last_steps_without_noise},
    {"matrix: two bands, a row in two of three steps", one_draw_for_all_steps},
    {"matrix: a tree over four steps", leaves_alone},
    {"selection: the exponential mechanism, three times", whole_epsilon},
    {"selection: permute-and-flip, twice", whole_flips},
    {"selection: the largest score with Laplace noise", noise_of_a_quarter},
    {"selection: the first score above a threshold", scores_without_noise},
    {"randomised-response: two answers of three", fewer_lies},
};

}  // namespace

std::span<const ViewBug> simulated_bugs() { return kBugs; }

}  // namespace dither::testing
