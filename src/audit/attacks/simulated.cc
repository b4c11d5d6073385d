#include "audit/attacks/simulated.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "accounting/accountant.h"
#include "random/bernoulli.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/subset.h"

namespace dither::audit::simulated {

using namespace calculus;  // NOLINT: measurements, metrics and numbers

namespace {
const Rational kEpsilons[] = {0, {1, 4}, {1, 2}, {3, 4}, 1, {3, 2}, 2, 3};
}

Promise promise_of(const accounting::EventList& list) {
  const accounting::Composition all(list);
  accounting::TradeoffCurve lines;
  for (const Rational& epsilon : kEpsilons) {
    const double delta = all.delta_at(epsilon, 1e-3).delta.upper;
    const double before = lines.lines.empty() ? 1 : lines.lines.back().delta;
    if (delta < before) lines.lines.push_back({epsilon.to_double_up(), delta});
  }
  return Promise(lines);
}

namespace {

// Only a measurement opens private data. Its own loss is not what is attacked, and says nothing.
AnyMeasurement opened(const Run& run, std::size_t records) {
  return AnyMeasurement({.recipe = {"simulated"},
                         .input = VectorDomain{records},
                         .from = {MetricKind::l1},
                         .measure = Measure::approximate(),
                         .loss =
                             [](const Distance&) {
                               return accounting::ApproximateDp{0, 1};
                             },
                         .events = {},
                         .function = [run](const Data& data, random::Source& source) -> Data {
                           return run(as<Integers>(data), source);
                         }});
}

}  // namespace

void add_simulation(Attacks& attacks, Simulation one) {
  ViewAttack attack{one.claim, one.what, "dp-sniper", one.microseconds, {}};
  attack.make = [one = std::move(one)] {
    const AnyMeasurement all = opened(one.run, as<Integers>(one.pairs.front().x).size());
    return View{"", promise_of(one.list), one.pairs, [all](const Private& data, random::Source& source) -> Data {
                  return all.release(data, source).value();
                }};
  };
  add_view(attacks, std::move(attack));
}

Noise normal(const Rational& sigma) {
  return [law = random::DiscreteGaussian(sigma * Rational(kGrid))](Integers& numbers, random::Source& source) {
    for (Int128& x : numbers) x = x * kGrid + law.draw(source);
  };
}

Noise discrete_laplace(const Rational& scale) {
  return [law = random::DiscreteLaplace(scale)](Integers& numbers, random::Source& source) {
    for (Int128& x : numbers) x += law.draw(source);
  };
}

Batches without_replacement(std::uint64_t batch, int rounds) {
  return [batch, rounds](const Integers& records, random::Source& source) {
    Steps steps;
    for (int i = 0; i < rounds; ++i) steps.push_back(random::choose(batch, records.size(), source));
    return steps;
  };
}

Batches with_replacement(std::uint64_t draws, int rounds) {
  return [draws, rounds](const Integers& records, random::Source& source) {
    Steps steps(static_cast<std::size_t>(rounds), std::vector<std::uint64_t>(draws));
    for (auto& step : steps) random::fill_uniform_below(records.size(), step, source);
    return steps;
  };
}

Batches shuffled_batches(std::size_t batches) {
  return [batches](const Integers& records, random::Source& source) {
    const std::vector<std::uint64_t> order = random::permutation(records.size(), source);
    Steps steps(batches);
    for (std::size_t i = 0; i < order.size(); ++i) steps[i * batches / order.size()].push_back(order[i]);
    return steps;
  };
}

Batches random_allocation(std::uint64_t steps) {
  return [steps](const Integers& records, random::Source& source) {
    Steps all(steps);
    for (std::size_t i = 0; i < records.size(); ++i) all[random::uniform_below(steps, source)].push_back(i);
    return all;
  };
}

Batches poisson(const Rational& rate, int rounds) {
  return [coin = random::Bernoulli::with_probability(rate), rounds](const Integers& records, random::Source& source) {
    Steps steps(static_cast<std::size_t>(rounds));
    for (auto& step : steps) {
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (coin.draw(source)) step.push_back(i);
      }
    }
    return steps;
  };
}

Batches cut_poisson(const Rational& rate, std::size_t max_batch) {
  return [uncut = poisson(rate, 1), max_batch](const Integers& records, random::Source& source) {
    Steps steps = uncut(records, source);
    for (auto& step : steps) {
      std::erase_if(step, [&](std::uint64_t i) { return records[i] == 0; });
      step.resize(std::min(step.size(), max_batch));
    }
    return steps;
  };
}

Run sums_of(Batches batches, Noise noise) {
  return [batches = std::move(batches), noise = std::move(noise)](const Integers& records, random::Source& source) {
    Integers sums;
    for (const auto& step : batches(records, source)) {
      sums.push_back(0);
      for (const std::uint64_t i : step) sums.back() += records[i];
    }
    noise(sums, source);
    return sums;
  };
}

