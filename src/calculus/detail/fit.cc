#include "calculus/detail/fit.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::calculus::detail {

namespace {

constexpr std::size_t kMostSteps = 1000;

void append(Recipe& all, const Recipe& one) {
  if (one.name == "chain") {
    all.parts.insert(all.parts.end(), one.parts.begin(), one.parts.end());
  } else {
    all.parts.push_back(std::make_shared<const Recipe>(one));
  }
}

}  // namespace

void require_fit(const End& out, const End& in) {
  if (out.metric != in.metric) {
    const auto left = neighbours_of(out.metric), right = neighbours_of(in.metric);
    const bool relations = left && right && *left != *right;
    throw Error{relations ? Code::mixed_neighbours : Code::mixed_metrics,
                fmt::format("{} gives distances in {}, but {} takes them in {}", out.name, metric_name(out.metric),
                            in.name, metric_name(in.metric)),
                "put a conversion between them, or make both for one metric"};
  }
  if (!implies(out.domain, in.domain)) {
    throw Error{Code::mixed_domains,
                fmt::format("{} may give {}, but {} takes {} with other facts", out.name, describe(out.domain), in.name,
                            describe(in.domain)),
                "add a step that enforces what is missing: a clamp, a cast, a limit per unit"};
  }
}

Recipe chained(const Recipe& first, const Recipe& second) {
  Recipe all{"chain"};
  append(all, first);
  append(all, second);
  if (all.parts.size() > kMostSteps) {
    throw Error{Code::bad_count, fmt::format("a chain of more than {} steps", kMostSteps),
                "join steps that belong together"};
  }
  return all;
}

}  // namespace dither::calculus::detail
