#include "mechanisms/k_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "accounting/cost.h"
#include "mechanisms/detail/k_norm_noise.h"
#include "random/bernoulli.h"
#include "random/uniform.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

const IntegerMatrix kIdentity = {{1, 0}, {0, 1}};
const IntegerMatrix kPrefixes = {{1, 1, 1}, {0, 1, 2}};
const IntegerMatrix kThree = {{1, 1, 0, 2, -1}, {0, 1, 1, -1, 3}, {1, 0, 1, 1, 1}};

VectorDomain cells(std::uint64_t n) { return {.dimension = n}; }

IntegerMatrix signs(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  random::Source source = testing::seeded_source(seed);
  IntegerMatrix matrix(rows, std::vector<std::int64_t>(columns));
  for (auto& row : matrix) {
    for (auto& entry : row) entry = source.bits(1) == 0 ? 1 : -1;
  }
  return matrix;
}

// |y|_1 for the y with two or three columns of the matrix that gives z, by Cramer's rule; nothing if they are
// dependent.
Rational det(const std::vector<std::vector<Rational>>& columns) {
  if (columns.size() == 1) return columns[0][0];
  Rational sum = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::vector<std::vector<Rational>> minor;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k != j) minor.emplace_back(columns[k].begin() + 1, columns[k].end());
    }
    sum += columns[j][0] * det(minor) * (j % 2 == 0 ? 1 : -1);
  }
  return sum;
}
std::optional<Rational> length(const std::vector<std::vector<Rational>>& columns, const std::vector<Rational>& z) {
  const Rational whole = det(columns);
  if (whole == 0) return std::nullopt;
  Rational sum = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    auto replaced = columns;
    replaced[j] = z;
    sum += abs(det(replaced) / whole);
  }
  return sum;
}

// The least over all bases of columns: some optimum of a linear programme is at a basis.
Rational gauge_reference(const IntegerMatrix& matrix, const Integers& z) {
  const std::size_t d = matrix.size();
  const std::size_t n = matrix.front().size();
  std::vector<Rational> exact(z.begin(), z.end());
  std::optional<Rational> least;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << n; ++set) {
    if (static_cast<std::size_t>(__builtin_popcountll(set)) != d) continue;
    std::vector<std::vector<Rational>> columns;
    for (std::size_t j = 0; j < n; ++j) {
      if ((set >> j & 1) == 0) continue;
      columns.emplace_back();
      for (std::size_t i = 0; i < d; ++i) columns.back().emplace_back(static_cast<long>(matrix[i][j]));
    }
    const auto here = length(columns, exact);
    if (here && (!least || *here < *least)) least = here;
  }
  return *least;
}

Integers some_vector(std::size_t d, std::uint64_t range, random::Source& source) {
  Integers z(d);
  for (Int128& x : z) {
    x = static_cast<Int128>(random::uniform_below(2 * range + 1, source)) - static_cast<Int128>(range);
  }
  return z;
}

TEST(KNorm, TheNormIsTheLeastOverAllBases) {
  random::Source source = testing::seeded_source(1);
  for (const IntegerMatrix& matrix : {kIdentity, kPrefixes, kThree, signs(3, 8, 2)}) {
    const detail::Gauge gauge(matrix);
    for (int i = 0; i < 100; ++i) {
      const Integers z = some_vector(matrix.size(), 9, source);
      EXPECT_EQ(gauge(z), gauge_reference(matrix, z));
    }
  }
}

// Whether one more or one fewer in any cell of the histogram moves the norm of the noise by at most 1, which is what
// the guarantee is made of.
bool one_step_moves_at_most_one(const detail::Gauge& gauge, const IntegerMatrix& queries, int tries) {
  random::Source source = testing::seeded_source(3);
  for (int i = 0; i < tries; ++i) {
    Integers z = some_vector(queries.size(), 12, source);
    const std::uint64_t cell = random::uniform_below(queries.front().size(), source);
    const Rational before = gauge(z);
    for (std::size_t row = 0; row < z.size(); ++row) z[row] += queries[row][cell];
    if (abs(gauge(z) - before) > 1) return false;
  }
  return true;
}

// Spec: R-09
TEST(KNorm, OneRowMovesTheNormByAtMostOne) {
  for (const IntegerMatrix& matrix : {kIdentity, kPrefixes, kThree, signs(8, 64, 4)}) {
    EXPECT_TRUE(one_step_moves_at_most_one(detail::Gauge(matrix), matrix, 60));
  }
}
TEST(KNorm, PlantedForgottenColumnIsCaught) {
  EXPECT_FALSE(one_step_moves_at_most_one(detail::Gauge({{1, 1}, {0, 1}}), kPrefixes, 60));
}

