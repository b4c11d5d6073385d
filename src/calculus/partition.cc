#include "calculus/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "calculus/detail/access.h"
#include "calculus/detail/losses.h"

namespace dither::calculus {

namespace {

constexpr std::uint64_t kMostShared = 64;  // steps that are shared out one by one

void require_parts(const std::vector<AnyMeasurement>& parts) {
  if (parts.empty()) throw Error{Code::bad_count, "a partition has no parts", "give one measurement for each part"};
  for (const AnyMeasurement& part : parts) {
    detail::require_plain(part);
    if (!std::holds_alternative<TableDomain>(part.input()) || !neighbours_of(part.from())) {
      throw Error{Code::no_theorem,
                  fmt::format("{} takes {} in {}: a part of a partition is a table", part.recipe().name,
                              describe(part.input()), metric_name(part.from())),
                  "give measurements of tables, in a metric between tables"};
    }
    if (part.from() != parts[0].from() || part.measure() != parts[0].measure()) {
      throw Error{Code::mixed_metrics,
                  fmt::format("parts in {} by {} and in {} by {} meet", metric_name(parts[0].from()),
                              parts[0].measure().name(), metric_name(part.from()), part.measure().name()),
                  "give all parts in one metric and one measure"};
    }
  }
}

// worst[t]: of all ways to share at most t steps among the parts. Part by part: what it has, and the rest.
Loss worst_share(const std::vector<AnyMeasurement>& parts, std::uint64_t steps) {
  const Measure measure = parts[0].measure();
  std::vector<Loss> worst(steps + 1, measure.zero());
  for (const AnyMeasurement& part : parts) {
    std::vector<Loss> losses;
    for (std::uint64_t own = 0; own <= steps; ++own) losses.push_back(part.loss(Rational(static_cast<Int128>(own))));
    for (std::uint64_t total = steps; total > 0;
         --total) {  // downwards: the smaller totals are still without this part
      for (std::uint64_t own = 1; own <= total; ++own) {
        worst[total] = detail::worst_of(measure, worst[total], measure.add(worst[total - own], losses[own]));
      }
    }
  }
  return worst[steps];
}

// Beyond: from one step to the next, which takes that every step of the way is such data again. Removing what only one
// side has and then adding what the other has keeps every fact about tables but a fixed number of rows.
Loss by_group_rule(const std::vector<AnyMeasurement>& parts, std::uint64_t steps) {
  using enum MetricKind;
  const MetricKind inner = parts[0].from().kind;
  const bool removes = inner == symmetric || inner == insert_delete || inner == units_added;
  for (const AnyMeasurement& part : parts) {
    if (removes && !std::get<TableDomain>(part.input()).rows) continue;
    throw Error{Code::no_theorem,
                fmt::format("a partition {} steps apart in {} whose parts keep their number of rows or units", steps,
                            metric_name(parts[0].from())),
                fmt::format("ask at a distance of at most {}", kMostShared)};
  }
  const Measure measure = parts[0].measure();
  return detail::worst_of(measure, worst_share(parts, kMostShared), measure.group(worst_share(parts, 1), steps));
}

Loss worst_loss(const std::vector<AnyMeasurement>& parts, const Distance& d) {
  const std::optional<std::uint64_t> steps = detail::whole_steps(d);
  if (!steps) {
    throw Error{Code::bad_distance, "a distance of more than 2^63 steps", "ask at a smaller distance"};
  }
  return *steps <= kMostShared ? worst_share(parts, *steps) : by_group_rule(parts, *steps);
}

// When all parts would be released alike, one step is one of these releases; otherwise all that is known is the loss.
std::vector<accounting::Event> worst_events(const std::vector<AnyMeasurement>& parts, const Distance& d) {
  if (detail::whole_steps(d) == 1u) {
    std::vector<accounting::Event> first = parts[0].events(Rational(1));
    if (std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return part.events(Rational(1)) == first; })) {
      return first;
    }
  }
  const Loss loss = worst_loss(parts, d);
  if (loss == parts[0].measure().zero()) return {};
  return {detail::event_of(loss)};
}

}  // namespace

AnyMeasurement partition(const std::vector<AnyMeasurement>& parts) {
  require_parts(parts);
  TablesDomain input;
  for (const AnyMeasurement& part : parts) input.tables.push_back(std::get<TableDomain>(part.input()));
  return AnyMeasurement({
      .recipe = {"partition", {}, detail::parts_of(parts)},
      .input = input,
      .from = {MetricKind::sum, parts[0].from().kind},
      .measure = parts[0].measure(),
      .loss = [parts](const Distance& d) { return worst_loss(parts, d); },
      .events = [parts](const Distance& d) { return worst_events(parts, d); },
      .function = [parts](const Data& data, random::Source& source) -> Data {
        const Tables& tables = as<Tables>(data);
        Answers all;
        for (std::size_t i = 0; i < parts.size(); ++i) {
          all.parts.push_back({CombinatorAccess::parts(parts[i]).function(tables.at(i), source)});
        }
        return all;
      },
  });
}

}  // namespace dither::calculus
