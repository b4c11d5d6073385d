#include "calculus/plan_json.h"

#include <gtest/gtest.h>

#include "calculus/domain_json.h"
#include "calculus/toy_check.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

AnyMeasurement plan() { return chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(5)); }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// Spec: W-26, W-28
TEST(PlanJson, AMeasurementIsMadeAgain) {
  const std::string text = canonical_json(plan());
  EXPECT_EQ(text,
            R"({"input":{"table":{"columns":[{"name":"value","type":"integer","nullable":true}]}},"from":"symmetric",)"
            R"("measure":"pure","recipe":{"name":"chain","parts":[{"name":"toy-repeat","parameters":{"times":"3"}},)"
            R"({"name":"toy-count","parameters":{"to":{"text":"l1"}}},)"
            R"({"name":"toy-laplace","parameters":{"scale":"5"}}]}})");
  const AnyMeasurement again = measurement_from_json(text, toy::makers());
  EXPECT_EQ(canonical_json(again), text);
  for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(again.loss(Rational(d)), plan().loss(Rational(d)));
}

// Spec: W-26
TEST(PlanJson, ATransformationIsMadeAgain) {
  const AnyTransformation steps = chain(toy::repeat(3), toy::count(MetricKind::l2));
  const std::string text = canonical_json(steps);
  const AnyTransformation again = transformation_from_json(text, toy::makers());
  EXPECT_EQ(canonical_json(again), text);
  EXPECT_EQ(again.map(Rational(2)), Distance(Rational(36)));
}

TEST(PlanJson, SaysNothingThatItsRecipeDoesNot) {
  const std::string text = canonical_json(plan());
  const auto reading = [](const std::string& changed) {
    return refusal([&] { measurement_from_json(changed, toy::makers()); });
  };
  EXPECT_EQ(reading(replaced(text, R"("measure":"pure")", R"("measure":"concentrated")")), Code::mixed_metrics);
  EXPECT_EQ(reading(replaced(text, R"("from":"symmetric")", R"("from":"change-one")")), Code::mixed_neighbours);
  EXPECT_EQ(reading(replaced(text, R"("from":"symmetric")", R"("from":"nothing")")), Code::unknown_metric);
  EXPECT_EQ(reading(replaced(text, "toy-count", "toy-nobody")), Code::unknown_mechanism);
  EXPECT_EQ(reading(replaced(text, R"("scale":"5")", R"("scale":"0")")), Code::bad_scale);
  EXPECT_EQ(reading(replaced(text, R"("nullable":true)", R"("nullable":false)")), Code::bad_syntax);  // not its input
  EXPECT_EQ(refusal([&] { transformation_from_json(text, toy::makers()); }), Code::bad_syntax);
}

TEST(PlanJson, RefusesWhatItDoesNotWrite) {
  const std::string text = canonical_json(plan());
  for (const std::string& other :
       {std::string(), std::string("{}"), std::string("[1]"), text + ' ', ' ' + text,
        replaced(text, "\"from\"", "\"From\""),
        replaced(text, R"("from":"symmetric",)", R"("from":"symmetric","from":"symmetric",)"),
        replaced(text, R"("from":"symmetric",)", R"("from":"symmetric","more":1,)"),
        replaced(text, R"({"name":"toy-repeat")", R"({"name":"chain","parts":[{"name":"toy-repeat")"),
        R"({"input":)" + std::string(1'000'000, '[')}) {
    EXPECT_EQ(refusal([&] { measurement_from_json(other, toy::makers()); }), Code::bad_syntax) << other.substr(0, 300);
  }
}

// Nested chains would be another text for the same plan.
TEST(PlanJson, OnePlanHasOneText) {
  const std::string text = canonical_json(plan());
  std::string nested = replaced(text, R"({"name":"toy-repeat")", R"({"name":"chain","parts":[{"name":"toy-repeat")");
  nested = replaced(nested, R"({"to":{"text":"l1"}}})", R"({"to":{"text":"l1"}}}]})");
  EXPECT_EQ(refusal([&] { measurement_from_json(nested, toy::makers()); }), Code::bad_syntax);
}

}  // namespace
}  // namespace dither::calculus
