// Mechanisms with known answers: what verifiers are tested on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/channel.h"
#include "audit/target.h"

namespace dither::audit::zoo {

// One mechanism with the promise that is made for it. Half of them break it: never use one on data. All names begin with
// "zoo.", and the ledger takes no reservation for such a name.
struct Entry {
  std::string name;
  std::string what;  // the bug, or why it is right, in one line
  Target (*make)();
  bool broken = false;
  std::string twin;                    // the same without the bug (or with it), "" when there is none
  std::optional<double> true_epsilon;  // least epsilon that holds at delta 0, infinity when none does; nothing: unknown
  std::vector<std::string_view> caught_by;  // testers that call it violated at this sample size, every time
  std::string written_for;  // the tester that was made for this kind of bug, or whose authors made the bug to try it
                            // on; "" for what was planted or published with no tester in mind
  std::vector<std::string_view> rows;  // of the specification; "peers 15" is row 15 of the holes of other systems
  std::int64_t search = 20'000;        // runs of each input that suffice: see Effort
  std::int64_t certify = 200'000;
  // Where outputs are few: all of them with their probabilities, worked out by hand, for the exact examiner. Inputs are
  // the first and the second of each pair, outputs have their output_name.
  Channel (*channel)() = nullptr;
};

// All of them, in a fixed order; a broken one and its twin stand together.
std::span<const Entry> all();
// The one of this name; bad-argument when there is none.
const Entry& entry(std::string_view name);

// "0 1 1": what a channel calls an output.
std::string output_name(std::span<const double> row);

// The names of the testers that are tried on it: the published ones, and likelihood.
std::vector<std::string_view> testers();

}  // namespace dither::audit::zoo
