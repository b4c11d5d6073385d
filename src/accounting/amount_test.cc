#include "accounting/amount.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/decimal.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using dither::testing::refusal;

Int128 any_steps() {
  const Int128 high = *rc::gen::inRange<long>(0, std::numeric_limits<long>::max());
  const int shift = *rc::gen::inRange(0, 64);
  const Int128 steps = (high << shift) + *rc::gen::inRange<long>(0, 1000);
  return *rc::gen::inRange(0, 2) == 0 ? steps : steps / 1'000'000 * 1'000'000;  // also with zeros at the end
}

template <int places>
void reads_back(Int128 steps) {
  const auto amount = Amount<places>::of_steps(steps);
  RC_ASSERT(amount.str() == Decimal(Grid::of_decimals(places), steps).str());
  RC_ASSERT(Amount<places>::parse(amount.str()) == amount);
}

RC_GTEST_PROP(Amount, TextIsTheExactDecimalAndReadsBack, ()) {
  const Int128 steps = any_steps();
  reads_back<18>(steps);
  reads_back<32>(steps);
  reads_back<36>(steps);
}

TEST(Amount, EndsOfTheRange) {
  EXPECT_EQ(LossAmount().str(), "0");
  EXPECT_EQ(LossAmount::of_steps(1).str(), "0.000000000000000001");
  EXPECT_EQ(LossAmount::parse("1").steps(), Int128{1'000'000'000'000'000'000});
  const std::string most = "170141183460469231731.687303715884105727";
  EXPECT_EQ(LossAmount::of_steps(kInt128Max).str(), most);
  EXPECT_EQ(LossAmount::parse(most).steps(), kInt128Max);
  EXPECT_EQ(refusal([] { LossAmount::parse("170141183460469231731.687303715884105728"); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { LossAmount::parse("1000000000000000000000000000000000000000"); }), Code::out_of_range);
}

TEST(Amount, OtherTextIsRefused) {
  for (const char* text : {"", ".", ".5", "5.", "1.0", "01", "00", "+1", "1e3", "1/2", " 1", "1 ",
                           "0.0000000000000000001", "1.2.3", "nan", "1,5"}) {
    EXPECT_EQ(refusal([&] { LossAmount::parse(text); }), Code::bad_number) << text;
  }
  EXPECT_EQ(refusal([] { LossAmount::parse("-1"); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
