// Outputs that somebody else has recorded: a file for each of two neighbouring inputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/effort.h"
#include "audit/promise.h"
#include "audit/report.h"
#include "audit/run_value.h"

namespace dither::audit {

// The runs of a CSV text (read_csv.h), one a row. What reads as a number is one (also nan, inf, -Infinity in any capitals);
// the rest are words. Rows may be of different length, and an empty line is a run that said nothing: it counts. `name` is
// for messages.
// Refuses    as read_csv, and more than 2^30 bytes (too-long).
std::vector<RunValue> csv_runs(std::string_view text, const std::string& name);

// Two files. Where their first rows are the same and hold no number, these are headers. The decision looks at the first
// rows alone, so that the others are as independent as they were.
struct RecordedRuns {
  std::vector<RunValue> first, second;
  std::string first_name, second_name;
};
// Refuses    files that cannot be read (cannot-read), with fewer than kLeastRuns rows (bad-count); as csv_runs.
RecordedRuns read_outputs(const std::string& first, const std::string& second);
constexpr std::size_t kLeastRuns = 20;

// Tests what was recorded. Half of the rows of the shorter file is kept to settle on, of both files; all others are for
// the search. Which rows these are is chosen by effort.seed, so that sorted files are as good as others.
//
// `tester`   "likelihood", or one of tester.h: those are handed every row once, in that random order, as if the mechanism
//            had just been run; what they ask for beyond that they do not get.
// False alarm  as effort says, if rows were independent runs.
// Refuses    a tester that is none (bad-argument).
Report test_outputs(const RecordedRuns& runs, const Promise& promise, const std::string& tester, Effort effort);

}  // namespace dither::audit
