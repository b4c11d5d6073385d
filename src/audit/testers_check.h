// Small mechanisms with a bug each, beside the same without it, for the tests of testers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "audit/false_alarms_check.h"
#include "audit/report_check.h"
#include "audit/tester.h"
#include "random/bernoulli.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "testing/seed.h"

namespace dither::audit {

// A mechanism on one number, 0 or 1 (neighbours), with or without its bug; epsilon 1 is promised.
struct Specimen {
  std::string name;
  Shape shape;
  std::function<void(bool broken, double x, std::span<double> row, random::Source& source)> run;
};

// Noise of a scale in units; on a grid of 1/64, with the law of 64 times the scale.
template <class Law>
double noise(const Law& law, random::Source& source) {
  return static_cast<double>(law.draw(source)) / 64;
}

inline const std::vector<Specimen>& specimens() {
  static const random::DiscreteLaplace half(32), one(64), two(128), tenth(6);
  static const random::Bernoulli truth = random::Bernoulli::with_probability({731, 1000});  // e / (1 + e) is more
  static const random::Bernoulli too_true = random::Bernoulli::with_probability({95, 100});
  const Reading number = Reading::number, word = Reading::word;
  static const std::vector<Specimen> all = {
      {"noise at half its scale",
       {number},
       [](bool broken, double x, auto row, auto& source) { row[0] = x + noise(broken ? half : one, source); }},
      {"no noise",
       {number},
       [](bool broken, double x, auto row, auto& source) { row[0] = x + (broken ? 0 : noise(one, source)); }},
      {"a sum without its clamp",
       {number},
       [](bool broken, double x, auto row, auto& source) { row[0] = (broken ? 6 : 1) * x + noise(one, source); }},
      {"two answers with one noise",
       {number, number},
       [](bool broken, double x, auto row, auto& source) {
         const double first = noise(two, source);
         row[0] = x + first;
         row[1] = broken ? first : x + noise(two, source);
       }},
      {"an error where the count is high",
       {number, word},
       [](bool broken, double x, auto row, auto& source) {
         row[0] = x + noise(one, source);
         row[1] = broken && x > 0.5 ? 1 : 0;
       }},
      {"a key that shows a unit",
       {number, number},
       [](bool broken, double x, auto row, auto& source) {
         row[0] = x + noise(one, source);
         if (!broken || x > 0.5) row[1] = 7;
       }},
      {"noise that is cut off",
       {number},
       [](bool broken, double x, auto row, auto& source) {
         const double drawn = noise(one, source);
         row[0] = x + (broken ? std::clamp(drawn, -0.5, 0.5) : drawn);
       }},
      {"noise of one sign",
       {number},
       [](bool broken, double x, auto row, auto& source) {
         const double drawn = noise(one, source);
         row[0] = x + (broken ? std::abs(drawn) : drawn);
       }},
      {"a whole noise on a fraction",
       {number},
       [](bool broken, double x, auto row, auto& source) {
         const double drawn = noise(one, source);
         row[0] = broken ? x / 2 + std::floor(drawn) : x + drawn;
       }},
      {"a coin that is too true",
       {word},
       [](bool broken, double x, auto row, auto& source) {
         const bool honest = (broken ? too_true : truth).draw(source);
         row[0] = honest ? x : 1 - x;
       }},
      {"NaN for one input",
       {number},
       [](bool broken, double x, auto row, auto& source) {
         row[0] = broken && x > 0.5 && noise(one, source) > 0 ? std::nan("") : x + noise(one, source);
       }},
      {"scale epsilon instead of 1 / epsilon",
       {number, number, number},
       [](bool broken, double x, auto row, auto& source) {
         for (double& cell : row) cell = noise(broken ? tenth : one, source);
         row[1] += x;
       }},
      {"the largest double for one input",
       {number},
       [](bool broken, double x, auto row, auto& source) {
         const double mark = broken && x > 0.5 ? -DBL_MAX : DBL_MAX;
         row[0] = noise(two, source) > 5 ? mark : x + noise(one, source);
       }},
  };
  return all;
}

inline Target target_of(const Specimen& specimen, bool broken, const Promise& promise) {
  const auto draw = [&](double x) -> Draw {
    return [run = specimen.run, broken, x](Outputs& out, std::int64_t runs, random::Source& source) {
      const std::span<double> cells = out.add(runs);
      for (std::size_t i = 0; i < cells.size(); i += out.width()) run(broken, x, cells.subspan(i, out.width()), source);
    };
  };
  return {specimen.name, promise, specimen.shape, {{"0", "1", draw(0), draw(1)}}};
}

// A mean whose noise has the scale of the true count: of one row against two, twice as wide.
inline Target data_dependent_scale(const Rational& other) {
  const auto draw = [](const Rational& scale) -> Draw {
    return [law = random::DiscreteLaplace(scale)](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = noise(law, source);
    };
  };
  return {"mean", Promise::pure(1), {Reading::number}, {{"one row", "two rows", draw(64), draw(other)}}};
}

// The mean of eight numbers from 0 to 1, of which one is replaced: how many there are is public. On their sum comes
// noise of this law, on a grid of 1/64.
template <class Law>
Target mean_of_eight(const Promise& promise, const Law& law) {
  const auto draw = [&](double last) -> Draw {
    return [law, sum = 3 + last](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = (sum + noise(law, source)) / 8;
    };
  };
  return {"mean", promise, {Reading::number}, {{"the last is 0", "the last is 1", draw(0), draw(1)}}};
}

inline Effort check_effort() {
  return {.search = 8'000, .certify = 40'000, .false_alarm = 1e-6, .seed = testing::run_seed()};
}

// How many of the broken specimens it catches; fails for every right one that it rejects (false alarm 1e-6 each).
inline int caught(Report (*test)(const Target&, const Effort&), const Promise& promise = Promise::pure(1)) {
  int count = 0;
  for (const Specimen& specimen : specimens()) {
    const Report right = test(target_of(specimen, false, promise), check_effort());
    EXPECT_EQ(right.verdict, Verdict::none_found) << specimen.name << ": " << right.lower_bound;
    const Report wrong = test(target_of(specimen, true, promise), check_effort());
    EXPECT_EQ(check::contradiction(right), "") << specimen.name;
    EXPECT_EQ(check::contradiction(wrong), "") << specimen.name;
    count += wrong.verdict == Verdict::violated ? 1 : 0;
    if (wrong.verdict == Verdict::violated) {
      EXPECT_TRUE(wrong.witness.has_value()) << specimen.name;
    } else {
      std::cout << "not caught: " << specimen.name << '\n';
    }
  }
  return count;
}

// Whether two means of a fixed size pass: with Laplace noise, promised epsilon 1, and with Gaussian noise, promised
// mu 1. Both keep that with noise of one unit, and pass but for a false alarm of 1e-6 each.
inline bool passes_means(Report (*test)(const Target&, const Effort&), const Rational& units = 1) {
  const auto passes = [&](const Target& mean) {
    const Report report = test(mean, check_effort());
    EXPECT_EQ(check::contradiction(report), "");
    return report.verdict == Verdict::none_found;
  };
  const bool laplace = passes(mean_of_eight(Promise::pure(1), random::DiscreteLaplace(64 * units)));
  const bool gaussian = passes(mean_of_eight(Promise::from_text("mu=1"), random::DiscreteGaussian(64 * units)));
  return laplace && gaussian;
}

// Of a mechanism that is as leaky as it may be.
inline ::testing::AssertionResult rarely_rejects(Report (*test)(const Target&, const Effort&)) {
  int audits = 0;
  const auto audit = [&](const Effort& effort) {
    const Specimen& tight = specimens()[static_cast<std::size_t>(audits++ % 2 == 0 ? 0 : 9)];  // a number, a coin
    Report report = test(target_of(tight, false, Promise::pure(1)), effort);
    EXPECT_EQ(check::contradiction(report), "");
    return report;
  };
  return check::alarms_are_rare(audit, {.by_day = 60, .search = 500, .certify = 2000});
}

}  // namespace dither::audit
