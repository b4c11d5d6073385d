#include "accounting/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// The largest squared norm of a signed sum of columns over every pattern: what the bounds must not fall below.
double by_enumeration(const std::vector<std::vector<double>>& rows, Participation once) {
  const std::size_t n = rows.front().size();
  double best = 0;
  for (unsigned set = 1; set < 1u << n; ++set) {
    std::vector<std::size_t> pattern;
    bool allowed = true;
    for (std::size_t i = 0; i < n; ++i) {
      if ((set >> i & 1) == 0) continue;
      allowed = allowed && (pattern.empty() || i - pattern.back() >= once.separation);
      pattern.push_back(i);
    }
    if (!allowed || pattern.size() > once.count) continue;
    for (unsigned signs = 0; signs < 1u << pattern.size(); ++signs) {
      double norm = 0;
      for (const std::vector<double>& row : rows) {
        double entry = 0;
        for (std::size_t k = 0; k < pattern.size(); ++k) entry += (signs >> k & 1 ? -1 : 1) * row[pattern[k]];
        norm += entry * entry;
      }
      best = std::max(best, norm);
    }
  }
  return best;
}

std::vector<std::vector<double>> toeplitz(const std::vector<Rational>& c, std::size_t n) {
  std::vector<std::vector<double>> rows(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i && i - j < n; ++j) rows[i][j] = i - j < c.size() ? c[i - j].to_double_up() : 0;
  }
  return rows;
}

std::vector<Rational> root(int count) {
  std::vector<Rational> c{1};
  for (int j = 1; j < count; ++j) c.push_back(c.back() * Rational(2 * j - 1, 2 * j));
  return c;
}

// Spec: B-24
TEST(Matrix, TreeAndSquareRootSensitivities) {
  EXPECT_EQ(tree_sensitivity_squared(1000), 11);
  EXPECT_EQ(tree_sensitivity_squared(1024), 11);
  EXPECT_EQ(tree_sensitivity_squared(1025), 12);
  EXPECT_EQ(tree_sensitivity_squared(1), 1);
  EXPECT_NEAR(square_root_sensitivity_squared(1000, {}), 3.2650030806724, 1e-12);
  EXPECT_NEAR(std::sqrt(square_root_sensitivity_squared(1000, {})), 1.80693195242, 1e-11);
  EXPECT_NEAR(square_root_sensitivity_squared(16, {}), 1.9438788471568, 1e-12);
  EXPECT_NEAR(toeplitz_sensitivity_squared(root(16), 16, {}), 1.9438788471568, 1e-12);
}

TEST(Matrix, LongSquareRootsKeepTheSumBelowTheirBound) {
  double sum = 0;
  double c = 1;
  for (int j = 0; j < 1'000'000; ++j) {
    sum += c * c;
    c *= (2.0 * j + 1) / (2.0 * j + 2);
  }
  const double bound = square_root_sensitivity_squared(1'000'000, {});
  EXPECT_GE(bound, sum - 1e-11);
  EXPECT_NEAR(bound, sum, 1e-9);
  EXPECT_GT(square_root_sensitivity_squared(1'000'000'000'000, {}), bound);
}

TEST(Matrix, EarliestPatternIsTheWorst) {
  for (const Participation once : {Participation{2, 1}, {3, 2}, {2, 3}, {9, 2}, {1, 1}, {4, 3}}) {
    const double truth = by_enumeration(toeplitz(root(9), 9), once);
    EXPECT_NEAR(toeplitz_sensitivity_squared(root(9), 9, once), truth, 1e-12);
    EXPECT_NEAR(square_root_sensitivity_squared(9, once), truth, 1e-12);
    EXPECT_GE(matrix_sensitivity_squared(toeplitz(root(9), 9), once), truth - 1e-12);
    const std::vector<Rational> bumpy{1, Rational(-1, 2), Rational(3, 4), Rational(-1, 8)};
    const double rough = by_enumeration(toeplitz(bumpy, 9), once);
    EXPECT_GE(toeplitz_sensitivity_squared(bumpy, 9, once), rough - 1e-12);
  }
}

TEST(Matrix, BandedColumnsDoNotMeet) {
  const std::vector<Rational> c{1, Rational(-1, 2), Rational(1, 4)};
  EXPECT_NEAR(toeplitz_sensitivity_squared(c, 100, {5, 3}), 5 * (1 + .25 + .0625), 1e-12);
  EXPECT_NEAR(matrix_sensitivity_squared(toeplitz(c, 12), {3, 3}), 3 * (1 + .25 + .0625), 1e-12);
}

// Twin: forgetting that columns overlap (root of k times the column norm) is too little when they are closer.
TEST(Matrix, PlantedForgottenOverlapIsCaught) {
  const double planted = 3 * toeplitz_sensitivity_squared(root(9), 9, {});
  EXPECT_LT(planted, by_enumeration(toeplitz(root(9), 9), {3, 2}));
}

TEST(Matrix, BoundsRandomMatrices) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::vector<double>> rows(4, std::vector<double>(7));
    for (auto& row : rows) {
      for (double& x : row) x = entry(random);
    }
    const Participation once{static_cast<std::uint64_t>(1 + round % 4), static_cast<std::uint64_t>(1 + round % 3)};
    const double truth = by_enumeration(rows, once);
    EXPECT_GE(matrix_sensitivity_squared(rows, once), truth - 1e-12);
    if (once.count == 1) {
      EXPECT_NEAR(matrix_sensitivity_squared(rows, once), truth, 1e-12);
    }
  }
}

// Spec: B-24
TEST(Matrix, CyclicPoissonSamplesOnePartATime) {
  const CyclicPoisson cyclic = cyclic_poisson(2000, 9, Rational(1, 100));
  EXPECT_EQ(cyclic.releases, 223u);
  EXPECT_EQ(cyclic.rate, Rational(9, 100));
  EXPECT_EQ(refusal([] { cyclic_poisson(10, 9, Rational(1, 8)); }), Code::bad_probability);
}

TEST(Matrix, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { tree_sensitivity_squared(0); }), Code::bad_count);
  EXPECT_EQ(refusal([] { toeplitz_sensitivity_squared({}, 3, {}); }), Code::bad_count);
  EXPECT_EQ(refusal([] { square_root_sensitivity_squared(5, {0, 1}); }), Code::bad_count);
  EXPECT_EQ(refusal([] { square_root_sensitivity_squared(1'000'000'000, {2, 1}); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { matrix_sensitivity_squared({{1, 2}, {1}}, {}); }), Code::bad_count);
  EXPECT_EQ(refusal([] { matrix_sensitivity_squared({{NAN}}, {}); }), Code::bad_number);
}

}  // namespace
}  // namespace dither::accounting
