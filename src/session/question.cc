#include "session/question.h"

#include <array>

#include "base/digest.h"
#include "base/text.h"

namespace dither::session {
namespace {

using plan::AggregateKind;

constexpr std::size_t kMostTitle = 2'000;  // bytes

constexpr std::array kStatistics = {"count", "sum", "mean", "variance", "deviation"};

std::size_t statistic_at(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
    case AggregateKind::count_units:
    case AggregateKind::count_cut_units:
      return 0;
    case AggregateKind::sum:
      return 1;
    case AggregateKind::avg:
      return 2;
    case AggregateKind::var_pop:
    case AggregateKind::var_samp:
      return 3;
    case AggregateKind::stddev_pop:
    case AggregateKind::stddev_samp:
      return 4;
  }
  return 0;
}

// One line, as a ledger takes it: blanks for line ends, cut where it is long.
std::string one_line(const std::string& title) {
  std::string line;
  std::string_view rest = title;
  while (!rest.empty()) {
    const Character first = first_character(rest);
    const std::string_view shown = rest.substr(0, first.bytes);
    rest.remove_prefix(first.bytes);
    const bool blank = shown == " " || shown == "\n" || shown == "\t" || shown == "\r";
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? " " : printable(shown);
    if (line.size() > kMostTitle) return line + " ...";
  }
  return line;
}

}  // namespace

ledger::Question question_of(const plan::Project& project, const PricedPlan& plan) {
  std::string noise;
  for (const Part& part : plan.parts) {
    noise += part.measurement ? canonical_json(part.measurement->recipe()) : "none";
    noise += "\n";
  }
  if (plan.keys) noise += canonical_json(plan.keys->measurement.recipe());
  return {plan::plan_hash(project, plan.exact), sha256(plan::declarations_json(project, plan.tables)).hex(),
          "noisy-aggregate 1 " + sha256(noise).hex()};
}

std::string statistic_of(const PricedPlan& plan) {
  std::array<bool, kStatistics.size()> has{};
  for (const Estimate& estimate : plan.estimates) has[statistic_at(estimate.call.kind)] = true;
  std::string names;
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (has[i]) names += (names.empty() ? "" : "+") + std::string(kStatistics[i]);
  }
  return names;
}

ledger::Request request_for(const plan::Project& project, const PricedPlan& plan, const Ask& ask,
                            const std::string& path, const accounting::FilterRule& rule) {
  ledger::Request request;
  request.budget = path;
  request.price = charged(plan, rule, project.neighbours).price;
  request.question = question_of(project, plan);
  request.statistic = statistic_of(plan);
  request.title = one_line(ask.title);
  request.by = ask.by;
  request.again = ask.again;
  request.version = project.data_version;
  return request;
}

}  // namespace dither::session
