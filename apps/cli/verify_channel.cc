// Finite mechanisms: dither verify --channel, of somebody's own, and --write-channel, of ours.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "audit/attack.h"
#include "audit/channel.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/verify_attack.h"
#include "show/show.h"

namespace dither::cli {

namespace {

constexpr int kDigits = 5;
constexpr double kMostWork = 1e9;     // probabilities of neighbours that are compared: some minutes to half an hour
constexpr double kMostPairs = 1e7;    // in memory
constexpr double kPower = 50;         // so many comparisons take as long as a power of e, at each point of a curve
constexpr double kMostEpsilon = 1e6;  // of a claim with a delta: e to that is a whole number of 1.4 million bits

// All pairs of many inputs would fill the memory before they took for ever.
void require_feasible(const audit::Channel& channel, const audit::Promise& promise, const std::string& path) {
  const auto inputs = static_cast<double>(channel.inputs().size());
  const audit::Adjacency& relation = channel.adjacency();
  const bool pure = promise.pure_epsilon().has_value();
  const double pairs =
      (relation.all_pairs ? inputs * (inputs - 1) : 0) + 2 * static_cast<double>(relation.pairs.size());
  const double points = pure ? 1 : static_cast<double>(promise.epsilons().size());
  const double work = pairs * (static_cast<double>(channel.outputs().size()) + (pure ? 0 : kPower)) * points;
  if (pairs > kMostPairs || work > kMostWork) {
    throw Error{Code::bad_count,
                fmt::format("--channel {}: {:.0f} ordered pairs of inputs, {} outputs and {:.0f} points of the claim "
                            "are more than can be compared",
                            echo(path), pairs, channel.outputs().size(), points),
                "list fewer pairs as neighbours, or claim one epsilon"};
  }
  if (!pure && promise.epsilons().back() > kMostEpsilon) {
    throw Error{Code::out_of_range,
                fmt::format("--claim: epsilon is {:g}, but beside a delta at most {:g} can be compared exactly",
                            promise.epsilons().back(), kMostEpsilon),
                "claim a smaller epsilon, or one without delta"};
  }
}

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

audit::Channel read_channel(const std::string& path) {
  return audit::channel_from_json(without_mark(read_bytes(path, "--channel")), name_of(path));
}

// What the claim leaves the likelier input at this event.
double allowed(const audit::Witness& witness) {
  if (witness.most_second == 0) return witness.delta;  // e^epsilon may be infinite
  return std::min(1.0, add_up(mul_up(exp_up(witness.epsilon), witness.most_second), witness.delta));
}

void say_witness(const audit::Report& report, Facts& facts) {
  if (!report.witness) return;
  const audit::Witness& witness = *report.witness;
  facts.push_back({report.verdict == audit::Verdict::violated ? "witness" : "worst event", witness.event});
  facts.push_back({"likelier input", witness.first});
  facts.push_back({"other input", witness.second});
  facts.push_back(
      {"so", fmt::format("probabilities of at least {} and at most {}; beside the second the claim allows {}",
                         digits_down(witness.least_first, kDigits), digits_up(witness.most_second, kDigits),
                         digits_up(allowed(witness), kDigits))});
}

Facts facts_of(const audit::Report& report, const audit::Channel& channel, const audit::Promise& promise) {
  const std::string delta = report.delta > 0 ? " at delta " + digits_down(report.delta, kDigits) : "";
  Facts facts = {{"verdict", std::string(audit::verdict_name(report.verdict))},
                 {"examined", fmt::format("{}: {} inputs, {} outputs, {}", report.target, channel.inputs().size(),
                                          channel.outputs().size(),
                                          channel.is_exact() ? "exact probabilities" : "intervals of probabilities")},
                 {"claimed", promise.str()},
                 {"epsilon", fmt::format("is at least {}{}", digits_down(report.lower_bound, kDigits), delta)}};
  say_witness(report, facts);
  for (const std::string& note : report.notes) facts.push_back({"note", note});
  return facts;
}

// The one attack on this name, or of this one, that lists all probabilities.
audit::Attack exact_attack(const std::string& name) {
  std::vector<audit::Attack> found;
  std::vector<std::string> names, all;
  for (audit::Attack& attack : audit::all_attacks()) {
    if (attack.tester != "exact") continue;
    all.push_back('"' + attack.name + '"');
    if (attack.claim != name && attack.name != name) continue;
    names.push_back(all.back());
    found.push_back(std::move(attack));
  }
  if (found.size() == 1) return found.front();
  throw Error{Code::bad_argument,
              fmt::format("--write-channel: {} of the attacks on \"{}\" list all probabilities",
                          found.empty() ? "none" : std::to_string(found.size()), echo(name)),
              fmt::format("name one of {}", fmt::join(names.empty() ? all : names, ", "))};
}

}  // namespace

AttackAnswer verify_channel(const Given& given) {
  const std::string& path = given.at("channel");
  const audit::Promise promise = read_claim(given);
  const audit::Channel channel = read_channel(path);
  require_feasible(channel, promise, path);
  audit::Report report = audit::test_channel(channel, promise);
  report.target = name_of(path);
  const bool violated = report.verdict == audit::Verdict::violated;
  const Facts facts = facts_of(report, channel, promise);
  return {given.contains("json") ? reports_json(std::vector<Verified>{{std::move(report), "", false}}, false)
                                 : wrapped_facts(facts),
          violated};
}

void write_channel(const Given& given) {
  if (!given.contains("NAME")) {
    throw Error{Code::bad_argument, "--write-channel needs the name of an attack that lists all probabilities",
                "write e.g. dither verify \"truncated-geometric: exactly, scale 1\" --write-channel FILE"};
  }
  const audit::Attack attack = exact_attack(given.at("NAME"));
  const audit::Subject subject = attack.subject();
  write_answer(given.at("write-channel"),
               audit::canonical_json(std::get<audit::FiniteMechanism>(subject).channel) + '\n', "--write-channel");
}

}  // namespace dither::cli
