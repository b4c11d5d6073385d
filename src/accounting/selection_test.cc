#include "accounting/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "accounting/native_atoms.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;
using Law = std::vector<double>;
using Selector = std::function<Law(const std::vector<double>& scores)>;

double renyi(const Law& p, const Law& q, double order) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * std::pow(p[i] / q[i], order - 1);
  return std::log(sum) / (order - 1);
}

double delta(const Law& p, const Law& q, double e) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(e) * q[i]);
  return sum;
}

Law normalised(Law law) {
  const double sum = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& x : law) x /= sum;
  return law;
}

// Exact output laws for epsilon = `e` and sensitivity 1.

Law exponential_law(const std::vector<double>& scores, double e) {
  Law law;
  for (const double s : scores) law.push_back(std::exp(e * s / 2));
  return normalised(law);
}

Law permute_and_flip_law(const std::vector<double>& scores, double e) {
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Law law(scores.size());
  do {
    double reached = 1;
    for (const std::size_t i : order) {
      const double flip = std::exp(e / 2 * (scores[i] - best));
      law[i] += reached * flip;
      reached *= 1 - flip;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return normalised(law);
}

// The largest of scores with noise, by integrating over the winner's value.
Law noisy_max_law(const std::vector<double>& scores, const std::function<double(double)>& density,
                  const std::function<double(double)>& cdf, double reach) {
  Law law(scores.size());
  const int cells = 20000;
  for (int c = 0; c < cells; ++c) {
    const double x = -reach + 2 * reach * (c + .5) / cells;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      double value = density(x - scores[i]) * 2 * reach / cells;
      for (std::size_t j = 0; j < scores.size(); ++j) value *= i == j ? 1 : cdf(x - scores[j]);
      law[i] += value;
    }
  }
  return normalised(law);
}

Law laplace_max_law(const std::vector<double>& scores, double e) {
  const double b = 2 / e;
  return noisy_max_law(
      scores, [b](double x) { return std::exp(-std::abs(x) / b) / (2 * b); },
      [b](double x) { return x < 0 ? .5 * std::exp(x / b) : 1 - .5 * std::exp(-x / b); }, 40 * b);
}

Law exponential_max_law(const std::vector<double>& scores, double e) {
  const double b = 2 / e;
  return noisy_max_law(
      scores, [b](double x) { return x < 0 ? 0 : std::exp(-x / b) / b; },
      [b](double x) { return x < 0 ? 0 : -std::expm1(-x / b); }, 40 * b);
}

Law gumbel_max_law(const std::vector<double>& scores, double e) {
  const double b = 2 / e;
  return noisy_max_law(
      scores, [b](double x) { return std::exp(-x / b - std::exp(-x / b)) / b; },
      [b](double x) { return std::exp(-std::exp(-x / b)); }, 40 * b);
}

// The first of three queries whose noisy value exceeds a noisy threshold, or none; half of epsilon for each.
Law sparse_vector_law(const std::vector<double>& values, double e) {
  const double threshold_scale = 2 / e;
  const double query_scale = 4 / e;
  const auto below = [&](double x) {
    return x < 0 ? .5 * std::exp(x / query_scale) : 1 - .5 * std::exp(-x / query_scale);
  };
  Law law(values.size() + 1);
  const int cells = 20000;
  for (int c = 0; c < cells; ++c) {
    const double t = -40 * threshold_scale + 80 * threshold_scale * (c + .5) / cells;
    double reached = std::exp(-std::abs(t) / threshold_scale);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double stays = below(t - values[i]);
      law[i] += reached * (1 - stays);
      reached *= stays;
    }
    law[values.size()] += reached;
  }
  return normalised(law);
}

// Every score vector in {0, 1, 3}^n and every neighbour that moves scores by -1, 0 or 1.
void for_neighbours(std::size_t n, const Selector& selector, const std::function<void(const Law&, const Law&)>& check) {
  const std::vector<double> levels{0, 1, 3};
  for (int code = 0; code < static_cast<int>(std::pow(3, n)); ++code) {
    std::vector<double> scores;
    for (int rest = code, i = 0; i < static_cast<int>(n); ++i, rest /= 3)
      scores.push_back(levels[static_cast<std::size_t>(rest % 3)]);
    const Law law = selector(scores);
    for (int moves = 0; moves < static_cast<int>(std::pow(3, n)); ++moves) {
      std::vector<double> other = scores;
      for (int rest = moves, i = 0; i < static_cast<int>(n); ++i, rest /= 3)
        other[static_cast<std::size_t>(i)] += rest % 3 - 1;
      check(law, selector(other));
    }
  }
}

const std::vector<double> kOrders{1.2, 2, 5, 20};

double delta_of(const AtomLoss& law, double e) {
  double sum = law.infinite_mass;
  for (const LossAtom& atom : law.atoms) {
    if (atom.loss > e) sum -= atom.mass * std::expm1(e - atom.loss);
  }
  return sum;
}