TEST(KNorm, LossIsDistanceTimesEpsilon) {
  const auto noise = make_k_norm(cells(3), kPrefixes, Rational(1, 2));
  EXPECT_EQ(noise.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(noise.loss(L1::Distance(1)), pure(Rational(1, 2)));
  EXPECT_EQ(noise.loss(L1::Distance(3)), pure(Rational(3, 2)));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), pure(500'000));
  const auto events = noise.any().events(Rational(3));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(Loss(*accounting::cost(events[0], accounting::Neighbours::add_remove).approximate),
            noise.loss(L1::Distance(3)));
}

// The probabilities of vectors of two numbers, enumerated where a coordinate is at most `reach`.
std::map<std::pair<int, int>, double> law(const IntegerMatrix& matrix, double epsilon, int reach) {
  const detail::Gauge gauge(matrix);
  std::map<std::pair<int, int>, double> p;
  double total = 0;
  for (int x = -reach; x <= reach; ++x) {
    for (int y = -reach; y <= reach; ++y) {
      const double weight = std::exp(-epsilon * gauge(Integers{x, y}).to_double_down());
      p[{x, y}] = weight;
      total += weight;
    }
  }
  for (auto& [z, weight] : p) weight /= total;
  return p;
}

// Cells are the vectors whose coordinates are 3 at most, and the rest. False alarm at most 1e-9 (what the enumeration
// leaves out weighs less than 1e-8).
bool draws_fit(const IntegerMatrix& matrix, double epsilon, const std::function<Integers()>& draw) {
  std::map<std::pair<int, int>, std::size_t> cell;
  std::vector<double> p;
  double rest = 1;
  for (const auto& [z, weight] : law(matrix, epsilon, 40)) {
    if (std::abs(z.first) > 3 || std::abs(z.second) > 3) continue;
    cell[z] = p.size();
    p.push_back(weight);
    rest -= weight;
  }
  p.push_back(rest);
  std::vector<std::int64_t> counts(p.size());
  for (int i = 0; i < 10'000; ++i) {
    const Integers z = draw();
    const auto found = cell.find({static_cast<int>(z[0]), static_cast<int>(z[1])});
    ++counts[found == cell.end() ? p.size() - 1 : found->second];
  }
  return testing::chi_square_accepts(counts, p, 1e-9);
}

// Spec: R-09
TEST(KNorm, NoiseFollowsTheLaw) {
  random::Source& source = random::Source::this_thread();
  for (const IntegerMatrix& matrix : {kIdentity, kPrefixes, IntegerMatrix{{1, 1, 1}, {1, -1, 0}}}) {
    const AnyMeasurement noise = make_k_norm(cells(matrix.front().size()), matrix, 1).any();
    const Private empty(Integers(matrix.front().size(), 0));
    EXPECT_TRUE(draws_fit(matrix, 1, [&] { return as<Integers>(noise.release(empty, source).value()); }));
  }
}

// Both proposals give the law of their own norm when the matrix is a square or a diamond.
TEST(KNorm, ProposalsFollowTheirLaws) {
  random::Source& source = random::Source::this_thread();
  const IntegerMatrix square = {{3, 3}, {3, -3}};
  for (const std::int64_t grain : {3, 1}) {
    const detail::BoxNoise box({3, 3}, grain, 1);
    EXPECT_TRUE(draws_fit(square, 1, [&] {
      for (;;) {
        Integers z = box.draw(source);
        const Rational gap = detail::Gauge(square)(z) - box.norm(z);
        if (random::bernoulli_exp(gap, source)) return z;
      }
    })) << grain;
  }
}

// The radius of a ball in d dimensions from d steps instead of d + 1.
TEST(KNorm, PlantedWrongRadiusLawIsCaught) {
  random::Source& source = random::Source::this_thread();
  const IntegerMatrix square = {{1, 1}, {1, -1}};
  const random::DiscreteLaplace steps(1);
  const auto planted = [&] {
    const Int128 level = static_cast<Int128>(magnitude(steps.draw(source)) + magnitude(steps.draw(source)));
    return some_vector(2, static_cast<std::uint64_t>(level), source);
  };
  EXPECT_FALSE(draws_fit(square, 1, planted));
}

// Total squared error of independent discrete Laplace noise for L1 sensitivity 8: nearly 2 d^3 / epsilon^2 = 1024. In
// the cube it would be (d+1)(d+2) d/3 = 240, and K is inside. The mean of 200 draws has standard error below 12.
// Spec: R-09
TEST(KNorm, BeatsLaplaceOnRandomSigns) {
  random::Source source = testing::seeded_source(5);
  const IntegerMatrix matrix = signs(8, 64, 6);
  const AnyMeasurement noise = make_k_norm(cells(64), matrix, 1).any();
  const Private empty(Integers(64, 0));
  double sum = 0;
  const int n = std::getenv("DITHER_NIGHTLY") != nullptr ? 5'000 : 200;
  for (int i = 0; i < n; ++i) {
    const auto release = noise.release(empty, source);
    for (const Int128 z : as<Integers>(release.value())) sum += static_cast<double>(z * z);
  }
  RecordProperty("squared_error", static_cast<int>(sum / n));
  EXPECT_LT(sum / n, 300);
  EXPECT_GT(sum / n, 60);
}

TEST(KNorm, RoundsAreBoundedByPublicFacts) {
  EXPECT_NEAR(k_norm_rounds(kIdentity, 1), 1, 1e-9);  // the diamond is the law of the proposal itself
  EXPECT_LT(k_norm_rounds(signs(8, 64, 6), 1), 1000);
  EXPECT_GE(k_norm_rounds(kThree, 1), 1);
}

TEST(KNorm, AnswersAreTheQueriesOfTheHistogram) {
  random::Source& source = random::Source::this_thread();
  const AnyMeasurement noise = make_k_norm(cells(3), kPrefixes, 50).any();  // no noise with probability 1 - 1e-20
  EXPECT_EQ(as<Integers>(noise.release(Private(Integers{5, 7, 11}), source).value()), (Integers{23, 29}));
  const Data ends = noise.release(Private(Integers{kInt128Max, kInt128Min, 0}), source).value();
  EXPECT_EQ(as<Integers>(ends).size(), 2u);
}

TEST(KNorm, RefusesWhatHasNoNormOrTakesTooLong) {
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(2), {{1, 2}, {2, 4}}, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(1), {{1}, {2}}, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(2), {{0, 0}}, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(2), {}, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(2), {{1, 2}, {2}}, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(3), kIdentity, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(2), kIdentity, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_k_norm(cells(2), {{1, 1 << 21}, {0, 1}}, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] {
              make_k_norm(cells(2), {{100'000, 99'999}, {100'000, 100'000}}, Rational(1, 100));
            }),
            Code::out_of_range);
}

}  // namespace
}  // namespace dither::mechanisms
