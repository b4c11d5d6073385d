// Private keys that come one after the other: however many there are, those that are chosen take memory.
#include "session/draw.h"

#include <gtest/gtest.h>

#include "mechanisms/sparse_histogram.h"
#include "session/plan_check.h"
#include "testing/peak_memory.h"
#include "testing/refusal.h"

namespace dither::session {
namespace {

using engine::ExactNumbers;
using testing::refusal;

constexpr std::int64_t kMany = 2'000'000;
constexpr std::uint64_t kEnough = std::uint64_t{32} << 20;  // bytes

// One part that does not move, so that it shows the exact numbers. Of 2,000,000 keys of one unit none is shown, but with probability
// 7e-10; one of a million units is.
PricedPlan exact_plan() {
  PricedPlan plan = check::selection_plan(1, Rational::parse("1e-15"));
  plan.exact.keys = 1;
  plan.parts.at(0).measurement.reset();
  plan.parts.at(0).distance = {};
  return plan;
}

bool is_large(std::int64_t key) { return key % 1000 == 7 || key % 4096 == 0 || key % 4096 == 4095; }

// Keys 10^9, 10^9 + 1, ... as texts of equal length; `large` ones have a million units, and the number of each is the key.
class Keys : public ExactNumbers::Rows {
 public:
  explicit Keys(std::int64_t keys) : keys_(keys) {}
  bool next(ExactNumbers::Row& row) override {
    if (at_ == keys_) return false;
    row.key = {std::to_string(1'000'000'000 + at_)};
    row.units = is_large(at_) ? 1'000'000 : 1;
    row.numbers = {at_++};
    return true;
  }

 private:
  std::int64_t keys_, at_ = 0;
};

ExactNumbers::Content content_of(std::int64_t keys) {
  ExactNumbers::Content content;
  content.numbers.resize(1);
  content.open = [keys] { return std::make_unique<Keys>(keys); };
  return content;
}

// All keys and numbers at once, as they once were.
ExactNumbers::Content held(const ExactNumbers::Content& content) {
  ExactNumbers::Content all;
  all.numbers.resize(1);
  content.each([&](const ExactNumbers::Row& row) {
    all.keys.push_back(row.key);
    all.units.push_back(row.units);
    all.numbers[0].push_back(row.numbers[0]);
  });
  return all;
}

TEST(Draw, ShowsTheKeysOfAllPiecesWithTheirNumbers) {
  for (const std::int64_t keys : {0, 1, 4095, 4096, 4097, 20'000}) {
    const Released released = draw(exact_plan(), ExactNumbers(content_of(keys)));
    EXPECT_EQ(released, draw(exact_plan(), ExactNumbers(held(content_of(keys)))));
    Released expected{{}, {{}}};
    for (std::int64_t key = 0; key < keys; ++key) {
      if (!is_large(key)) continue;
      expected.keys.push_back({std::to_string(1'000'000'000 + key)});
      expected.parts[0].push_back(key);
    }
    EXPECT_EQ(released, expected) << keys;
  }
}

bool takes_little(const std::function<ExactNumbers::Content(std::int64_t)>& content) {
  const auto peak = [&](std::int64_t keys) {
    return testing::peak_of([&] { draw(exact_plan(), ExactNumbers(content(keys))); });
  };
  return peak(kMany) <= peak(1000) + kEnough;
}

TEST(Draw, KeysThatAreNotShownTakeNoMemory) { EXPECT_TRUE(takes_little(content_of)); }
TEST(Draw, PlantedMemoryOfEachKeyIsCaught) {
  EXPECT_FALSE(takes_little([](std::int64_t keys) { return held(content_of(keys)); }));
}

// A key that comes twice would be chosen twice.
TEST(Draw, RefusesKeysThatDoNotAscend) {
  for (const std::size_t at : {1, 4095, 4096, 4097}) {
    ExactNumbers::Content content = held(content_of(5000));
    content.keys[at] = content.keys[at - 1];
    EXPECT_EQ(refusal([&] { draw(exact_plan(), ExactNumbers(content)); }), Code::run_failed) << at;
  }
}

// A rule that looks at all keys at once cannot take them by pieces.
TEST(Draw, RefusesARuleThatDoesNotTreatKeysAlone) {
  PricedPlan plan = exact_plan();
  plan.keys->measurement =
      mechanisms::make_sparse_histogram<calculus::Cells>(1000, mechanisms::sparse_rule_for(1, 1000, 1)).any();
  EXPECT_EQ(refusal([&] { draw(plan, ExactNumbers(content_of(10))); }), Code::run_failed);
}

}  // namespace
}  // namespace dither::session
