#include "mechanisms/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/gaussian.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/roots.h"

namespace dither::mechanisms {

namespace {

void require_distance(const Rational& distance) {
  if (distance.sign() > 0) return;
  throw Error{Code::bad_distance, fmt::format("the distance is {}, but noise is for values that move", distance.str()),
              "give the largest distance of neighbours, in steps of the grid"};
}

void require_epsilon(const Rational& epsilon) {
  if (epsilon.sign() > 0) return;
  throw Error{Code::bad_number, fmt::format("epsilon is {}, but must be positive", epsilon.str()),
              "give an epsilon above 0"};
}

void require_delta(const Rational& delta) {
  if (delta >= Rational::power_of_two(-1000) && delta < 1) return;
  throw Error{Code::bad_probability,
              fmt::format("delta is {}, but Gaussian noise needs one from 2^-1000 on, below 1", delta.str()),
              "give a delta such as 1e-6, or use Laplace noise, which needs none"};
}

Rational rounded(double up) { return Rational::from_double(up); }

// delta(epsilon) of discrete Gaussian noise on an integer that moves by `steps`, rounded up: the sum over outputs k of
// p(k) - e^epsilon p(k - steps) where that is positive, which is below steps / 2 - epsilon sigma^2 / steps.
//
// Exponents reach 722 (38 sigma; the rest is below 1e-300) and epsilon 500, so each term is right to 1e-12 of p(k) in
// plain doubles.
double discrete_delta_up(double sigma, double steps, double epsilon) {
  const double c = -1 / (2 * sigma * sigma);
  const double last = std::ceil(38 * sigma);
  const auto first = std::min(last, std::floor(steps / 2 - epsilon * sigma * sigma / steps) + 1);
  double excess = 0;
  double mass = 0;
  for (double k = -last; k <= first; ++k) {
    const double p = std::exp(c * k * k);
    mass += p;
    excess += std::max(0.0, p - std::exp(epsilon + c * (k - steps) * (k - steps)));
  }
  double all = 1;
  for (double k = last; k >= 1; --k) all += 2 * std::exp(c * k * k);
  return (excess + 4e-12 * mass) / all * (1 + 1e-12) + 1e-299;
}

constexpr double kLeast = 0x1p-9;  // samplers go down to 1/1000
constexpr int kMostSummed = 500;   // the largest epsilon that is summed

// Where the sum is long: wide discrete noise costs no more than normal noise of variance sigma^2 - (17/4)^2 and a
// failure of 1e-150 (accounting/native_atoms.h).
Rational wide_discrete_sigma(const Rational& distance, const Rational& epsilon, const Rational& delta) {
  const Rational rest = delta * (1 - Rational::power_of_two(-30));
  const double normal = analytic_sigma(distance * distance, epsilon, rest).to_double_up();
  return rounded(sqrt_up(add_up(mul_up(normal, normal), 18.0625)));
}

}  // namespace

Rational laplace_scale(const Rational& l1, const Rational& epsilon) {
  require_distance(l1);
  require_epsilon(epsilon);
  return l1 / epsilon;
}

Rational analytic_sigma(const Rational& l2_squared, const Rational& epsilon, const Rational& delta) {
  require_distance(l2_squared);
  require_delta(delta);
  if (epsilon.sign() < 0) require_epsilon(epsilon);
  const double mu = accounting::gaussian_mu_down(epsilon.to_double_down(), delta.to_double_down());
  return rounded(div_up(sqrt_up(l2_squared.to_double_up()), mu));
}

Rational classical_sigma(const Rational& l2_squared, const Rational& epsilon, const Rational& delta) {
  require_distance(l2_squared);
  require_epsilon(epsilon);
  require_delta(delta);
  if (epsilon > 1) {
    throw Error{Code::no_theorem,
                fmt::format("the classical sigma is proven for epsilon <= 1, not for {}", epsilon.str()),
                "use analytic_sigma: it holds for every epsilon, and is smaller"};
  }
  const double root = sqrt_up(mul_up(2, log_up(div_up(1.25, delta.to_double_down()))));
  return rounded(div_up(mul_up(sqrt_up(l2_squared.to_double_up()), root), epsilon.to_double_down()));
}

Rational discrete_gaussian_sigma(std::uint64_t steps, const Rational& epsilon, const Rational& delta) {
  const Rational distance(static_cast<Int128>(steps));
  require_distance(distance);
  require_epsilon(epsilon);
  require_delta(delta);
  const double wanted = delta.to_double_down();
  const auto kept = [&](double sigma) {
    return discrete_delta_up(sigma, distance.to_double_up(), epsilon.to_double_down()) <= wanted;
  };
  if (wanted < 1e-100 || epsilon > kMostSummed) {
    return std::max(discrete_gaussian_vector_sigma(distance * distance, epsilon, delta), rounded(kLeast));
  }
  double holds = 1.01 * analytic_sigma(distance * distance, epsilon, delta).to_double_up() + 1;
  if (holds > 5000) return wide_discrete_sigma(distance, epsilon, delta);
  while (!kept(holds)) holds *= 2;
  double fails = holds;
  do fails = std::max(fails / 2, kLeast);
  while (fails > kLeast && kept(fails));
  return kept(fails) ? rounded(fails) : rounded(find_turn(kept, fails, holds).holds);
}

Rational discrete_gaussian_vector_sigma(const Rational& l2_squared, const Rational& epsilon, const Rational& delta) {
  require_distance(l2_squared);
  require_epsilon(epsilon);
  require_delta(delta);
  const double rho = accounting::zcdp_rho_down(epsilon.to_double_down(), delta.to_double_down());
  return rounded(sqrt_up(div_up(l2_squared.to_double_up(), mul_down(2, rho))));
}

}  // namespace dither::mechanisms