// Spec: B-11, B-31
TEST(Selection, ExponentialMechanismKeepsItsBoundedRangeClaims) {
  for (const double e : {.5, 1., 4.}) {
    const AtomLoss pair = std::get<AtomLoss>(bounded_range_pair(Rational::from_double(e)).above);
    for_neighbours(
        3, [e](const auto& s) { return exponential_law(s, e); },
        [&](const Law& p, const Law& q) {
          for (const double order : kOrders)
            EXPECT_LE(renyi(p, q, order), bounded_range_rdp(Rational::from_double(e), order) + 1e-12);
          for (double z = -e; z < e; z += e / 10) EXPECT_LE(delta(p, q, z), delta_of(pair, z) + 1e-12);
        });
  }
}

// Spec: B-31
TEST(Selection, PureSelectorsKeepTheirEpsilon) {
  const double e = 1;
  const auto pure = [&](const Law& p, const Law& q) {
    for (const double order : kOrders) EXPECT_LE(renyi(p, q, order), k_ary_response_rdp(1, 2, order) + 1e-9);
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_LE(std::log(p[i] / q[i]), e + 1e-9);
  };
  for_neighbours(
      3, [e](const auto& s) { return permute_and_flip_law(s, e); }, pure);
  for_neighbours(
      2, [e](const auto& s) { return laplace_max_law(s, e); }, pure);
  for_neighbours(
      2, [e](const auto& s) { return sparse_vector_law(s, e); }, pure);
}

TEST(Selection, NoisyMaximaAreTheSelectorsTheyAreSaidToBe) {
  for (const auto& scores : {std::vector<double>{0, 1, 3}, {2, 2, 0}, {1, 0, 1}}) {
    const Law flip = permute_and_flip_law(scores, 1);
    const Law noisy = exponential_max_law(scores, 1);
    const Law gumbel = gumbel_max_law(scores, 1);
    const Law chosen = exponential_law(scores, 1);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(noisy[i], flip[i], 1e-3);
      EXPECT_NEAR(gumbel[i], chosen[i], 1e-6);
    }
  }
}

// Charging permute-and-flip as the exponential mechanism, rho = epsilon^2 / 8, is caught by its exact law.
TEST(Selection, PlantedBoundedRangeForPermuteAndFlipIsCaught) {
  const double e = 1;
  double worst = 0;
  for_neighbours(
      3, [e](const auto& s) { return permute_and_flip_law(s, e); },
      [&](const Law& p, const Law& q) {
        for (const double order : kOrders) worst = std::max(worst, renyi(p, q, order) / (order * e * e / 8));
      });
  EXPECT_GT(worst, 1.2);
}

TEST(Selection, BoundedRangePairHasTheProvenProfile) {
  for (const double eta : {.1, 1., 6.}) {
    const AtomLoss pair = std::get<AtomLoss>(bounded_range_pair(Rational::from_double(eta), 2000).above);
    double mass = 0;
    double other = 0;
    for (const LossAtom& atom : pair.atoms) {
      mass += atom.mass;
      other += atom.mass * std::exp(-atom.loss);
    }
    EXPECT_NEAR(mass, 1, 1e-14);
    EXPECT_NEAR(other, 1, 1e-13);
    for (double z = -eta; z < eta; z += eta / 37) {
      const double truth = std::pow(1 - std::exp((z - eta) / 2), 2) / -std::expm1(-eta);
      EXPECT_GE(delta_of(pair, z), truth - 1e-14);
      EXPECT_NEAR(delta_of(pair, z), truth, 1e-5);
    }
  }
}

// The closed form is the maximum over t of the two-point laws, and below both simple bounds.
TEST(Selection, BoundedRangeRenyiIsTheMaximumOverThePosition) {
  for (const double eta : {.3, 1., 5.}) {
    for (const double order : kOrders) {
      double best = 0;
      for (double t = 0; t <= eta; t += eta / 20000) {
        const double q = (std::exp(-t) - std::exp(-eta)) / -std::expm1(-eta);
        best = std::max(best, std::log(q * std::exp(order * t) + (1 - q) * std::exp(order * (t - eta))) / (order - 1));
      }
      const double claim = bounded_range_rdp(Rational::from_double(eta), order);
      EXPECT_GE(claim, best * (1 - 1e-12));
      EXPECT_NEAR(claim / best, 1, 1e-6);
      EXPECT_LE(claim, order * eta * eta / 8 * (1 + 1e-15));
      EXPECT_LE(claim, eta);
    }
  }
  EXPECT_EQ(bounded_range_rho(2), Rational(1, 2));
}

TEST(Selection, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { bounded_range_pair(-1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { bounded_range_pair(1, 1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { bounded_range_rdp(1, 1); }), Code::out_of_range);
  EXPECT_EQ(std::get<AtomLoss>(*pure_selection_pair(1).below), no_loss());
  EXPECT_EQ(std::get<AtomLoss>(bounded_range_pair(0).above), no_loss());
}

}  // namespace
}  // namespace dither::accounting
