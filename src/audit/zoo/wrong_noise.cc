// Noise of a wrong law.
#include <algorithm>
#include <cmath>

#include "accounting/curves.h"
#include "audit/zoo/make.h"

namespace dither::audit::zoo {

namespace {

const std::vector<Neighbours> kCount = {{{0}, {1}}};

Target half_scale(bool right) {
  const Laplace noise(right ? Rational(1) : Rational(1, 2));
  return target(
      twin_name("half-scale", right), Promise::pure(1), numbers(1),
      [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); }, kCount);
}

// What a sampler does that works with 7/4 and divides whole numbers.
Target biased_sampler(bool right) {
  const long seven = 7, four = 4;
  const Laplace noise(right ? Rational(seven, four) : Rational(seven / four));
  return target(
      twin_name("biased-sampler", right), Promise::pure({four, seven}), numbers(1),
      [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); }, kCount);
}

// "No answer should be off by more than two": the noise is drawn again until it is small; or the answer is clamped.
Target truncated_noise(bool right) {
  const Laplace law(1);
  return target(
      twin_name("truncated-noise", right), Promise::pure(1), numbers(1),
      [law, right](auto input, auto row, auto& source) {
        double noise = law.draw(source);
        while (!right && std::abs(noise) > 2) noise = law.draw(source);
        row[0] = right ? std::clamp(input[0] + noise, -2.0, 3.0) : input[0] + noise;
      },
      kCount);
}

// "Counts are never too small": noise with one sign.
Target one_sided(bool right) {
  const Laplace law(1);
  return target(
      twin_name("one-sided", right), Promise::pure(1), numbers(1),
      [law, right](auto input, auto row, auto& source) {
        row[0] = input[0] + (right ? law.draw(source) : law.draw_positive(source));
      },
      kCount);
}

// Whole noise on a value that is not whole, and rounding before or after.
Target rounded_noise(bool right) {
  const Laplace law(1);
  return target(twin_name("rounded-noise", right), Promise::pure(1), numbers(1),
                [law, right](auto input, auto row, auto& source) {
                  const double noise = law.draw(source);
                  row[0] = right ? std::round(input[0] + noise) : input[0] + std::round(noise);
                },
                {{{0}, {0.5}}});
}

// Gaussian noise keeps no pure promise; the twin promises what it does keep.
Target gaussian_pure(bool right) {
  const Gaussian noise(1);
  return target(
      twin_name("gaussian-pure", right), right ? Promise(accounting::ConcentratedDp{{1, 2}, 0}) : Promise::pure(1),
      numbers(1), [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); }, kCount);
}

// sigma = sqrt(2 ln(1.25 / delta)) / epsilon is proven for epsilon up to 1. At epsilon 6, delta 3/10 it is .2816, where delta
// is .43 in truth; 1/3 does.
Target textbook_sigma(bool right) {
  const Gaussian noise(Rational::parse(right ? "0.334" : "0.2816"));
  return target(
      twin_name("textbook-sigma", right), Promise::approximate(6, {3, 10}), numbers(1),
      [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); }, kCount);
}

}  // namespace

void add_wrong_noise(std::vector<Entry>& to) {
  plant<half_scale>(to, {"half-scale", "half of the noise", "all of it", 2, {"W-69"}});
  plant<biased_sampler>(
      to, {"biased-sampler", "a sampler that divides whole numbers", "a sampler with fractions", 1, {"peers 1"}});
  plant<truncated_noise>(
      to,
      {"truncated-noise", "noise drawn again until it is small", "the noisy answer is clamped", kInfinite, {"W-69"}});
  plant<one_sided>(to, {"one-sided", "noise that only adds", "noise of both signs", kInfinite, {"W-69"}});
  plant<rounded_noise>(to, {"rounded-noise",
                            "noise is rounded before it is added",
                            "the noisy answer is rounded",
                            kInfinite,
                            {"W-69", "peers 18"},
                            all_but({"kernel"})});
  plant<gaussian_pure>(
      to, {"gaussian-pure", "Gaussian noise with a pure promise", "Gaussian noise with rho", kInfinite, {"W-69"}});
  plant<textbook_sigma>(to, {"textbook-sigma",
                             "the textbook's sigma at epsilon 6",
                             "the exact sigma",
                             kInfinite,
                             {"peers 36"},
                             {"stat-dp", "dp-finder", "delta-siege"},
                             "delta-siege",
                             50'000,
                             1'000'000});
}

}  // namespace dither::audit::zoo
