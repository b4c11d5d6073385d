#include "plan/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/nearest.h"
#include "base/text.h"
#include "config/read.h"
#include "plan/detail/project_read.h"

namespace dither::plan {

namespace {

namespace fs = std::filesystem;
using config::Fields;
using config::Value;

constexpr const char* kFileName = "dither.yaml";
constexpr const char* kLedgerName = "dither.ledger";
constexpr long kLongestDeadline = 86'400;  // seconds

void require_version(const Value& value) {
  if (value.whole("\"version\"") == 1) return;
  throw error_at(value, Code::out_of_range,
                 fmt::format("\"version\" is {}, but this program reads version 1", echo(value.written())),
                 "write `version: 1`, or use the program that wrote the file");
}

void read_privacy(const Value& value, Project& project) {
  Fields fields(value, "\"privacy\"");
  fields.expect(detail::keys_of("privacy"));
  const Value& unit = fields.required("unit");
  detail::require_name(unit.where(), "the unit", unit.text("\"unit\""));
  project.unit = {unit.text("\"unit\"")};
  const Value& relation = fields.required("neighbours");
  project.neighbours = static_cast<accounting::Neighbours>(
      detail::one_of(relation, "neighbours", {"add-remove", "replace-one"}, Code::unknown_neighbours));
  fields.finish();
}

Rational read_deadline(const Value& value) {
  Rational seconds = value.number("\"deadline\"");
  if (seconds > 0 && seconds <= kLongestDeadline) return seconds;
  throw error_at(value, Code::out_of_range,
                 fmt::format("\"deadline\" is {} seconds, but must be above 0 and at most {}", echo(value.written()),
                             kLongestDeadline),
                 "write the seconds after which every answer leaves, such as `deadline: 10`");
}

std::string beside(const std::string& file, const Value* value, const std::string& otherwise) {
  const std::string path = value == nullptr ? otherwise : value->text("a path");
  if (value != nullptr && path.empty()) throw error_at(*value, Code::bad_name, "the path is empty", "name a file");
  return path.empty() ? path : (fs::path(file).parent_path() / path).string();
}

// What a project was read from: what one command spends the next one must know.
enum class From { file, text };

std::string ledger_path(const std::string& file, const Value* value, From from) {
  if (value == nullptr || value->text("a path") != kLedgerInMemory) return beside(file, value, kLedgerName);
  if (from == From::text) return kLedgerInMemory;
  throw error_at(
      *value, Code::bad_name, "the ledger of a project file cannot be in memory",
      "name a file, such as `ledger: visits.ledger`, so that what is spent is known the next time; a ledger in "
      "memory is for a session in Python");
}

Project read(const Value& file, const std::string& path, From from) {
  Project project;
  project.path = path;
  Fields fields(file, "a project file");
  fields.expect(detail::keys_of("project"));
  detail::refuse_fill_in(file);
  require_version(fields.required("version"));
  const Value& version = fields.required("data_version");
  project.data_version = version.text("\"data_version\"");
  detail::require_name(version.where(), "the data version", project.data_version);
  read_privacy(fields.required("privacy"), project);
  project.tables = detail::read_tables(fields.required("tables"));
  project.budgets = detail::read_budgets(fields.required("budgets"));
  if (const Value* deadline = fields.optional("deadline")) project.deadline = read_deadline(*deadline);
  const Value* ledger = fields.optional("ledger");
  const Value* anchor = fields.optional("anchor");
  project.ledger = ledger_path(path, ledger, from);
  project.anchor = beside(path, anchor, "");
  detail::require_own_files(project, ledger == nullptr ? file : *ledger, anchor == nullptr ? file : *anchor);
  fields.finish();
  return project;
}

// The beginning of a hint, or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::optional<std::string> near = near_enough(typed, names);
  return near ? fmt::format("did you mean \"{}\"? ", *near) : "";
}

// The first few.
std::string listed(std::vector<std::string> names) {
  constexpr std::size_t kShown = 8;
  const bool more = names.size() > kShown;
  if (more) names.resize(kShown);
  return fmt::format("{}{}", fmt::join(names, ", "), more ? " and more" : "");
}

}  // namespace

const ColumnDeclaration* TableDeclaration::find(std::string_view column) const {
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const auto& other) { return other.name == column; });
  return at == columns.end() ? nullptr : &*at;
}

const TableDeclaration& Project::table(std::string_view name) const {
  std::vector<std::string> names;
  for (const TableDeclaration& table : tables) {
    if (table.name == name) return table;
    names.push_back(table.name);
  }
  throw Error{Code::unknown_table, fmt::format("there is no table \"{}\"", echo(name)),
              did_you_mean(name, names) + "`dither tables` lists them"};
}

std::string Project::budget_path(std::string_view name) const {
  std::vector<std::string> names;
  for (const BudgetDeclaration& budget : budgets) {
    if (budget.name == name)
      return budget.parent.empty() ? budget.name : budget_path(budget.parent) + "/" + budget.name;
    names.push_back(budget.name);
  }
  throw Error{Code::unknown_budget, fmt::format("there is no budget \"{}\"", echo(name)),
              fmt::format("{}`budgets:` in {} has {}", did_you_mean(name, names), path, listed(names))};
}

Project read_project(const std::string& path) { return read(config::read_file(path), path, From::file); }

Project parse_project(std::string text, const std::string& name) {
  return read(config::read_text(std::move(text), name), name, From::text);
}

std::string find_project(const std::string& folder) {
  std::error_code failed;
  fs::path at = fs::absolute(folder.empty() ? "." : folder, failed).lexically_normal();
  for (;; at = at.parent_path()) {
    if (fs::exists(at / kFileName, failed)) return (at / kFileName).string();
    if (at == at.parent_path()) break;
  }
  throw Error{Code::cannot_read,
              fmt::format("there is no {} in {} or above", kFileName, echo(folder.empty() ? "this folder" : folder)),
              "name one with --project PATH, or begin one with `dither init SOURCE...`"};
}

}  // namespace dither::plan
