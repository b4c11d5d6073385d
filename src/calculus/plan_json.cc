#include "calculus/plan_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "calculus/detail/depth.h"
#include "calculus/domain_json.h"

namespace dither::calculus {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 700;  // the recipe's own limit, and a little

[[noreturn]] void bad_plan(std::string_view why) {
  throw Error{Code::bad_syntax, fmt::format("this is not a plan: {}", why),
              "give the text that canonical_json wrote, unchanged"};
}

// What a plan says before anything is made.
struct Stated {
  Domain input;
  Metric from;
  std::string end;  // the measure, or the metric of the output
  Recipe recipe;
};

Stated stated(std::string_view text, const char* end) {
  if (detail::depth_of_json(text) > kDeepest) bad_plan("it is nested too deeply");
  try {
    const Json json = Json::parse(text);
    return {domain_from_json(json.at("input").dump()), metric_from(json.at("from").get<std::string>()),
            json.at(end).get<std::string>(), recipe_from_json(json.at("recipe").dump())};
  } catch (const nlohmann::json::exception&) {
    bad_plan("it is not JSON of the right shape");
  }
}

void require_end(std::string_view stated, std::string_view made) {
  if (stated == made) return;
  throw Error{Code::mixed_metrics, fmt::format("the plan says {}, but its recipe leads to {}", stated, made),
              "correct the plan, or add the cast that is missing"};
}

template <class Step>
Step require_same(Step made, std::string_view text) {
  if (canonical_json(made) != text) bad_plan("it is not in canonical form");
  return made;
}

}  // namespace

// Names of metrics and measures are plain words: they need no escapes.
std::string canonical_json(const AnyMeasurement& measurement) {
  return fmt::format(R"({{"input":{},"from":"{}","measure":"{}","recipe":{}}})", canonical_json(measurement.input()),
                     metric_name(measurement.from()), measurement.measure().name(),
                     canonical_json(measurement.recipe()));
}

std::string canonical_json(const AnyTransformation& transformation) {
  return fmt::format(R"({{"input":{},"from":"{}","to":"{}","recipe":{}}})", canonical_json(transformation.input()),
                     metric_name(transformation.from()), metric_name(transformation.to()),
                     canonical_json(transformation.recipe()));
}

AnyMeasurement measurement_from_json(std::string_view text, const Makers& makers) {
  const Stated plan = stated(text, "measure");
  const AnyMeasurement made = make_measurement(plan.recipe, plan.input, plan.from, makers);
  require_end(plan.end, made.measure().name());
  return require_same(made, text);
}

AnyTransformation transformation_from_json(std::string_view text, const Makers& makers) {
  const Stated plan = stated(text, "to");
  const AnyTransformation made = make_transformation(plan.recipe, plan.input, plan.from, makers);
  require_end(plan.end, metric_name(made.to()));
  return require_same(made, text);
}

}  // namespace dither::calculus
