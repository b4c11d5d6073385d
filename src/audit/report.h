// What came out of an attack, and what it can and cannot show.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dither::audit {

// A test refutes; it never proves. There is no "private" here (T-53, T-99).
enum class Verdict { violated, none_found };
std::string_view verdict_name(Verdict verdict);  // "VIOLATED", "no violation found"

// What a witness rests on: hits counted among runs, means of a function of the output, or probabilities worked out.
enum class Evidence { counts, means, exact };
std::string_view evidence_name(Evidence evidence);  // "counts", "means", "exact"

// The event that shows it: on this pair, outputs fall into the set more often than any mechanism with the promise allows.
struct Witness {
  std::string first, second;  // the inputs; the set is likelier under `first`
  std::string event;
  Evidence evidence = Evidence::counts;
  std::int64_t runs_first = 0, runs_second = 0;  // all of them fresh; none where it is exact
  std::int64_t hits_first = 0, hits_second = 0;  // of counts: runs that fell into the set
  double least_first = 0, most_second = 0;       // what the probabilities, or means, are at least and at most, jointly
  double epsilon = 0, delta = 0;                 // the point of the promise that is broken; no epsilon by divergences
};

struct Report {
  std::string target;
  std::string tester;
  Verdict verdict = Verdict::none_found;
  // Nothing, or the order of which promised, lower_bound and ceiling are Renyi divergences instead of epsilons.
  std::optional<double> order = {};
  double promised = 0;     // epsilon at `delta`, as claimed
  double delta = 0;        // where the promise was tested
  double lower_bound = 0;  // epsilon at `delta` is at least this, with confidence 1 - false_alarm
  double ceiling = 0;      // no sample of this size could have shown more
  // About how likely this test is to refute a mechanism 1.5, 2 times as leaky that shows it by the witness's event: of
  // other events nothing is said.
  double power_1_5 = 0, power_2 = 0;
  // Where nothing was found: from about which probability on an event that one input alone shows is found, if the tester
  // looks at it.
  std::optional<double> rarest = {};
  double false_alarm = 0;
  std::int64_t runs = 0;                // of each input at least, in the test; the search has its own
  double seconds = 0;                   // that it took; see timed()
  std::optional<Witness> witness = {};  // the best found, also where it proves nothing
  std::vector<std::string> notes = {};  // assumptions; what was not tried; "the output never varied"
};

// Runs a test; its report says how long all of it took, search and preparation too.
Report timed(const std::function<Report()>& test);

}  // namespace dither::audit
