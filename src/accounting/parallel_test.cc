#include "accounting/parallel.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }

const std::vector<Charge> kPure{PureCharge{loss("0.3")}, PureCharge{loss("0.5")}, PureCharge{loss("0.2")}};

// Spec: F-30, F-31, W-22
TEST(Parallel, LargestCellUnderAddRemoveAndTwoLargestUnderReplace) {
  EXPECT_EQ(parallel(kPure, Neighbours::add_remove, DataLife::fixed), Charge(PureCharge{loss("0.5")}));
  EXPECT_EQ(parallel(kPure, Neighbours::replace_one, DataLife::fixed), Charge(PureCharge{loss("0.8")}));
  EXPECT_EQ(parallel(kPure, Neighbours::both, DataLife::fixed), Charge(PureCharge{loss("0.8")}));
  const std::vector<Charge> table(8, PureCharge{loss("1")});  // gender and hair: epsilon for the table, not 8 epsilon
  EXPECT_EQ(parallel(table, Neighbours::add_remove, DataLife::fixed), Charge(PureCharge{loss("1")}));
}

// Two cells that each reveal their content with probability .01, a record moving from one to the other: exactly
// 1 - .99^2 = .0199, which is above .01.
TEST(Parallel, PlantedMaximumUnderReplaceIsCaught) {
  const std::vector<Charge> cells(2, ApproximateCharge{loss("0"), chance("0.01")});
  const DeltaAmount exact = chance("0.0199");
  EXPECT_GE(std::get<ApproximateCharge>(parallel(cells, Neighbours::replace_one, DataLife::fixed)).delta, exact);
  EXPECT_LT(std::get<ApproximateCharge>(parallel(cells, Neighbours::add_remove, DataLife::fixed)).delta, exact);
}

TEST(Parallel, EveryMeasureNumberByNumber) {
  const std::vector<Charge> approximate{ApproximateCharge{loss("1"), chance("1e-6")},
                                        ApproximateCharge{loss("2"), chance("1e-9")}};
  EXPECT_EQ(parallel(approximate, Neighbours::add_remove, DataLife::fixed),
            Charge(ApproximateCharge{loss("2"), chance("1e-6")}));
  const std::vector<Charge> zcdp{ZcdpCharge{loss("0.5"), {}}, ZcdpCharge{loss("0.25"), chance("1e-9")}};
  EXPECT_EQ(parallel(zcdp, Neighbours::replace_one, DataLife::fixed), Charge(ZcdpCharge{loss("0.75"), chance("1e-9")}));
  const std::vector<Charge> renyi{RenyiCharge{{loss("1"), loss("5")}, {}}, RenyiCharge{{loss("2"), loss("3")}, {}}};
  EXPECT_EQ(parallel(renyi, Neighbours::add_remove, DataLife::fixed), Charge(RenyiCharge{{loss("2"), loss("5")}, {}}));
  const std::vector<Charge> gdp{GdpCharge{loss("1")}, GdpCharge{loss("4")}, GdpCharge{loss("4")}};
  EXPECT_EQ(parallel(gdp, Neighbours::replace_one, DataLife::fixed), Charge(GdpCharge{loss("8")}));
}

// Spec: B-23
TEST(Parallel, ChangingDataNeedsPureCharges) {
  EXPECT_EQ(parallel(kPure, Neighbours::add_remove, DataLife::changing), Charge(PureCharge{loss("0.5")}));
  const auto changing = [](const Charge& charge) {
    const std::vector<Charge> cells(2, charge);
    return refusal([&] { parallel(cells, Neighbours::add_remove, DataLife::changing); });
  };
  EXPECT_EQ(changing(ApproximateCharge{}), Code::no_theorem);
  EXPECT_EQ(changing(ZcdpCharge{}), Code::no_theorem);
  EXPECT_EQ(changing(RenyiCharge{}), Code::no_theorem);
  EXPECT_EQ(changing(GdpCharge{}), Code::no_theorem);
}

TEST(Parallel, MixedAndEmptyPartitionsAreRefused) {
  const auto code = [](const std::vector<Charge>& cells) {
    return refusal([&] { parallel(cells, Neighbours::add_remove, DataLife::fixed); });
  };
  EXPECT_EQ(code({}), Code::bad_count);
  EXPECT_EQ(code({PureCharge{}, ZcdpCharge{}}), Code::no_theorem);
  EXPECT_EQ(code({RenyiCharge{{loss("1")}, {}}, RenyiCharge{{}, {}}}), Code::bad_count);
}

}  // namespace
}  // namespace dither::accounting
