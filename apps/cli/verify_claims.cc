// Attacks on our own claims, and on mechanisms that are known to be wrong.
#include <fmt/format.h>

#include <algorithm>

#include "audit/attack.h"
#include "audit/tester.h"
#include "audit/zoo/zoo.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/verify.h"
#include "cli/verify_options.h"

namespace dither::cli {

namespace {

using audit::Attack;
using audit::Effort;

constexpr double kFalseAlarm = 0.001;  // of all planted mechanisms and twins together

[[noreturn]] void refuse_name(const std::string& typed, const std::vector<Attack>& attacks) {
  std::vector<std::string> names;
  for (const Attack& attack : attacks) {
    names.push_back(attack.claim);
    names.push_back(attack.name);
  }
  for (const audit::zoo::Entry& entry : audit::zoo::all()) names.push_back(entry.name);
  throw Error{Code::unknown_mechanism, fmt::format("there is no claim \"{}\"", echo(typed)),
              fmt::format("did you mean {}? `dither mechanisms` lists all claims", nearest(typed, names))};
}

// A planted mechanism and the testers to try on it: those that catch it, or for a right one those that catch its twin.
struct Planted {
  const audit::zoo::Entry* entry;
  std::vector<std::string_view> testers;
};
Planted planted_of(const audit::zoo::Entry& entry, bool all_testers) {
  std::vector<std::string_view> testers = entry.caught_by;
  if (!entry.broken && !entry.twin.empty()) testers = audit::zoo::entry(entry.twin).caught_by;
  if (testers.empty()) testers = {"dp-sniper"};
  if (!all_testers) testers.resize(1);
  return {&entry, testers};
}

// How all planted ones are run.
struct PlantedRun {
  std::uint64_t seed;
  const CancelToken& token;
  const Step& step;
};

Verified run_planted(const audit::zoo::Entry& entry, std::string_view tester, double false_alarm,
                     const PlantedRun& run) {
  Effort effort;
  effort.search = entry.search;
  effort.certify = entry.certify;
  effort.false_alarm = false_alarm;
  effort.seed = run.seed;
  effort.cancel = run.token;
  audit::Report report = audit::timed([&] { return audit::tester(tester).test(entry.make(), effort); });
  report.target = entry.name;
  return {std::move(report), "", entry.broken, run.seed};
}

std::vector<Verified> run_planted(const std::vector<Planted>& planted, const PlantedRun& run) {
  std::size_t all = 0;
  for (const Planted& one : planted) all += one.testers.size();
  std::vector<Verified> results;
  for (const Planted& one : planted) {
    for (const std::string_view tester : one.testers) {
      run.token.check();
      results.push_back(run_planted(*one.entry, tester, kFalseAlarm / static_cast<double>(all), run));
      run.step(results.size(), all);
    }
  }
  return results;
}

}  // namespace

std::vector<Verified> verify_planted(const Given& given, const CancelToken& token, const Step& step) {
  std::vector<Planted> planted;
  for (const audit::zoo::Entry& entry : audit::zoo::all()) planted.push_back(planted_of(entry, given.contains("full")));
  return run_planted(planted, {fresh_seed(given), token, step});
}

std::vector<Verified> verify_claims(const Given& given, const CancelToken& token, const Step& step) {
  std::vector<Attack> attacks = audit::all_attacks();
  const std::uint64_t seed = fresh_seed(given);
  if (given.contains("NAME")) {
    const std::string& name = given.at("NAME");
    for (const audit::zoo::Entry& entry : audit::zoo::all()) {
      if (entry.name == name) return run_planted({planted_of(entry, given.contains("full"))}, {seed, token, step});
    }
    std::vector<Attack> chosen;
    std::copy_if(attacks.begin(), attacks.end(), std::back_inserter(chosen),
                 [&](const Attack& attack) { return attack.claim == name || attack.name == name; });
    if (chosen.empty()) refuse_name(name, attacks);
    attacks = std::move(chosen);
  }
  std::vector<Verified> results;
  for (const Attack& attack : attacks) {
    token.check();
    Effort effort = given.contains("full") ? audit::full(attack) : audit::quick(attack);
    effort.seed = seed;
    effort.cancel = token;
    results.push_back({audit::run(attack, effort), attack.claim, false, seed});
    step(results.size(), attacks.size());
  }
  return results;
}

}  // namespace dither::cli
