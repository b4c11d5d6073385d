#include "accounting/shuffle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kRare = 1e-45;  // terms below this share of the largest one are not followed

void require_people(const Rational& epsilon, std::uint64_t people) {
  detail::require_epsilon(epsilon);
  if (epsilon == 0) throw Error{Code::bad_number, "epsilon is 0: nothing is revealed", "give epsilon > 0"};
  if (people >= 2 && people <= 10'000'000'000) return;
  throw Error{Code::bad_count, fmt::format("{} people, but shuffling is for 2..10^10", people),
              "use the local guarantee for one person"};
}

// The terms of a binomial law around its mode, as shares of the sum of those kept: never below the true probabilities
// but for rounding. `rest_up` bounds the probability of all others.
struct Window {
  std::uint64_t first;
  std::vector<double> shares;
  double rest_up;
};

// odds = p / (1 - p). Each step errs by at most 2 units, or 3 more when odds does, and so does the sum.
Window binomial_window(std::uint64_t n, double odds) {
  const double p = odds / (1 + odds);
  const auto mode = static_cast<std::uint64_t>(std::min(static_cast<double>(n), (static_cast<double>(n) + 1) * p));
  const auto ratio_up = [&](std::uint64_t k) {  // of term k + 1 to term k
    return static_cast<double>(n - k) / static_cast<double>(k + 1) * odds;
  };
  double rest = 0;
  std::vector<double> lower;
  double term = 1;
  for (std::uint64_t k = mode; k > 0; --k) {
    const double ratio = 1 / ratio_up(k - 1);
    term *= ratio;
    if (term < kRare) {
      rest += term / (1 - std::min(ratio, 1 - 1e-12));  // ratios fall away from the mode
      break;
    }
    lower.push_back(term);
  }
  std::vector<double> shares(lower.rbegin(), lower.rend());
  shares.push_back(1);
  term = 1;
  for (std::uint64_t k = mode; k < n; ++k) {
    const double ratio = ratio_up(k);
    term *= ratio;
    if (term < kRare) {
      rest += term / (1 - std::min(ratio, 1 - 1e-12));
      break;
    }
    shares.push_back(term);
  }
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share /= sum;
  return {mode - lower.size(), std::move(shares), 2 * rest / sum};
}

// Numbers of clones, rounded down in groups.
struct Clones {
  std::uint64_t count;
  double mass;
};
struct CloneLaw {
  std::vector<Clones> groups;
  double rest_up;  // the probability of all other numbers
  double steps;    // how often the recursion rounded
};

CloneLaw clone_law(double epsilon, std::uint64_t people, double most_steps) {
  const Window window = binomial_window(people - 1, 1 / std::expm1(epsilon));
  const std::size_t size = window.shares.size();
  const double clones = static_cast<double>(window.first) + static_cast<double>(size);
  const double wide = std::clamp(most_steps / (15 * std::sqrt(clones) + 1), 16.0, 1e9);
  const auto width = static_cast<std::size_t>(std::ceil(static_cast<double>(size) / wide));
  CloneLaw law{{}, window.rest_up, static_cast<double>(size)};
  for (std::size_t i = 0; i < size; i += width) {
    double mass = 0;
    for (std::size_t j = i; j < std::min(size, i + width); ++j) mass += window.shares[j];
    law.groups.push_back({window.first + i, mass});
  }
  return law;
}

// Calls use(u, weight) for the outcomes of one group, u = x / (clones + 1): P is weight * 2 (a u + (1 - a)(1 - u)), Q
// the same at 1 - u. Returns the probability of outcomes left out.
template <class Use>
double for_outcomes(const Clones& clones, double* steps, const Use& use) {
  const std::uint64_t m = clones.count + 1;
  const Window window = binomial_window(m, 1);
  for (std::size_t i = 0; i < window.shares.size(); ++i) {
    use(static_cast<double>(window.first + i) / static_cast<double>(m), clones.mass * window.shares[i]);
  }
  *steps = std::max(*steps, static_cast<double>(window.shares.size()));
  return 2 * clones.mass * window.rest_up;  // P is at most twice the binomial law
}

}  // namespace

double shuffle_delta_up(const Rational& epsilon, std::uint64_t people, double at_epsilon) {
  require_people(epsilon, people);
  detail::require_not_negative("epsilon", at_epsilon);
  const double e0 = epsilon.to_double_up();
  if (at_epsilon >= e0) return 0;
  const double a = 1 / (1 + std::exp(-e0));
  const double b = 1 / (1 + std::exp(e0));
  const double growth = std::exp(at_epsilon);
  const CloneLaw law = clone_law(e0, people, 5e6);
  double sum = 0;
  double seen = 0;
  double rest = law.rest_up;
  double steps = 0;
  double terms = 0;
  for (const Clones& clones : law.groups) {
    rest += for_outcomes(clones, &steps, [&](double u, double weight) {
      const double p = 2 * weight * (a * u + b * (1 - u));
      const double excess = p - growth * (2 * weight * (b * u + a * (1 - u)));
      if (excess <= 0) return;
      sum += excess;
      seen += p;
      ++terms;
    });
  }
  // Terms are positive; each errs by 32 units of p in the difference, and with the laws by 4 units a step.
  const double relative = kUnit * (4 * steps + 12 * law.steps + terms + 64);
  return std::min(1.0, sum * (1 + 2 * relative) + 32 * kUnit * seen + rest);
}

