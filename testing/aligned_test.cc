#include "testing/aligned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "testing/printers.h"
#include "testing/seed.h"

namespace dither::testing {
namespace {

using Queries = std::vector<AlignedNumber>;

const Rational kEpsilon(1, 2);

// What a mechanism with an alignment does on many neighbouring inputs: parts nowhere, and spends at most (and somewhere
// exactly) epsilon.
struct Verdict {
  bool always_held = true;
  Rational most_spent = 0;
};
using Mechanism = std::function<void(const Queries&, Ghost&)>;

Verdict judge(const Mechanism& mechanism, const std::function<Queries(std::mt19937_64&)>& queries, int runs = 1000) {
  std::mt19937_64 random(run_seed());
  Verdict verdict;
  for (int i = 0; i < runs; ++i) {
    Ghost ghost(kEpsilon, random::Source::this_thread());
    mechanism(queries(random), ghost);
    verdict.always_held = verdict.always_held && ghost.holds();
    verdict.most_spent = std::max(verdict.most_spent, ghost.spent());
  }
  return verdict;
}

// Six answers of sensitivity 1: each of the neighbour's is one less, the same or one more.
Queries any_move(std::mt19937_64& random) {
  Queries all;
  for (int i = 0; i < 6; ++i) {
    all.push_back({static_cast<std::int64_t>(random() % 20), static_cast<std::int64_t>(random() % 3) - 1});
  }
  return all;
}
// One record in one place.
Queries one_moves(std::mt19937_64& random) {
  Queries all;
  for (int i = 0; i < 6; ++i) all.push_back({static_cast<std::int64_t>(random() % 20), 0});
  all[random() % all.size()].delta = random() % 2 == 0 ? 1 : -1;
  return all;
}

enum class SparseBug { none, counts_one_answer, no_threshold_noise, no_query_noise, tells_the_value };

// The sparse vector: above or below a noisy threshold, at most two times above. The threshold's noise goes up by one, the
// noise of what is above by one more than the query may lack.
void sparse_vector(const Queries& queries, Ghost& ghost, SparseBug bug) {
  constexpr std::int64_t kAnswers = 2;
  const Rational budget = kEpsilon / 2;
  const std::int64_t counted = bug == SparseBug::counts_one_answer ? 1 : kAnswers;
  const Rational scale = Rational(2 * counted) / budget;
  AlignedNumber threshold{10, 0};
  if (bug != SparseBug::no_threshold_noise) threshold = threshold + ghost.laplace(Rational(1) / budget, 1);
  std::int64_t answers = 0;
  for (const AlignedNumber& query : queries) {
    if (answers == kAnswers) return;
    AlignedNumber noisy = query;
    if (bug != SparseBug::no_query_noise) {
      noisy = noisy + ghost.laplace(scale, [&](std::int64_t noise) {
        return query.value + noise >= threshold.value ? 1 - query.delta : 0;
      });
    }
    if (!ghost.at_least(noisy, threshold)) continue;
    ++answers;
    if (bug == SparseBug::tells_the_value) ghost.release(noisy);
  }
}

Verdict judge_sparse_vector(SparseBug bug) {
  return judge([bug](const Queries& queries, Ghost& ghost) { sparse_vector(queries, ghost, bug); }, any_move);
}

// Spec: W-68
TEST(Aligned, SparseVectorSpendsExactlyEpsilon) {
  const Verdict right = judge_sparse_vector(SparseBug::none);
  EXPECT_TRUE(right.always_held);
  EXPECT_EQ(right.most_spent, kEpsilon);
}

// Spec: W-68
TEST(Aligned, PlantedSparseVectorsAreCaught) {
  for (const SparseBug bug : {SparseBug::counts_one_answer, SparseBug::no_threshold_noise, SparseBug::no_query_noise,
                              SparseBug::tells_the_value}) {
    EXPECT_FALSE(judge_sparse_vector(bug).always_held) << static_cast<int>(bug);
  }
  EXPECT_GT(judge_sparse_vector(SparseBug::counts_one_answer).most_spent, kEpsilon);
}

enum class MaxBug { none, tells_the_value, half_the_noise };

// The answers with their noise. The winner's goes up by one more than its answer may lack; the others' stay.
Queries noisy_answers(const Queries& queries, Ghost& ghost, MaxBug bug, std::optional<std::size_t> winner) {
  const Rational scale = Rational(bug == MaxBug::half_the_noise ? 1 : 2) / kEpsilon;
  Queries noisy;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    noisy.push_back(queries[i] + ghost.laplace(scale, winner == i ? 1 - queries[i].delta : 0));
  }
  return noisy;
}

// Which answer is largest; the first of equal ones. Only who wins is told, so each winner has an alignment of its own: the
// first pass finds it, the second asks whether it wins in the other run too.
void noisy_max(const Queries& queries, Ghost& ghost, MaxBug bug) {
  const Queries first = noisy_answers(queries, ghost, bug, std::nullopt);
  const auto largest = std::max_element(
      first.begin(), first.end(), [](const AlignedNumber& a, const AlignedNumber& b) { return a.value < b.value; });
  const auto winner = static_cast<std::size_t>(largest - first.begin());
  ghost.again();
  const Queries noisy = noisy_answers(queries, ghost, bug, winner);
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    if (i < winner) ghost.at_least(noisy[i], noisy[winner]);
    if (i > winner) ghost.at_least(noisy[winner], noisy[i]);
  }
  if (bug == MaxBug::tells_the_value) ghost.release(noisy[winner]);
}

