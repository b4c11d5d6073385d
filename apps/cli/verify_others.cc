// Other people's mechanisms: outputs that they recorded, or a program to be run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "audit/command.h"
#include "audit/foreign.h"
#include "audit/outputs_file.h"
#include "audit/patterns.h"
#include "audit/promise.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"
#include "cli/verify.h"
#include "cli/verify_options.h"

namespace dither::cli {

namespace {

using audit::Effort;
using audit::Promise;

constexpr int kRandomPairs = 8;

std::vector<std::string> read_testers(const Given& given) {
  return audit::testers_named(given.contains("tester") ? given.at("tester") : "likelihood");
}

std::chrono::milliseconds read_seconds(const Given& given, const std::string& name, std::int64_t usual) {
  if (!given.contains(name)) return std::chrono::seconds(usual);
  const Rational seconds = exact_number(name, given.at(name));
  if (seconds >= Rational(1, 100) && seconds <= 100'000) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds.to_double_down()));
  }
  throw Error{Code::out_of_range,
              fmt::format("--{} is {}, but must be 0.01 to 100000 seconds", name, echo(given.at(name))),
              "give a number of seconds"};
}

Effort effort_of(const Given& given, std::size_t testers, std::uint64_t seed, const CancelToken& token,
                 Effort effort = {}) {
  effort.false_alarm = read_false_alarm(given) / static_cast<double>(testers);
  effort.seed = seed;
  effort.cancel = token;
  return effort;
}

audit::InputRules read_rules(const Given& given) {
  audit::InputRules rules;
  rules.length = static_cast<std::size_t>(whole_number("length", given.at("length"), 1, 1000));
  const std::string adjacent = given.contains("adjacent") ? given.at("adjacent") : "";
  if (adjacent != "one" && adjacent != "all") {
    throw Error{Code::bad_argument,
                fmt::format("--adjacent is {}, but must be one or all", adjacent.empty() ? "missing" : echo(adjacent)),
                "write `one` where a record moves one of the answers by up to 1, `all` where it may move each of them"};
  }
  rules.adjacent = adjacent == "one" ? audit::Adjacent::one_coordinate : audit::Adjacent::all_coordinates;
  return rules;
}

// A file's pairs, or patterns and some random vectors besides.
audit::LearntTarget read_target(const Given& given, const std::shared_ptr<audit::CommandMechanism>& mechanism,
                                const Promise& promise, std::uint64_t seed) {
  const bool file = given.contains("inputs");
  if (file && !given.contains("length")) {
    return audit::command_target(mechanism, audit::read_input_pairs(given.at("inputs")), promise);
  }
  if (!file && given.contains("length")) {
    const audit::InputRules rules = read_rules(given);
    std::vector<audit::InputPair> starts = audit::pattern_inputs(rules);
    for (audit::InputPair& pair : audit::random_inputs(rules, kRandomPairs, seed)) {
      starts.push_back(std::move(pair));
    }
    return audit::command_target(mechanism, starts, rules, promise);
  }
  throw Error{
      Code::bad_argument, file ? "--inputs and --length are both given" : "neither --inputs nor --length is given",
      "name a file of neighbouring inputs with --inputs, or try vectors of K answers with --length K --adjacent one"};
}

// No run, no verdict: silence about a program that was not tested would read as praise.
void require_tested(const Given& given, const std::vector<Verified>& results) {
  if (std::any_of(results.begin(), results.end(), [](const Verified& one) { return one.report.runs > 0; })) return;
  throw Error{Code::bad_source,
              fmt::format("--command \"{}\" was not tested: no runs were left for the test when time was up",
                          echo(given.at("command"))),
              "give more --seconds, fewer pairs of inputs, fewer testers, or a faster program"};
}

}  // namespace

std::vector<Verified> verify_outputs(const Given& given, const CancelToken& token) {
  if (!given.contains("NAME")) {
    throw Error{Code::bad_argument, "--outputs needs two files, one for each of two neighbouring inputs",
                "write e.g. --outputs a.csv b.csv --claim 1.0"};
  }
  const Promise promise = read_claim(given);
  const std::vector<std::string> testers = read_testers(given);
  const Effort effort = effort_of(given, testers.size(), read_seed(given), token);
  const audit::RecordedRuns runs = audit::read_outputs(given.at("outputs"), given.at("NAME"));
  std::vector<Verified> results;
  for (const std::string& tester : testers) {
    results.push_back({audit::test_outputs(runs, promise, tester, effort), "", false});
    results.back().report.target = fmt::format("{} and {}", runs.first_name, runs.second_name);
  }
  return results;
}

std::vector<Verified> verify_command(const Given& given, const CancelToken& token) {
  const Promise promise = read_claim(given);
  const std::vector<std::string> testers = read_testers(given);
  const bool full = given.contains("full");
  const auto runs = given.contains("runs")
                        ? static_cast<std::int64_t>(whole_number("runs", given.at("runs"), 100, 1'000'000'000))
                        : (full ? 2'000'000 : 100'000);
  const std::uint64_t seed = fresh_seed(given);
  const Effort effort = effort_of(given, testers.size(), seed, token,
                                  audit::foreign_effort(runs, read_seconds(given, "seconds", full ? 3600 : 60)));
  audit::CommandLimits limits{
      .batch = read_seconds(given, "patience", 10), .deadline = effort.deadline, .cancel = token};
  const auto target = [&](const std::shared_ptr<audit::CommandMechanism>& mechanism) {
    return read_target(given, mechanism, promise, seed);
  };
  std::vector<audit::Report> reports = audit::test_command(given.at("command"), limits, target, testers, effort);
  std::vector<Verified> results;
  for (audit::Report& report : reports) results.push_back({std::move(report), "", false, seed});
  require_tested(given, results);
  return results;
}

}  // namespace dither::cli
