// Discrete Gaussian noise as atoms, or between two Gaussians.
//
// Proof of the sandwich. Write s^2 = sigma^2 - t^2 and Theta(y) = sum over integers x of exp(-(x - y)^2 / (2 t^2)). By
// Poisson summation Theta(y) = sqrt(2 pi) t (1 + e(y)), |e| <= k := 2.01 exp(-2 pi^2 t^2) < 10^-154.
// Above: draw y from N(m, s^2), m whole, then a whole x with probability exp(-(x - y)^2 / (2 t^2)) / Theta(y). The law
// of x is exp(-(x - m)^2 / (2 sigma^2)) times a number that varies by the factor (1 + k) / (1 - k) at most, so the
// discrete Gaussian around m is at least 1 - 3k times it. Hence for the pair (P, Q) of discrete Gaussians and that pair
// (P', Q') of processed Gaussians the integral of min(P, e^eps Q) is at least 1 - 3k times that of min(P', e^eps Q'),
// for every real eps: 1 - delta >= (1 - 3k)(1 - delta'), which is the Gaussian pair composed with an infinite loss of
// mass 3k. Below: adding N(0, t^2) to a discrete Gaussian gives the density of N(m, sigma^2 + t^2) times a factor
// within 1 +- k of 1 up to a constant, so delta >= delta'' - 4k P''(Z > eps) for the Gaussian pair with mu'' = d /
// sqrt(sigma^2 + t^2). The derivative of delta'' in mu is phi(eps / mu - mu / 2); reducing mu by 2^-40 of it lowers
// delta'' by more than 4k P''(Z > eps) wherever |eps| / mu < 10^7, that is, unless delta is below exp(-10^13).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/detail/atoms.h"
#include "accounting/detail/response_weight.h"
#include "accounting/native_atoms.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::kBits;
using detail::rounded;

constexpr double kNegligible = 1e-150;

BigInterval exact(const Rational& value) { return {value, kBits}; }

// A number as the sum of two doubles, to about 2^-105 of it.
struct Twofold {
  double high;
  double low;

  explicit Twofold(const BigInterval& value)
      : high(rounded(value)), low(rounded(value - exact(Rational::from_double(high)))) {}

  // The product with a whole number below 2^53: `high` rounded, `low` what is missing.
  Twofold(const Twofold& value, double whole)
      : high(whole * value.high), low(std::fma(whole, value.high, -high) + whole * value.low) {}
};

// The log of the sum of exp(-c k^2) over all integers k: directly when terms fall quickly, else by Poisson summation.
BigInterval log_theta(const Rational& c) {
  const bool quick = c >= 1;
  const BigInterval pi = BigInterval::pi(kBits);
  const BigInterval rate = quick ? exact(c) : pi * pi / exact(c);
  BigInterval sum = exact(0);
  for (long k = 20; k >= 1; --k) sum += exp(-(rate * exact(k * k)));  // the rest is below exp(-441)
  const BigInterval log_sum = log1p(exact(2) * sum);
  return quick ? log_sum : log_sum + log(pi / exact(c)) * exact(Rational(1, 2));
}

class Law {
 public:
  explicit Law(const Rational& sigma)
      : c_(exact(1 / (2 * sigma * sigma))), log_theta_(log_theta(1 / (2 * sigma * sigma))) {}

  // P(x) for a whole |x| < 2^26: within 4 units of 2^-53 (2 for exp, 1 for each of the last two operations).
  double mass(double x) const {
    const Twofold power(c_, x * x);
    const double sum = power.high + log_theta_.high;
    const double big = std::max(power.high, log_theta_.high);
    const double lost = (big - sum) + std::min(power.high, log_theta_.high);
    return std::exp(-sum) * (1 - (lost + power.low + log_theta_.low));
  }

  // At least P(|X| > x): terms fall at least as quickly as at first.
  double tails_up(double x) const {
    const double ratio = exp_up(-mul_down(2 * x + 3, c_.high * (1 - 0x1p-50)));
    return mul_up(2 * (1 + 0x1p-49), div_up(mass(x + 1), sub_down(1, ratio)));
  }

 private:
  Twofold c_;
  Twofold log_theta_;
};

std::vector<Step> exact_atoms(const Rational& sigma, std::uint64_t sensitivity, long reach) {
  const Law law(sigma);
  const auto d = static_cast<double>(sensitivity);
  const Twofold slope(exact(Rational(static_cast<Int128>(sensitivity)) / (2 * sigma * sigma)));
  const auto w = static_cast<double>(reach);
  std::vector<LossAtom> atoms;
  const auto add = [&](double from, double to) {  // values d + x, where the loss is d (2 x + d) / (2 sigma^2)
    for (double x = from; x <= to; ++x) {
      const Twofold loss(slope, 2 * x + d);
      if (const double mass = law.mass(x); mass > 0) atoms.push_back({loss.high + loss.low, mass});
    }
  };
  // Both bulks, [-w, w] and d + [-w, w], as far as the first has mass: the rest is symmetric, so it may count as no
  // loss.
  if (d <= 2 * w) {
    add(-w - d, w);
  } else {
    if (d <= 4 * w) add(-w - d, w - d);
    add(-w, w);
  }
  const double rest = std::max(law.tails_up(w), 0x1p-800);
  Step step{detail::atom_loss(atoms, rest), std::nullopt, 1};
  atoms.push_back({0, rest});
  step.below = detail::atom_loss(std::move(atoms), 0);
  return {step};
}

std::vector<Step> sandwich(const Rational& sigma, std::uint64_t sensitivity) {
  const Rational spread(17 * 17, 16);
  const BigInterval d = exact(static_cast<Int128>(sensitivity));
  const auto mu = [&](const Rational& variance) { return rounded(d / sqrt(exact(variance))); };
  const GaussianLoss above{mu(sigma * sigma - spread)};
  const GaussianLoss below{mu(sigma * sigma + spread) * (1 - 0x1p-40)};
  return {Step{above, below, 1}, Step{AtomLoss{{{0, 1}}, kNegligible}, no_loss(), 1}};
}

}  // namespace

std::vector<Step> discrete_gaussian(const Rational& sigma, std::uint64_t sensitivity, std::size_t most_atoms) {
  detail::require_gaussian(sigma, sensitivity);
  if (most_atoms < 1000 || most_atoms > (1u << 24)) {
    throw Error{Code::bad_count, fmt::format("{} atoms for discrete Gaussian noise", most_atoms),
                "allow between 1000 and 2^24"};
  }
  const Int128 reach = (sigma * Rational(53, 2)).ceil() + 1;
  if (4 * reach + 2 > static_cast<Int128>(most_atoms)) return sandwich(sigma, sensitivity);
  return exact_atoms(sigma, sensitivity, static_cast<long>(reach));
}

}  // namespace dither::accounting
