// For the tests of the searching testers: small mechanisms that keep their promise, each with a broken twin.
#pragma once

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "accounting/curves.h"
#include "audit/false_alarms_check.h"
#include "audit/patterns.h"
#include "audit/report_check.h"
#include "audit/tester.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "testing/seed.h"

namespace dither::audit::check {

inline double uniform(random::Source& source) { return (static_cast<double>(source.bits(53)) + 0.5) * 0x1p-53; }

// Laplace noise in floating point: its law is right to 1e-15, its bits are not (see naive_laplace).
inline double laplace(double scale, random::Source& source) {
  const double u = uniform(source) - 0.5;
  return (u < 0 ? scale : -scale) * std::log1p(-2 * std::abs(u));
}
inline double exponential(double mean, random::Source& source) { return -mean * std::log(uniform(source)); }
// On a grid, so that the bits tell nothing either.
inline double on_grid(double value) { return std::round(value * 0x1p20) * 0x1p-20; }

// One output of `width` cells at a time.
using One = std::function<void(std::span<const double> input, std::span<double> out, random::Source& source)>;
inline VectorMechanism one_by_one(std::string name, Promise promise, const Shape& shape, const One& one) {
  return {std::move(name), std::move(promise), shape,
          [width = shape.size(), one](std::span<const double> input, Outputs& out, std::int64_t runs,
                                      random::Source& source) {
            const std::span<double> cells = out.add(runs);
            for (std::size_t at = 0; at < cells.size(); at += width) one(input, cells.subspan(at, width), source);
          }};
}

inline Target on(const VectorMechanism& mechanism, std::vector<double> first, std::vector<double> second) {
  const std::vector<InputPair> pairs{{"given", std::move(first), std::move(second)}};
  return target_of(mechanism, pairs);
}

// A count of 0 or 1 with noise of scale 1 / epsilon.
inline Target laplace_count(const Rational& claimed, double scale) {
  return on(
      one_by_one("Laplace count", Promise::pure(claimed), {Reading::number},
                 [scale](auto input, auto out, auto& source) { out[0] = on_grid(input[0] + laplace(scale, source)); }),
      {0}, {1});
}
// The same with exact discrete noise in a batch.
inline Target discrete_count(const Rational& claimed, const Rational& scale) {
  const random::DiscreteLaplace law(scale);
  const VectorMechanism mechanism{
      "discrete Laplace count",
      Promise::pure(claimed),
      {Reading::number},
      [law](std::span<const double> input, Outputs& out, std::int64_t runs, random::Source& source) {
        std::vector<std::int64_t> noise(static_cast<std::size_t>(runs));
        law.fill(noise, source);
        const std::span<double> cells = out.add(runs);
        for (std::size_t i = 0; i < noise.size(); ++i) cells[i] = input[0] + static_cast<double>(noise[i]);
      }};
  return on(mechanism, {0}, {1});
}

// Which answer is largest after noise of mean size `scale`.
inline VectorMechanism noisy_max(const Rational& claimed, double scale, bool with_value) {
  Shape shape{Reading::word};
  if (with_value) shape.push_back(Reading::number);
  return one_by_one("noisy max", Promise::pure(claimed), shape, [=](auto input, auto out, auto& source) {
    double largest = -HUGE_VAL;
    for (std::size_t i = 0; i < input.size(); ++i) {
      const double noisy = on_grid(input[i] + exponential(scale, source));
      if (noisy > largest) out[0] = static_cast<double>(i);
      largest = std::max(largest, noisy);
    }
    if (with_value) out[1] = largest;
  });
}

// Above-threshold: words 0 (below) and 1 (above), until the first 1; the rest is absent.
struct SparseVector {
  double threshold_scale, query_scale;
  bool stops = true;
};
inline VectorMechanism sparse_vector(const Rational& claimed, std::size_t length, const SparseVector& of) {
  return one_by_one("sparse vector", Promise::pure(claimed), Shape(length, Reading::word),
                    [=](auto input, auto out, auto& source) {
                      const double threshold = laplace(of.threshold_scale, source);
                      for (std::size_t i = 0; i < input.size(); ++i) {
                        const double noise = of.query_scale > 0 ? laplace(of.query_scale, source) : 0;
                        out[i] = input[i] + noise >= threshold ? 1 : 0;
                        if (out[i] == 1 && of.stops) return;
                      }
                    });
}
inline const std::vector<double> kSparseFirst{0, 0, 0, 0, 1};
inline const std::vector<double> kSparseSecond{1, 1, 1, 1, 0};

inline Target randomised_response(const Rational& claimed, double epsilon) {
  const double truth = 1 / (1 + std::exp(-epsilon));
  return on(one_by_one("randomised response", Promise::pure(claimed), {Reading::word},
                       [truth](auto input, auto out, auto& source) {
                         out[0] = uniform(source) < truth ? input[0] : 1 - input[0];
                       }),
            {0}, {1});
}

// Counts with Laplace noise each; `shared` uses one draw for all.
inline Target noisy_counts(double scale, bool shared) {
  return on(one_by_one("noisy counts", Promise::pure(1), Shape(3, Reading::number),
                       [=](auto input, auto out, auto& source) {
                         const double noise = laplace(scale, source);
                         for (std::size_t i = 0; i < 3; ++i) {
                           out[i] = on_grid(input[i] + (shared || i == 0 ? noise : laplace(scale, source)));
                         }
                       }),
            {1, 1, 1}, {2, 1, 1});
}

// Noise cut off at `most`, and what is released instead of it in some runs.
inline Target cut_noise(double most) {
  return on(one_by_one("cut noise", Promise::pure(1), {Reading::number},
                       [most](auto input, auto out, auto& source) {
                         out[0] = on_grid(input[0] + std::clamp(laplace(1, source), -most, most));
                       }),
            {0}, {1});
}
inline Target sometimes(double probability, double input_one, double input_zero) {
  return on(one_by_one("sometimes", Promise::pure(1), {Reading::number},
                       [=](auto input, auto out, auto& source) {
                         const bool instead = uniform(source) < probability;
                         out[0] = instead ? (input[0] == 1 ? input_one : input_zero)
                                          : on_grid(input[0] + laplace(1, source));
                       }),
            {0}, {1});
}
// A count of tenths with a mark for what is missing: the largest double, next to noise of spread 0.1.
inline Target mark(double input_one, double input_zero) {
  return on(one_by_one("mark", Promise::pure(1), {Reading::number},
                       [=](auto input, auto out, auto& source) {
                         const bool instead = uniform(source) < 0.05;
                         out[0] = instead ? (input[0] > 0 ? input_one : input_zero)
                                          : on_grid(input[0] + laplace(0.1, source));
                       }),
            {0}, {0.1});
}
// As many numbers as there are rows, or always four.
inline Target length_shown(bool shown) {
  return on(one_by_one("length", Promise::pure(1), Shape(4, Reading::number),
                       [shown](auto input, auto out, auto& source) {
                         const std::size_t length = shown ? static_cast<std::size_t>(input[0]) + 2 : 4;
                         for (std::size_t i = 0; i < length; ++i) out[i] = on_grid(laplace(1, source));
                       }),
            {0}, {1});
}
// A Gaussian count that promises mu = 1, on a fine grid.
inline Target gaussian_count(const Rational& sigma) {
  const random::DiscreteGaussian law(64 * sigma);
  return on(one_by_one("Gaussian count", Promise::from_text("mu=1"), {Reading::number},
                       [law](auto input, auto out, auto& source) {
                         out[0] = input[0] + static_cast<double>(law.draw(source)) / 64;
                       }),
            {0}, {1});
}
// Textbook Laplace noise in doubles, and the same rounded onto a grid (T-52).
inline Target float_laplace(bool rounded) {
  return on(one_by_one("double Laplace", Promise::pure(Rational(1, 10)), {Reading::number},
                       [rounded](auto input, auto out, auto& source) {
                         const double noisy = input[0] + laplace(10, source);
                         out[0] = rounded ? on_grid(noisy) : noisy;
                       }),
            {0}, {1});
}

struct Twins {
  std::string name;
  Target right, broken;
};

inline std::vector<Twins> all_twins() {
  const SparseVector right{2, 4};
  const auto sparse = [](const SparseVector& of) { return on(sparse_vector(1, 5, of), kSparseFirst, kSparseSecond); };
  const auto largest = [](bool value, double scale) {
    return on(noisy_max(1, scale, value), {1, 1, 1, 1, 1}, {2, 0, 0, 0, 0});
  };
  return {
      {"half the noise", laplace_count(1, 1), laplace_count(1, 0.5)},
      {"discrete, half the noise", discrete_count(1, 1), discrete_count(1, Rational(1, 2))},
      {"the truth too often", randomised_response(1, 1), randomised_response(1, 1.5)},
      {"noisy max with a third of the noise", largest(false, 2), largest(false, 0.6)},
      {"noisy max shows the value", largest(false, 2), largest(true, 2)},
      {"sparse vector without noise on answers", sparse(right), sparse({2, 0})},
      {"sparse vector with a third of the noise", sparse(right), sparse({0.7, 1.4})},
      {"sparse vector that does not stop", sparse(right), sparse({2, 1, false})},
      {"one noise for all counts", noisy_counts(1, false), noisy_counts(1, true)},
      {"scale inverted", noisy_counts(1, false), noisy_counts(0.4, false)},
      {"noise cut off", cut_noise(40), cut_noise(1.5)},
      {"the truth in one run of ten", sometimes(0.1, 7, 7), sometimes(0.1, 1, 0)},
      {"NaN for one input", sometimes(0.05, std::nan(""), std::nan("")), sometimes(0.05, std::nan(""), 0)},
      {"infinity for one input", sometimes(0.05, HUGE_VAL, HUGE_VAL), sometimes(0.05, HUGE_VAL, -HUGE_VAL)},
      {"the largest double for one input", mark(DBL_MAX, DBL_MAX), mark(DBL_MAX, -DBL_MAX)},
      {"length shows a row", length_shown(false), length_shown(true)},
      {"Gaussian with half the noise", gaussian_count(1), gaussian_count(Rational(1, 2))},
  };
}

using Test = Report (*)(const Target&, const Effort&);

// The broken twins leak so much more than they promise that this size is ample for whoever finds the event; what a tester
// cannot see is named where it is tested. False alarm 1e-6 for each right one.
inline Effort usual() {
  return {.search = 20'000, .certify = 100'000, .false_alarm = 1e-6, .seed = testing::run_seed()};
}

// Fails unless of all twins not named in `blind` the broken one is caught and the right one passes.
inline void expect_tells_twins(Test test, const std::vector<std::string>& blind) {
  std::size_t caught = 0;
  for (const Twins& twins : all_twins()) {
    if (std::find(blind.begin(), blind.end(), twins.name) != blind.end()) continue;
    const Report passed = test(twins.right, usual());
    EXPECT_EQ(passed.verdict, Verdict::none_found) << twins.name << ": " << passed.witness->event;
    const Report report = test(twins.broken, usual());
    EXPECT_EQ(contradiction(passed), "") << twins.name;
    EXPECT_EQ(contradiction(report), "") << twins.name;
    EXPECT_EQ(report.verdict, Verdict::violated)
        << twins.name << ": " << report.lower_bound << " by " << (report.witness ? report.witness->event : "nothing");
    caught += report.verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_GE(caught, 8U);
}

// Of a count whose promise is exact. What a tester that peeks does here: settle_test.cc.
inline void expect_false_alarms_are_rare(Test test) {
  const Target target = discrete_count(Rational(1, 2), 2);
  EXPECT_TRUE(alarms_are_rare([&](const Effort& effort) {
    Report report = test(target, effort);
    EXPECT_EQ(contradiction(report), "");
    return report;
  }));
}

// What proves 10% at epsilon 0.1 with probability above 1 - 1e-6, given the best event: at p = 0.48 the bounds take 2
// z sqrt((1 - p) / (p n)), z = 2.6 at 5% with four looks, and a deviation moves the estimate by sqrt(2 (1 - p) / (p
// n)): (5.2 + 4.8 * 1.42) * 1.04 / sqrt(n) < 0.0111 from n = 1.3 million on. 3% needs (0.0111 / 0.0031)^2 times as
// many.
// The event is cut on 100,000 runs, so that p may be smaller; looks before the last one spare most audits the rest of
// the four million. Of 12,000 simulated cuts at epsilon 0.1 the rarest had p = 0.12; the mean of their probabilities
// of a miss was 8e-7. At epsilon 1 and 5 it was smaller by far.
// A search over thousands of events must tell the best from lucky ones too: half a million runs put 10% at five deviations.
inline Effort quick(std::int64_t search) {
  return {.search = search, .certify = 4'000'000, .false_alarm = 0.05, .seed = testing::run_seed()};
}
inline Effort full() {
  return {.search = 2'000'000, .certify = 24'000'000, .false_alarm = 0.05, .seed = testing::run_seed()};
}

// A scale 10% too small, and in the nightly run 3%, at epsilon 0.1, 1 and 5, in floating point and discrete.
inline void expect_finds(Test test, int percent, const Effort& effort) {
  for (const Rational& epsilon : {Rational(1, 10), Rational(1), Rational(5)}) {
    const Rational scale = Rational(100 - percent, 100) / epsilon;
    EXPECT_EQ(test(discrete_count(epsilon, scale), effort).verdict, Verdict::violated) << "discrete " << epsilon.str();
    EXPECT_EQ(test(laplace_count(epsilon, scale.to_double_down()), effort).verdict, Verdict::violated)
        << "Laplace " << epsilon.str();
  }
}
inline void expect_finds_a_little(Test test, std::int64_t search = 200'000) {
  expect_finds(test, 10, quick(search));
  if (nightly()) expect_finds(test, 3, full());
}

}  // namespace dither::audit::check