Run answers(const Rational& epsilon, std::size_t people, Order order) {
  // True with probability e^-epsilon / (1 + e^-epsilon): a coin of 1/2, and another of e^-epsilon where that one says
  // no lie; tossed again when the two say neither.
  const auto coin = random::Bernoulli::with_exp_of_minus(epsilon);
  return [coin, people, order](const Integers& records, random::Source& source) {
    const auto lies = [&] {
      for (;;) {
        if (source.bits(1) == 0) return false;
        if (coin.draw(source)) return true;
      }
    };
    Integers all(people);
    for (std::size_t i = 0; i < people; ++i) all[i] = static_cast<int>((static_cast<Int128>(i) < records[0]) != lies());
    if (order == Order::shuffled) random::shuffle(std::span(all), source);
    return all;
  };
}

Runs geometric_runs(const Rational& stop) {
  return [coin = random::Bernoulli::with_probability(stop)](random::Source& source) {
    int runs = 1;
    while (!coin.draw(source)) ++runs;
    return runs;
  };
}

Run best_of(Runs runs, Noise noise) {
  return [runs = std::move(runs), noise = std::move(noise)](const Integers& records, random::Source& source) {
    Integers all(static_cast<std::size_t>(runs(source)), records[0]);
    noise(all, source);
    return Integers{*std::max_element(all.begin(), all.end())};
  };
}

Run last_iterate(Noise noise) {
  return [noise = std::move(noise)](const Integers& gradients, random::Source& source) {
    Integers steps = gradients;
    noise(steps, source);
    return Integers{-std::accumulate(steps.begin(), steps.end(), Int128{0})};
  };
}

Run product(std::vector<Integers> rows, Noise noise) {
  return [rows = std::move(rows), noise = std::move(noise)](const Integers& records, random::Source& source) {
    Integers all;
    for (const Integers& row : rows) {
      all.push_back(std::inner_product(row.begin(), row.end(), records.begin(), Int128{0}));
    }
    noise(all, source);
    return all;
  };
}

std::vector<Integers> tree_of_four() {
  return {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}, {1, 1, 1, 1}};
}

Run two_sums(Noise first, Noise second) {
  return [first = std::move(first), second = std::move(second)](const Integers& records, random::Source& source) {
    Integers one{std::accumulate(records.begin(), records.end(), Int128{0})}, other = one;
    first(one, source);
    second(other, source);
    return Integers{one[0], other[0]};
  };
}

Run leaks(const std::vector<Rational>& chances) {
  std::vector<random::Bernoulli> coins;
  for (const Rational& chance : chances) coins.push_back(random::Bernoulli::with_probability(chance));
  return [coins](const Integers& records, random::Source& source) {
    const Int128 there = std::accumulate(records.begin(), records.end(), Int128{0});
    return Integers{coins[std::min(static_cast<std::size_t>(there), coins.size() - 1)].draw(source) ? 1 : 0};
  };
}

Run chosen(const Rational& epsilon, Turns turns, int times) {
  const auto coin = random::Bernoulli::with_exp_of_minus(epsilon);
  return [coin, turns, times](const Integers& scores, random::Source& source) {
    const Int128 best = *std::max_element(scores.begin(), scores.end());
    const auto accepted = [&](std::uint64_t place) {
      for (Int128 behind = best - scores[place]; behind > 0; --behind) {
        if (!coin.draw(source)) return false;
      }
      return true;
    };
    const auto one = [&]() -> std::uint64_t {
      if (turns == Turns::each) {
        for (const std::uint64_t place : random::permutation(scores.size(), source)) {
          if (accepted(place)) return place;  // the best one always is
        }
      }
      std::uint64_t place = 0;
      do place = random::uniform_below(scores.size(), source);
      while (!accepted(place));
      return place;
    };
    Integers all;
    for (int i = 0; i < times; ++i) all.push_back(static_cast<Int128>(one()));
    return all;
  };
}

Run noisy_max(Noise noise) {
  return [noise = std::move(noise)](const Integers& scores, random::Source& source) {
    Integers noisy = scores;
    noise(noisy, source);
    return Integers{std::max_element(noisy.begin(), noisy.end()) - noisy.begin()};
  };
}

Run first_above(Noise threshold, Noise each) {
  return [threshold = std::move(threshold), each = std::move(each)](const Integers& scores, random::Source& source) {
    Integers least{0}, noisy = scores;
    threshold(least, source);
    each(noisy, source);
    const auto above = [&](Int128 x) { return x >= least[0]; };
    return Integers{std::find_if(noisy.begin(), noisy.end(), above) - noisy.begin()};
  };
}

}  // namespace dither::audit::simulated
