// Mechanisms that accounting prices and nobody here ships, run as their events describe them: each record is a whole
// number, the norm of its contribution with its sign; 0 is a record that is not there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accounting/event.h"
#include "audit/attacks/views.h"
#include "base/rational.h"

namespace dither::audit::simulated {

using calculus::Data;
using calculus::Integers;
using Run = std::function<Data(const Integers& records, random::Source& source)>;

// What the accountant says of these releases together: its deltas at eight epsilons up to 3.
Promise promise_of(const accounting::EventList& list);

struct Simulation {
  std::string claim, what;
  double microseconds;
  accounting::EventList list;
  std::vector<DataPair> pairs;
  Run run;
};
void add_simulation(Attacks& attacks, Simulation one);

// Noise of its own on each number. Normal noise is discrete, in steps of 1/kGrid, which is much faster: for sigma of
// 1/2 or more each outcome within five sigma is as likely as that of rounded normal noise to within a millionth.
using Noise = std::function<void(Integers& numbers, random::Source& source)>;
inline constexpr int kGrid = 4096;
Noise normal(const Rational& sigma);
Noise discrete_laplace(const Rational& scale);

// Which records each step sees, by their places; one that is drawn twice stands there twice.
using Steps = std::vector<std::vector<std::uint64_t>>;
using Batches = std::function<Steps(const Integers& records, random::Source& source)>;
Batches without_replacement(std::uint64_t batch, int rounds);
Batches with_replacement(std::uint64_t draws, int rounds);
Batches shuffled_batches(std::size_t batches);
Batches random_allocation(std::uint64_t steps);
Batches cut_poisson(const Rational& rate, std::size_t max_batch);  // the first ones stay
Batches poisson(const Rational& rate, int rounds);
// The noisy sum of each step.
Run sums_of(Batches batches, Noise noise);

// So many people answer yes or no by randomised response; the number says how many of them mean yes. Their answers are
// shuffled, or stand in the order of people.
enum class Order { shuffled, kept };
Run answers(const Rational& epsilon, std::size_t people, Order order);

// The largest of several noisy numbers.
using Runs = std::function<int(random::Source& source)>;
Runs geometric_runs(const Rational& stop);
Run best_of(Runs runs, Noise noise);

// Noisy descent on linear losses, whose gradients the numbers are, from 0 in steps of size 1: where it ends.
Run last_iterate(Noise noise);

// Noise on the product of a matrix, by rows, and the numbers; the matrix of all dyadic blocks of four, leaves first.
Run product(std::vector<Integers> rows, Noise noise);
std::vector<Integers> tree_of_four();

// The sum of all numbers twice, with either noise.
Run two_sums(Noise first, Noise second);

// Says 1 with this probability when so many records are there, beyond the last with that of the last, and 0 otherwise.
Run leaks(const std::vector<Rational>& chances);

// One of several candidates by their scores, so many times: with probability proportional to e^(epsilon score), or the
// first in a random order that a coin of e^(epsilon (score - best)) accepts.
enum class Turns { any, each };
Run chosen(const Rational& epsilon, Turns turns, int times);
// The largest of noisy scores; the first score that is, with noise, above a noisy 0. Places from 0.
Run noisy_max(Noise noise);
Run first_above(Noise threshold, Noise each);

}  // namespace dither::audit::simulated
