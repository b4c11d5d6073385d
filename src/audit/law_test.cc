#include "audit/law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "audit/searching_check.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "random/uniform.h"
#include "stats/binomial.h"
#include "stats/multinomial.h"

namespace dither::audit {
namespace {

// Draws that were written down before, one after the other.
SampledLaw written_down(std::int64_t high, std::function<double(std::int64_t)> probability,
                        const std::vector<std::int64_t>& counts) {
  auto draws = std::make_shared<std::vector<std::int64_t>>();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    draws->insert(draws->end(), static_cast<std::size_t>(counts[k]), static_cast<std::int64_t>(k));
  }
  auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return {"written down", 0, high, std::move(probability), [draws, next](std::span<std::int64_t> out, random::Source&) {
            for (std::int64_t& k : out) k = draws->at((*next)++);
          }};
}

Effort effort(std::int64_t draws) {
  Effort one;
  one.certify = draws;
  one.false_alarm = 1e-6;
  return one;
}

// Outcomes 0 and 1 have a half each but for 5e-12, which a sum of probabilities does not show. One draw of the rest among
// 1000 has probability below 1e-8 whatever is right to 1e-11, so it is one; among 100,000 it proves nothing at 1e-6.
TEST(Law, ARareRestThatTheSumDoesNotShowIsNoViolation) {
  const auto half = [](std::int64_t) { return 0.5 - 2.5e-12; };
  EXPECT_EQ(check_law(written_down(1, half, {50'000, 49'999, 1}), effort(100'000)).verdict, Verdict::none_found);
  EXPECT_EQ(check_law(written_down(1, half, {500, 490, 10}), effort(1000)).verdict, Verdict::violated);
}

// Sixteen frequent outcomes, each off by 5.6 deviations, among a thousand that never come. No single cell shows it, after
// its share of the alarm; the entropy has a thousand and more degrees of freedom to forgive; the distance has not.
// Spec: T-49
TEST(Law, PlantedDeviationThatOnlyTheDistanceShowsIsCaught) {
  constexpr std::int64_t kRuns = 64'000, kOff = 343, kHigh = 1015;
  const auto law = [](std::int64_t k) { return k < 16 ? (1 - 1e-6) / 16 : 1e-9; };
  std::vector<std::int64_t> right(16, kRuns / 16), off;
  for (int k = 0; k < 16; ++k) off.push_back(kRuns / 16 + (k % 2 == 0 ? kOff : -kOff));

  std::vector<double> probabilities;
  for (std::int64_t k = 0; k <= kHigh; ++k) probabilities.push_back(law(k));
  probabilities.push_back(1e-11);
  std::vector<std::int64_t> cells = off;
  cells.resize(probabilities.size());
  const double share = 1e-6 / 3, cell = share / (2 * static_cast<double>(cells.size()));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_GT(stats::binomial_log_upper(cells[k], kRuns, probabilities[k]), std::log(cell));
    EXPECT_GT(stats::binomial_log_lower(cells[k], kRuns, probabilities[k]), std::log(cell));
  }
  const double divergence = stats::multinomial_divergence(cells, probabilities);
  EXPECT_GT(stats::divergence_log_tail_bound(divergence, static_cast<std::int64_t>(cells.size())), std::log(share));

  EXPECT_EQ(check_law(written_down(kHigh, law, off), effort(kRuns)).verdict, Verdict::violated);
  EXPECT_EQ(check_law(written_down(kHigh, law, right), effort(kRuns)).verdict, Verdict::none_found);
}

// Discrete Laplace noise, against the law of scale 2.
Report noise_against_scale_two(const Rational& scale, const Effort& effort) {
  const auto probability = [](std::int64_t k) {
    return std::tanh(0.25) * std::exp(-0.5 * std::abs(static_cast<double>(k)));
  };
  const random::DiscreteLaplace law(scale);
  return check_law({"noise", -12, 12, probability,
                    [law](std::span<std::int64_t> out, random::Source& source) { law.fill(out, source); }},
                   effort);
}

TEST(Law, FalseAlarmsAreRare) {
  EXPECT_TRUE(check::alarms_are_rare([](const Effort& effort) { return noise_against_scale_two(2, effort); }));
}

// Scale 3 has the outcome 0 with probability .165 instead of .245: of 4000 draws, twelve deviations.
TEST(Law, PlantedWiderNoiseIsCaught) { EXPECT_EQ(noise_against_scale_two(3, effort(4000)).verdict, Verdict::violated); }

using OneDraw = std::function<std::int64_t(random::Source&)>;

// What a sampler should draw, how it is drawn right, and a slip.
struct Slip {
  std::string_view what;
  std::int64_t low, high;
  std::function<double(std::int64_t)> probability;
  OneDraw right, wrong;
};

Slip slip_of_die(std::string_view what, OneDraw wrong) {
  const auto right = [](random::Source& source) {
    return static_cast<std::int64_t>(random::uniform_below(10, source));
  };
  return {what, 0, 9, [](std::int64_t) { return 0.1; }, right, std::move(wrong)};
}

OneDraw noise(const Rational& scale) {
  return [law = random::DiscreteLaplace(scale)](random::Source& source) {
    return static_cast<std::int64_t>(law.draw(source));
  };
}
Slip slip_of_noise(std::string_view what, const Rational& scale, OneDraw wrong) {
  const double rate = 1 / scale.to_double_down();
  const auto probability = [rate](std::int64_t k) {
    return std::tanh(rate / 2) * std::exp(-rate * std::abs(static_cast<double>(k)));
  };
  return {what, -12, 12, probability, noise(scale), std::move(wrong)};
}

std::vector<Slip> slips() {
  using random::Source;
  const OneDraw two = noise(2);
  return {
      slip_of_die("off by one", [](Source& source) { return std::int64_t(random::uniform_below(9, source)); }),
      slip_of_die("bits modulo ten", [](Source& source) { return std::int64_t(source.bits(4) % 10); }),
      slip_of_die("a stuck bit", [](Source& source) { return std::int64_t(random::uniform_below(10, source) & ~1U); }),
      slip_of_noise("half of the scale", 2, noise(1)),
      slip_of_noise("whole division", {5, 2}, noise(5 / 2)),
      slip_of_noise("a grid too coarse", 2, [one = noise(1)](Source& source) { return 2 * one(source); }),
      slip_of_noise("drawn again when large", 2,
                    [two](Source& source) {
                      std::int64_t k = two(source);
                      while (std::abs(k) > 4) k = two(source);
                      return k;
                    }),
      slip_of_noise("clamped", 2, [two](Source& source) { return std::clamp<std::int64_t>(two(source), -4, 4); }),
      slip_of_noise("one sign", 2, [two](Source& source) { return std::abs(two(source)); }),
      slip_of_noise("shifted", 2, [two](Source& source) { return two(source) + 1; }),
      slip_of_noise("the upper tail swapped", 2,
                    [two](Source& source) {
                      const std::int64_t k = two(source);
                      return k >= 3 ? -k : k;
                    }),
      slip_of_noise("a zero of either sign", 2,
                    [two](Source& source) {
                      std::int64_t size = two(source);
                      while (size < 0) size = two(source);
                      return source.bits(1) == 1 ? -size : size;
                    }),
  };
}

// 20,000 draws, false alarm 1e-7 each. The faintest slip is the modulus: six outcomes are 11.8 deviations too frequent,
// and 6.2 are a violation.
// Spec: T-49, W-69
TEST(Law, PlantedSamplersOfManyKindsAreCaught) {
  const auto verdict = [](const Slip& slip, const OneDraw& draw) {
    Effort one = effort(20'000);
    one.false_alarm = 1e-7;
    return check_law({std::string(slip.what), slip.low, slip.high, slip.probability,
                      [draw](std::span<std::int64_t> out, random::Source& source) {
                        for (std::int64_t& k : out) k = draw(source);
                      }},
                     one)
        .verdict;
  };
  for (const Slip& slip : slips()) {
    EXPECT_EQ(verdict(slip, slip.wrong), Verdict::violated) << slip.what;
    EXPECT_EQ(verdict(slip, slip.right), Verdict::none_found) << slip.what;
  }
}

}  // namespace
}  // namespace dither::audit
