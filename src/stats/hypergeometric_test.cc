#include "stats/hypergeometric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rational.h"
#include "testing/refusal.h"

namespace dither::stats {
namespace {

Rational choose(std::int64_t n, std::int64_t k) {
  if (k < 0 || k > n) return 0;
  Rational ways = 1;
  for (std::int64_t i = 0; i < k; ++i) ways *= Rational(n - i, i + 1);
  return ways;
}

// P(X >= hits), term by term.
Rational upper(std::int64_t hits, std::int64_t drawn, std::int64_t marked, std::int64_t all) {
  Rational sum = 0;
  for (std::int64_t k = std::max<std::int64_t>(hits, 0); k <= drawn; ++k)
    sum += choose(marked, k) * choose(all - marked, drawn - k);
  return sum / choose(all, drawn);
}

TEST(Hypergeometric, EveryTailOfSmallUrnsIsTheRationalSum) {
  for (const std::int64_t all : {1, 2, 5, 9, 24}) {
    for (std::int64_t drawn = 0; drawn <= all; ++drawn) {
      for (std::int64_t marked = 0; marked <= all; ++marked) {
        for (std::int64_t hits = -1; hits <= all + 1; ++hits) {
          SCOPED_TRACE(::testing::Message() << hits << " of " << drawn << ", " << marked << " of " << all);
          const double found = hypergeometric_log_upper(hits, drawn, marked, all);
          const double exact = upper(hits, drawn, marked, all).to_double_down();
          if (exact == 0) {
            EXPECT_EQ(found, -HUGE_VAL);
          } else {
            EXPECT_NEAR(found, std::log(exact), 1e-13 * (1 + std::abs(std::log(exact))));
          }
        }
      }
    }
  }
}

// A thousand drawn, all of them marked: one term, which is a product.
TEST(Hypergeometric, StaysRightFarOut) {
  double log_product = 0;
  for (int i = 0; i < 1000; ++i) log_product += std::log((5e11 - i) / (1e12 - i));
  EXPECT_NEAR(hypergeometric_log_upper(1000, 1000, 500'000'000'000, 1'000'000'000'000), log_product, 1e-9);
  // By symmetry P(X >= m) + P(X >= m + 1) = 1 at the middle of a fair urn.
  const double at = std::exp(hypergeometric_log_upper(500'000, 1'000'000, 1'000'000, 2'000'000));
  const double above = std::exp(hypergeometric_log_upper(500'001, 1'000'000, 1'000'000, 2'000'000));
  EXPECT_NEAR(at + above, 1, 1e-11);
}

TEST(Hypergeometric, RefusesWhatIsNoUrn) {
  EXPECT_EQ(testing::refusal([] { hypergeometric_log_upper(0, 0, 0, 0); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { hypergeometric_log_upper(0, 6, 1, 5); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { hypergeometric_log_upper(0, 1, -1, 5); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::stats
