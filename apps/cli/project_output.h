// A project file as people and programs see it.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "plan/project.h"
#include "session/session.h"
#include "show/json.h"

namespace dither::cli {

// --project, --json, --help.
std::span<const Option> project_options();
// The file of --project, or the nearest dither.yaml. Refuses an empty one (bad-argument).
std::string project_path(const Given& given);

// Whom it protects, in which version; where the ledger lies.
std::string project_text(const plan::Project& project);
show::Json project_json(const plan::Project& project);

// "csv", "parquet", "json", "duckdb".
const char* source_kind_name(plan::SourceKind kind);

// One line for each table.
std::string tables_text(const plan::Project& project);
show::Json table_json(const plan::Project& project, const plan::TableDeclaration& table);
// One table: whose its rows are, what a unit may contribute; its columns, what a scan makes sure of, what is missing.
std::string table_text(const plan::Project& project, const plan::TableDeclaration& table);

// What can be asked, of whom, and what is left to spend, as JSON and as text; of one table where it is named.
// Refuses    unknown-table.
std::pair<std::string, std::string> described(const session::Session& session, const std::string& table);

// The declared budgets before anything is spent, or as the next charge finds them.
std::vector<session::BudgetState> declared_budgets(const plan::Project& project);
std::vector<session::BudgetState> current_budgets(const session::Session& session);
std::string budgets_text(const std::vector<session::BudgetState>& budgets);
show::Json budgets_json(const std::vector<session::BudgetState>& budgets);

}  // namespace dither::cli
