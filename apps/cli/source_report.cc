#include "cli/source_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/cell_output.h"
#include "show/table.h"

namespace dither::cli {

namespace {

using engine::ColumnSurvey;
using engine::TableSurvey;
using show::Align;
using show::Json;

constexpr std::size_t kMostKeys = 20;  // of one column, shown to people

std::string sentence(const Error& error) {
  return fmt::format("{}: {} ({})", code_name(error.code()), error.what(), error.hint());
}

// Declared columns that the source does not have.
void compare_columns(const plan::TableDeclaration& table, const std::vector<engine::FoundColumn>& found,
                     std::vector<std::string>& findings) {
  std::vector<std::string> names;
  for (const engine::FoundColumn& column : found) names.push_back(column.name);
  for (const plan::ColumnDeclaration& column : table.columns) {
    if (std::find(names.begin(), names.end(), column.name) != names.end()) continue;
    const auto near = near_enough(column.name, names);
    findings.push_back(fmt::format("{}: {} has no column \"{}\"{}", table.name, table.source.path, column.name,
                                   near ? fmt::format("; did you mean \"{}\"?", *near) : ""));
  }
}

// Promises of the steward on which guarantees stand.
void compare_promises(const std::vector<TableSurvey>& surveys, std::vector<std::string>& findings) {
  for (const TableSurvey& survey : surveys) {
    if (survey.not_unique.value_or(0) == 0) continue;
    findings.push_back(
        fmt::format("{}: {} rows break what `unique:` or `multiplicity:` promises, and what stands on it "
                    "does not hold",
                    survey.table, *survey.not_unique));
  }
}

const char* becomes(const plan::ColumnDeclaration& column) {
  switch (column.outside) {
    case plan::Outside::clamp:
      return column.max_length ? "cut" : "clamped";
    case plan::Outside::null:
      return "NULL";
    case plan::Outside::other:
      return "other";
  }
  std::abort();
}

std::string count_or_nothing(std::uint64_t count) { return count == 0 ? "" : fmt::format("{}", count); }

std::string tables_table(const std::vector<TableSurvey>& surveys) {
  std::vector<std::vector<std::string>> rows;
  for (const TableSurvey& survey : surveys) {
    rows.push_back({survey.table, fmt::format("{}", survey.rows), count_or_nothing(survey.damaged),
                    count_or_nothing(survey.without_unit), count_or_nothing(survey.cut_units),
                    count_or_nothing(survey.not_unique.value_or(0))});
  }
  return show::text_table({{"table", Align::left},
                           {"rows", Align::right},
                           {"damaged, all NULL", Align::right},
                           {"without unit, dropped", Align::right},
                           {"units over rows_per_unit", Align::right},
                           {"not unique", Align::right}},
                          rows);
}

std::string key_text(const engine::KeySurvey& survey, const engine::KeyCut& cut) {
  return fmt::format("{} = {}", survey.column, plan::str(plan::Constant{survey.type, cut.key}));
}

// Those of which most rows do not count, or most units; in the order of the keys where as many.
std::vector<const engine::KeyCut*> most_cut(const engine::KeySurvey& survey) {
  std::vector<const engine::KeyCut*> keys;
  for (const engine::KeyCut& cut : survey.keys) keys.push_back(&cut);
  const auto lost = [](const engine::KeyCut* cut) {
    return std::pair(cut->rows - cut->answered_rows, cut->units - cut->answered_units);
  };
  std::stable_sort(keys.begin(), keys.end(), [&](const auto* a, const auto* b) { return lost(a) > lost(b); });
  if (keys.size() > kMostKeys) keys.resize(kMostKeys);
  return keys;
}

std::vector<std::string> cut_row(const std::string& name, const engine::CutSurvey& cut) {
  const auto digits = [](double value) { return fmt::format("{:.6g}", value); };
  return {name, digits(cut.mean), digits(cut.answered_mean), digits(cut.sum), digits(cut.answered_sum)};
}

// "visits.cost": mean and sum of all rows, and as answers have them; then those of keys.
std::string cut_table(const std::vector<TableSurvey>& surveys) {
  std::vector<std::vector<std::string>> rows;
  for (const TableSurvey& survey : surveys) {
    for (const engine::CutSurvey& cut : survey.cut) rows.push_back(cut_row(survey.table + "." + cut.column, cut));
    for (const engine::KeySurvey& keys : survey.by_key) {
      for (const engine::KeyCut* key : most_cut(keys)) {
        for (const engine::CutSurvey& cut : key->values) {
          rows.push_back(cut_row(fmt::format("{}.{}, {}", survey.table, cut.column, key_text(keys, *key)), cut));
        }
      }
    }
  }
  if (rows.empty()) return "";
  return "\n" + show::text_table({{"where units are cut", Align::left},
                                  {"mean of all rows", Align::right},
                                  {"AVG answers about", Align::right},
                                  {"sum of all rows", Align::right},
                                  {"SUM answers about", Align::right}},
                                 rows);
}

// GROUP BY of each column with declared keys: rows and units, and as answers have them.
std::string keys_table(const std::vector<TableSurvey>& surveys) {
  std::vector<std::vector<std::string>> rows;
  std::string units;
  for (const TableSurvey& survey : surveys) {
    for (const engine::KeySurvey& keys : survey.by_key) {
      units += fmt::format("{} by {}: {} units have more keys than are kept, {} more rows in a key than count\n",
                           survey.table, keys.column, keys.over_keys, keys.over_rows);
      for (const engine::KeyCut* key : most_cut(keys)) {
        rows.push_back({fmt::format("{}, {}", survey.table, key_text(keys, *key)), fmt::format("{}", key->rows),
                        fmt::format("{}", key->answered_rows), fmt::format("{}", key->units),
                        fmt::format("{}", key->answered_units), fmt::format("{}", key->cut_units)});
      }
      if (keys.keys.size() > kMostKeys) {
        units += fmt::format("the {} keys of which most is cut; --json has all {}\n", kMostKeys, keys.keys.size());
      }
    }
  }
  if (units.empty()) return "";
  return "\n" +
         show::text_table({{"where keys are cut", Align::left},
                           {"rows", Align::right},
                           {"COUNT(*) answers about", Align::right},
                           {"units", Align::right},
                           {"COUNT(DISTINCT) about", Align::right},
                           {"cut units", Align::right}},
                          rows) +
         units;
}

std::string columns_table(const plan::Project& project, const std::vector<TableSurvey>& surveys) {
  std::vector<std::vector<std::string>> rows;
  for (const TableSurvey& survey : surveys) {
    for (const ColumnSurvey& column : survey.columns) {
      if (column.null + column.unreadable + column.outside == 0) continue;
      const plan::ColumnDeclaration* declared = project.table(survey.table).find(column.column);
      const bool changed = column.outside > 0 && declared != nullptr;
      rows.push_back({survey.table + "." + column.column, count_or_nothing(column.null),
                      count_or_nothing(column.unreadable), count_or_nothing(column.outside),
                      changed ? becomes(*declared) : ""});
    }
  }
  if (rows.empty()) return "every value is readable, within its bounds or keys, and not NULL\n";
  return show::text_table({{"column", Align::left},
                           {"NULL", Align::right},
                           {"unreadable, NULL", Align::right},
                           {"outside", Align::right},
                           {"which are", Align::left}},
                          rows);
}

}  // namespace

SourceReport source_report(const plan::Project& project) {
  SourceReport report;
  const std::string folder = std::filesystem::absolute(project.path).lexically_normal().parent_path().string();
  for (const plan::TableDeclaration& table : project.tables) {
    try {
      compare_columns(table, engine::columns_of(table.source, folder), report.findings);
    } catch (const Error& error) {
      if (error.code() != Code::cannot_read && error.code() != Code::bad_source) throw;
      report.findings.push_back(fmt::format("{}: {}", table.name, sentence(error)));
    }
  }
  if (!report.findings.empty()) return report;
  try {
    report.surveys = engine::survey(project);
  } catch (const Error& error) {
    if (error.code() != Code::cannot_read && error.code() != Code::bad_source) throw;
    report.findings.push_back(sentence(error));
  }
  compare_promises(report.surveys, report.findings);
  return report;
}

std::string source_report_text(const plan::Project& project, const SourceReport& report) {
  std::string text = "INTERNAL: read from the sources, without noise; it is for the steward alone.\n";
  for (const std::string& finding : report.findings) text += fmt::format("found: {}\n", printable(finding));
  if (report.surveys.empty()) return text;
  return text + "\n" + tables_table(report.surveys) + cut_table(report.surveys) + keys_table(report.surveys) + "\n" +
         columns_table(project, report.surveys);
}

namespace {

Json cuts_json(const std::vector<engine::CutSurvey>& cuts) {
  Json json = Json::array();
  for (const engine::CutSurvey& cut : cuts) {
    json.push_back({{"column", cut.column},
                    {"mean", show::json_real(cut.mean)},
                    {"answered_mean", show::json_real(cut.answered_mean)},
                    {"sum", show::json_real(cut.sum)},
                    {"answered_sum", show::json_real(cut.answered_sum)}});
  }
  return json;
}

Json keys_json(const engine::KeySurvey& survey) {
  Json json = {{"column", survey.column},
               {"units_over_keys", survey.over_keys},
               {"units_over_rows", survey.over_rows},
               {"keys", Json::array()}};
  for (const engine::KeyCut& cut : survey.keys) {
    json["keys"].push_back({{"key", cell_json(survey.type, cut.key)},
                            {"rows", cut.rows},
                            {"answered_rows", cut.answered_rows},
                            {"units", cut.units},
                            {"answered_units", cut.answered_units},
                            {"cut_units", cut.cut_units},
                            {"cut", cuts_json(cut.values)}});
  }
  return json;
}

}  // namespace

Json source_report_json(const SourceReport& report) {
  Json json = {{"internal", true}, {"findings", report.findings}, {"tables", Json::array()}};
  for (const TableSurvey& survey : report.surveys) {
    Json table = {
        {"table", survey.table},         {"rows", survey.rows},
        {"damaged", survey.damaged},     {"without_unit", survey.without_unit},
        {"cut_units", survey.cut_units}, {"not_unique", survey.not_unique ? Json(*survey.not_unique) : Json()},
        {"columns", Json::array()},      {"cut", cuts_json(survey.cut)},
        {"by_key", Json::array()}};
    for (const engine::KeySurvey& keys : survey.by_key) table["by_key"].push_back(keys_json(keys));
    for (const ColumnSurvey& column : survey.columns) {
      table["columns"].push_back({{"column", column.column},
                                  {"null", column.null},
                                  {"unreadable", column.unreadable},
                                  {"outside", column.outside}});
    }
    json["tables"].push_back(table);
  }
  return json;
}

}  // namespace dither::cli
