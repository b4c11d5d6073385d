#include "audit/attack.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accounting/claims.h"
#include "audit/attacks/attacks.h"
#include "audit/sql_subject.h"
#include "audit/stability.h"
#include "audit/tester.h"
#include "calculus/claims.h"
#include "mechanisms/claims.h"
#include "random/claims.h"
#include "sql/claims.h"

namespace dither::audit {

namespace {

constexpr double kFalseAlarm = 0.001;  // of a whole run
constexpr double kMostAttacks = 400;   // among which it is divided; a test counts them
// Less by more than what rounding can add to the sum: under 2^-53 of it for each.
constexpr double kShare = kFalseAlarm / kMostAttacks * (1 - 1e-12);

// As many pairs as runs were asked for, up to what is quick to search.
Report search_neighbours(const calculus::AnyTransformation& step, const Effort& effort) {
  constexpr std::int64_t kMostPairs = 1'000'000;
  const auto pairs = static_cast<int>(std::clamp<std::int64_t>(effort.certify, 1, kMostPairs));
  const StabilityReport found = check_stability(step, effort.seed, pairs, effort.cancel);
  Report report;
  report.verdict = found.holds() ? Verdict::none_found : Verdict::violated;
  report.runs = found.pairs;
  report.notes.emplace_back(
      "a search over neighbouring inputs: what it finds is certain, what it does not find may exist");
  if (!found.holds()) {
    report.witness =
        Witness{.first = found.first, .second = found.second, .event = found.complaint, .evidence = Evidence::exact};
  }
  return report;
}

Report test(const Attack& attack, const Target& target, const Effort& effort) {
  return tester(attack.tester).test(target, effort);
}

struct Runner {
  const Attack& attack;
  const Effort& effort;

  Report operator()(const Target& target) const { return test(attack, target, effort); }
  Report operator()(const View& view) const { return test(attack, target_of(view), effort); }
  Report operator()(const std::shared_ptr<const SqlSubject>& statement) const {
    return test(attack, target_of(*statement, effort), effort);
  }
  Report operator()(const calculus::AnyTransformation& step) const { return search_neighbours(step, effort); }
  Report operator()(const SampledLaw& law) const { return check_law(law, effort); }
  Report operator()(const FiniteMechanism& finite) const { return test_channel(finite.channel, finite.promise); }
};

// So many fresh runs of each input as fit the time, and a quarter of that to search on.
Effort effort_of(const Attack& attack, double microseconds, double fewest, double most) {
  Effort effort;
  effort.certify = std::llround(std::clamp(microseconds / attack.microseconds, fewest, most));
  effort.search = std::clamp<std::int64_t>(effort.certify / 4, 60, 1'000'000);
  effort.looks = effort.certify < 10'000 ? 1 : 3;
  effort.false_alarm = kShare;
  return effort;
}

}  // namespace

void add_step(std::vector<Attack>& attacks, const std::string& claim, const std::string& what,
              std::function<calculus::AnyTransformation()> make) {
  attacks.push_back(
      {claim, claim + ": " + what, "stability", 80.0, [make = std::move(make)]() -> Subject { return make(); }});
}

void add_exact(std::vector<Attack>& attacks, const std::string& claim, const std::string& what,
               std::function<FiniteMechanism()> make) {
  attacks.push_back(
      {claim, claim + ": exactly, " + what, "exact", 1.0, [make = std::move(make)]() -> Subject { return make(); }});
}

std::vector<Attack> all_attacks() {
  std::vector<Attack> attacks;
  for (const auto add :
       {add_noise_attacks, add_more_noise_attacks, add_key_attacks, add_mean_attacks, add_combinator_attacks,
        add_interactive_attacks, add_row_attacks, add_table_attacks, add_vector_attacks, add_conversion_attacks,
        add_bounding_attacks, add_accounting_attacks, add_sampling_attacks, add_amplification_attacks,
        add_selection_attacks, add_sampler_attacks, add_real_sampler_attacks, add_sql_attacks}) {
    add(attacks);
  }
  return attacks;
}

Registry all_claims() {
  Registry registry;
  mechanisms::add_claims(registry);
  calculus::add_claims(registry);
  accounting::add_claims(registry);
  random::add_claims(registry);
  sql::add_claims(registry);
  return registry;
}

Report run(const Attack& attack, const Effort& effort) {
  return timed([&] { return run_on(attack, attack.subject(), effort); });
}

Report run_on(const Attack& attack, const Subject& subject, const Effort& effort) {
  Report report = std::visit(Runner{attack, effort}, subject);
  report.target = attack.name;
  report.tester = attack.tester;
  return report;
}

Effort quick(const Attack& attack) { return effort_of(attack, 120'000, 100, 4'000'000); }

Effort full(const Attack& attack) { return effort_of(attack, 8'000'000, 4000, 50'000'000); }

}  // namespace dither::audit
