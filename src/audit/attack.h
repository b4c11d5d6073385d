// Every claim is attacked: what is attacked, by which tester, how hard.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "audit/channel.h"
#include "audit/effort.h"
#include "audit/law.h"
#include "audit/report.h"
#include "audit/target.h"
#include "audit/view.h"
#include "base/claims.h"
#include "calculus/transformation.h"

namespace dither::audit {

struct SqlSubject;  // audit/sql_subject.h

// What an attack is made on.
//   Target               any mechanism, with the tester of the attack
//   View                 a measurement, or what is asked interactively, on neighbouring data; becomes a Target
//   SqlSubject           a statement on neighbouring databases, through the whole path; becomes a Target
//   AnyTransformation    "stability": neighbours whose outputs are further apart than the map says
//   SampledLaw           "law": draws that do not follow the exact law
//   FiniteMechanism      "exact": every output on every input, by their probabilities
using Subject = std::variant<Target, View, std::shared_ptr<const SqlSubject>, calculus::AnyTransformation, SampledLaw,
                             FiniteMechanism>;

struct Attack {
  std::string claim;                 // in the list of claims
  std::string name;                  // unique: the claim and what is attacked of it, "sum: from change-one"
  std::string tester;                // of audit/tester.h, or "stability", "law", "exact"
  double microseconds;               // about how long one run takes, so that efforts fit the time
  std::function<Subject()> subject;  // made when it is run; cheap before
};

// Attacks on all claims of all rooms, in the order of claims; at least one each.
std::vector<Attack> all_attacks();

// The claims of all rooms, as `dither mechanisms` lists them.
Registry all_claims();

// Runs it. The report's target is the attack's name. A target that throws is no verdict: what it throws leaves.
Report run(const Attack& attack, const Effort& effort);
// The same on another subject: a mutant of this one must not survive it.
Report run_on(const Attack& attack, const Subject& subject, const Effort& effort);

// So hard that all attacks together take under 60 s, or under an hour, on two cores; and that the whole run calls a
// right system violated with probability 0.001 at most: divided among the attacks.
//
// Power      Laplace noise whose scale is 10% too small, at epsilon 0.1, 1 and 5, is found by quick(); 3% by full().
Effort quick(const Attack& attack);
Effort full(const Attack& attack);

}  // namespace dither::audit