AtomLoss shuffle_loss(const Rational& epsilon, std::uint64_t people, std::size_t most_atoms) {
  require_people(epsilon, people);
  if (most_atoms < 16 || most_atoms > 1'000'000) {
    throw Error{Code::bad_count, fmt::format("{} atoms for the shuffle model", most_atoms), "allow 16 to 10^6"};
  }
  const double e0 = epsilon.to_double_up();
  const double a = 1 / (1 + std::exp(-e0));
  const double b = 1 / (1 + std::exp(e0));
  const CloneLaw law = clone_law(e0, people, 2e6);
  const auto loss_of = [&](double u) { return std::log((a * u + b * (1 - u)) / (b * u + a * (1 - u))); };

  // The largest loss among outcomes kept, and cells up to it on both sides, narrower around 0 where the mass is.
  double steps = 0;
  double top_u = 0;
  for_outcomes(law.groups.front(), &steps, [&](double u, double) { top_u = std::max(top_u, u); });
  const double top = std::min(e0, loss_of(top_u) * (1 + 0x1p-40));
  const std::size_t cells = most_atoms - 2;
  std::vector<double> loss(cells + 1);
  std::vector<double> ratio(cells + 1);
  std::vector<double> edge(cells + 1);  // the u at which the ratio of P to Q is `ratio`
  for (std::size_t k = 0; k <= cells; ++k) {
    const double t = 2 * static_cast<double>(k) / static_cast<double>(cells) - 1;
    loss[k] = k == 0 ? -top : k == cells ? top : top * (std::sinh(3 * t) / std::sinh(3.0));
    ratio[k] = std::exp(loss[k]);
    edge[k] = (ratio[k] * a - b) / ((a - b) * (1 + ratio[k]));
  }

  std::vector<double> p(cells);
  std::vector<double> q(cells);
  std::vector<double> terms(cells);
  double rest = law.rest_up;
  for (const Clones& clones : law.groups) {
    std::size_t k = 0;
    rest += for_outcomes(clones, &steps, [&](double u, double weight) {
      while (k + 1 < cells && u > edge[k + 1]) ++k;
      p[k] += 2 * weight * (a * u + b * (1 - u));
      q[k] += 2 * weight * (b * u + a * (1 - u));
      ++terms[k];
    });
  }

  // The relative error of p and q: the laws, the four operations, and the sums.
  const double most_terms = *std::max_element(terms.begin(), terms.end());
  const double error = kUnit * (4 * steps + 12 * law.steps + most_terms + 64);
  std::vector<LossAtom> atoms(cells + 1);
  for (std::size_t k = 0; k <= cells; ++k) atoms[k].loss = loss[k];
  for (std::size_t k = 0; k < cells; ++k) {
    const double stretch = ratio[k + 1] / (ratio[k + 1] - ratio[k]);
    const double up = std::clamp((p[k] - ratio[k] * q[k] + 4 * error * p[k]) * stretch, 0.0, p[k]);
    atoms[k + 1].mass += up;
    atoms[k].mass += p[k] - up;
  }
  if (top < e0) atoms.push_back({e0, 0});
  atoms.back().mass += rest;

  // Raise every mass by the error, from the top down until they sum to 1: the loss grows stochastically.
  AtomLoss result;
  double left = 1;
  for (auto atom = atoms.rbegin(); atom != atoms.rend() && left > 0; ++atom) {
    const double mass = std::min(left, atom->mass * (1 + 2 * error));
    if (mass < 1e-250) continue;
    left -= mass;
    result.atoms.push_back({atom->loss, mass});
  }
  result.atoms.back().mass += std::max(left, 0.0);
  std::reverse(result.atoms.begin(), result.atoms.end());
  return result;
}

double shuffle_epsilon_up(const Rational& epsilon, std::uint64_t people, double delta) {
  require_people(epsilon, people);
  if (!(delta > 0 && delta < 1)) {
    throw Error{Code::bad_probability, fmt::format("delta is {}, but it must lie in (0, 1)", delta),
                "give a small delta"};
  }
  const double e0 = epsilon.to_double_up();
  const auto n = static_cast<double>(people);
  const double log_term = log_up(div_up(4, delta));
  if (e0 > 40 || exp_up(e0) > div_down(n, mul_up(16, log_term))) {
    throw Error{
        Code::no_theorem,
        fmt::format("epsilon {} is above ln(n / (16 ln(4/delta))) for {} people and delta {}", e0, people, delta),
        "use the numerical pair, more people, or a larger delta"};
  }
  const double power = exp_up(e0);
  const double clones = mul_up(8, sqrt_up(div_up(mul_up(power, log_term), n)));
  const double bracket = add_up(clones, div_up(mul_up(8, power), n));
  const double share = div_up(expm1_up(e0), add_down(exp_down(e0), 1));
  return std::min(e0, log1p_up(mul_up(share, bracket)));
}

Estimate shuffle_heuristic(const Rational& epsilon, std::uint64_t people, double delta) {
  require_people(epsilon, people);
  detail::require_probability("delta", delta);
  const auto n = static_cast<double>(people);
  const double one = std::log1p(std::expm1(epsilon.to_double_up()) / n);
  return {n * one * one / 2 + std::sqrt(2 * std::log(1 / delta) * n) * one,
          "n releases at rate 1/n by advanced composition, which shuffling is not"};
}

}  // namespace dither::accounting
