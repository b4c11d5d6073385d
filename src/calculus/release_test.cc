#include "calculus/release.h"

#include <gtest/gtest.h>

#include <concepts>
#include <ostream>
#include <string>
#include <utility>

#include "calculus/toy_check.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"

namespace dither::calculus {
namespace {

AnyMeasurement plan() { return chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(5)); }

// What the types allow. The same in words that must not compile: tests/compile_fail/calculus_*.cc.
template <class T>
concept Printable = requires(const T& value, std::ostream& out) {
  out << value;
};
static_assert(!std::is_default_constructible_v<Release<Data>>);
static_assert(!std::is_constructible_v<Release<Data>, Data>);
static_assert(!std::is_constructible_v<Release<Data>, Data, std::shared_ptr<const AnyMeasurement>>);
static_assert(!std::is_constructible_v<Release<Data>, Private>);
static_assert(!std::equality_comparable<Private>);
static_assert(!Printable<Private>);
static_assert(!std::is_convertible_v<Data, Private>);
static_assert(!std::is_assignable_v<decltype(std::declval<const Release<Data>&>().value()), Data>);  // immutable

// Spec: W-02
TEST(Release, CarriesItsCertificate) {
  random::Source source = testing::seeded_source(1);
  const Release<Data> release = plan().release(Private(toy::rows({4, 5})), source);
  EXPECT_EQ(std::get<Integers>(release.value()), Integers{6});
  EXPECT_TRUE(release.made_by().recipe() == plan().recipe());
  EXPECT_EQ(release.made_by().loss(Rational(1)), pure(Rational(3, 5)));
}

// Spec: W-02, F-23
TEST(Release, PostProcessingIsFree) {
  random::Source source = testing::seeded_source(1);
  const Release<Data> release = plan().release(Private(toy::rows({4, 5})), source);
  const Release<std::string> text =
      release.then([](const Data& data) { return std::get<Integers>(data)[0] > 5 ? "many" : "few"; })
          .then([](const char* word) { return std::string(word) + '!'; });
  EXPECT_EQ(text.value(), "many!");
  EXPECT_EQ(text.made_by().loss(Rational(1)), pure(Rational(3, 5)));
  EXPECT_TRUE(text.made_by().recipe() == release.made_by().recipe());
}

// A price is for the dimension that was declared; how long a vector is, is public then.
TEST(Release, AnotherShapeThanDeclaredIsRefused) {
  random::Source source = testing::seeded_source(1);
  const AnyMeasurement pair({
      .recipe = {"toy-pair"},
      .input = VectorDomain{.dimension = 2},
      .from = {MetricKind::linf},
      .measure = Measure::pure(),
      .loss = [](const Distance& d) { return pure(2 * number(d)); },
      .events = [](const Distance&) { return std::vector<accounting::Event>(); },
      .function = [](const Data& data, random::Source&) { return data; },
  });
  const auto released = [&](const Data& data) {
    return testing::refusal([&] { pair.release(Private(data), source); });
  };
  EXPECT_EQ(released(Integers{1, 2}), std::nullopt);
  EXPECT_EQ(released(Integers{1, 2, 3}), Code::wrong_type);
  EXPECT_EQ(released(Reals{1, 2}), Code::wrong_type);
  std::vector<Secret<Int128>> three;
  for (int i = 0; i < 3; ++i) three.emplace_back(i);
  EXPECT_EQ(testing::refusal([&] { pair.release(three, source); }), Code::wrong_type);
}

TEST(Release, OutlivesTheMeasurement) {
  random::Source source = testing::seeded_source(1);
  const Release<int> release = [&] {
    const AnyMeasurement local = plan();
    return local.release(Private(toy::rows({})), source).then([](const Data&) { return 7; });
  }();
  EXPECT_EQ(release.value(), 7);
  EXPECT_EQ(release.made_by().recipe().name, "chain");
}

// Spec: W-02
TEST(Release, SecretsOpenInsideAMeasurementOnly) {
  random::Source source = testing::seeded_source(1);
  std::vector<Secret<Int128>> exact;
  exact.emplace_back(3);
  exact.emplace_back(-4);
  const Release<Data> release = toy::laplace(5).release(exact, source);
  EXPECT_EQ(std::get<Integers>(release.value()), (Integers{3, -4}));
}

TEST(Release, PrivateDataStayInsideThroughTransformations) {
  const Private moved = toy::repeat(2)(Private(toy::rows({1})));
  EXPECT_EQ(testing::look(moved), Data(toy::rows({1, 1})));
  // What kind of thing the data are is public; a wrong kind is refused by that alone.
  EXPECT_EQ(testing::refusal([&] { as<Integers>(Data(Reals{1})); }), Code::wrong_type);
}

TEST(Release, KindsOfDataHaveNames) {
  EXPECT_EQ(carrier_name(Data(Table())), "a table");
  EXPECT_EQ(carrier_name(Data(Tables())), "several tables");
  EXPECT_EQ(carrier_name(Data(Integers())), "integers");
  EXPECT_EQ(carrier_name(Data(Reals())), "reals");
  EXPECT_EQ(carrier_name(Data(Keyed())), "numbers by key");
}

TEST(Release, WithoutABarThereIsNone) { EXPECT_EQ(plan().error(3), std::nullopt); }

}  // namespace
}  // namespace dither::calculus
