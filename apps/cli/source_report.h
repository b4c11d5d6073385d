// What the declarations will do to the data. INTERNAL: exact numbers, for the steward alone.
#pragma once

#include <string>
#include <vector>

#include "engine/survey.h"
#include "plan/project.h"
#include "show/json.h"

namespace dither::cli {

struct SourceReport {
  std::vector<std::string> findings;         // what must be put right: each begins with the table it is about
  std::vector<engine::TableSurvey> surveys;  // nothing where a source cannot be read
};

// Opens every source, compares its columns with the declared ones, then counts rows that will be clamped, nulled or
// dropped.
// Refuses    no-engine. A source that is missing, or does not hold what is declared, is a finding.
SourceReport source_report(const plan::Project& project);

// Begins with the mark INTERNAL.
std::string source_report_text(const plan::Project& project, const SourceReport& report);
// The members internal (true), findings, tables (table, rows, damaged, without_unit, cut_units, not_unique, columns, cut, by_key).
show::Json source_report_json(const SourceReport& report);

}  // namespace dither::cli