Verdict judge_noisy_max(MaxBug bug) {
  return judge([bug](const Queries& queries, Ghost& ghost) { noisy_max(queries, ghost, bug); }, any_move);
}

// Spec: W-68
TEST(Aligned, NoisyMaxSpendsExactlyEpsilon) {
  const Verdict right = judge_noisy_max(MaxBug::none);
  EXPECT_TRUE(right.always_held);
  EXPECT_EQ(right.most_spent, kEpsilon);
}

// Spec: W-68
TEST(Aligned, PlantedNoisyMaxesAreCaught) {
  EXPECT_FALSE(judge_noisy_max(MaxBug::tells_the_value).always_held);
  EXPECT_GT(judge_noisy_max(MaxBug::half_the_noise).most_spent, kEpsilon);
}

enum class SumBug { none, full_epsilon_twice, bare_block };

// Smart sum: running sums, with noise on every number and on every block of three. A record is in one number and one block.
void smart_sum(const Queries& numbers, Ghost& ghost, SumBug bug) {
  constexpr std::size_t kBlock = 3;
  const Rational scale = Rational(bug == SumBug::full_epsilon_twice ? 1 : 2) / kEpsilon;
  AlignedNumber blocks, inside, running;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    inside = inside + numbers[i];
    if ((i + 1) % kBlock == 0) {
      blocks = blocks + inside;
      if (bug != SumBug::bare_block) blocks = blocks + ghost.laplace(scale, -inside.delta);
      running = blocks;
      inside = {};
    } else {
      running = running + numbers[i] + ghost.laplace(scale, -numbers[i].delta);
    }
    ghost.release(running);
  }
}

Verdict judge_smart_sum(SumBug bug) {
  return judge([bug](const Queries& numbers, Ghost& ghost) { smart_sum(numbers, ghost, bug); }, one_moves);
}

// Spec: W-68
TEST(Aligned, SmartSumSpendsExactlyEpsilon) {
  const Verdict right = judge_smart_sum(SumBug::none);
  EXPECT_TRUE(right.always_held);
  EXPECT_EQ(right.most_spent, kEpsilon);
}

// Spec: W-68
TEST(Aligned, PlantedSmartSumsAreCaught) {
  EXPECT_GT(judge_smart_sum(SumBug::full_epsilon_twice).most_spent, kEpsilon);
  EXPECT_FALSE(judge_smart_sum(SumBug::bare_block).always_held);
}

}  // namespace
}  // namespace dither::testing
