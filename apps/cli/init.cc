// dither init: the beginning of a project file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "cli/ledger_options.h"
#include "cli/output.h"
#include "cli/project_output.h"
#include "cli/verbs.h"
#include "engine/database_tables.h"
#include "engine/survey.h"
#include "ledger/durable_file.h"
#include "plan/source_kind.h"
#include "session/no_dumps.h"
#include "show/table.h"

namespace dither::cli {

namespace {

namespace fs = std::filesystem;

const std::array kOptions = {
    Option{"project", "PATH", "where the file is written (dither.yaml)"},
    Option{"help", "", "this text"},
};

std::string help() {
  return R"(Write the beginning of a project file: its sources, their columns, and FILL_IN for all that a steward must declare.
Reads the sources; spends nothing. Guessed types are comments; no bound, key or value is written, but what stands where
names belong is taken for names: the first record of a CSV file, the keys of JSON objects.
Usage:  dither init [--project PATH] SOURCE...
        SOURCE is a file (.csv, .parquet, .json, .duckdb ...) or a glob in quotes; of a database all tables are taken
)" + options_help(kOptions) +
         R"(Example:  dither init visits.csv "claims/*.parquet"
Exit:     0 done   2 mistake in the request, or a file that is there already   4 failed
)";
}

struct FoundTable {
  std::string name;
  plan::Source source;
  std::vector<engine::FoundColumn> columns;
  bool is_view = false;  // of a database: no source
};

plan::SourceKind kind_of(const std::string& path) {
  if (const auto kind = plan::source_kind(path)) return *kind;
  throw Error{Code::bad_argument, fmt::format("the ending of \"{}\" does not say what kind of file it is", echo(path)),
              "name a .csv, .tsv, .json, .ndjson, .jsonl, .parquet, .duckdb or .db file"};
}

// "data/visits-*.csv.gz" is visits: what stands before the first dot or wildcard, in letters, digits and underscores.
std::string table_name(const std::string& path) {
  std::string name;
  for (const char c : fs::path(path).filename().string()) {
    if (c == '.' || c == '*' || c == '?' || c == '[') break;
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "table_" + name;
  while (name.ends_with('_')) name.pop_back();
  return name;
}

std::vector<FoundTable> look_at(const std::string& typed, const std::string& folder) {
  const std::string path = fs::path(typed).is_absolute()
                               ? typed
                               : fs::absolute(typed).lexically_normal().lexically_relative(folder).string();
  const plan::SourceKind kind = kind_of(typed);
  std::vector<FoundTable> tables;
  if (kind == plan::SourceKind::duckdb) {
    for (const engine::DatabaseTable& table : engine::tables_in(typed)) {
      tables.push_back({table.name, {kind, path, table.name}, {}, table.is_view});
    }
  } else {
    tables.push_back({table_name(typed), {kind, path, ""}, {}, false});
  }
  for (FoundTable& table : tables) {
    if (!table.is_view) table.columns = engine::columns_of(table.source, folder);
  }
  return tables;
}

// A number behind names that come again.
void make_names_differ(std::vector<FoundTable>& tables) {
  std::set<std::string> taken;
  for (FoundTable& table : tables) {
    if (table.is_view) continue;
    const std::string name = table.name;
    for (int number = 2; !taken.insert(table.name).second; ++number) table.name = fmt::format("{}_{}", name, number);
  }
}

// As the strict reader takes it: in quotes unless it is a plain word that means nothing else.
std::string yaml(const std::string& text) {
  static const std::set<std::string> kWords = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '/' ||
           c == '.';
  };
  const bool letter = !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
  std::string lower = text;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (letter && std::all_of(text.begin(), text.end(), plain) && !kWords.contains(lower)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += control ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c)) : std::string{c};
  }
  return quoted + '"';
}

// Whether a project file can have a column of this name.
bool can_be_declared(const std::string& name) {
  try {
    plan::parse_project(fmt::format("version: 1\ndata_version: \"1\"\nprivacy: {{unit: x, neighbours: add-remove}}\n"
                                    "tables: {{t: {{source: t.csv, unit: row, columns: {{{}: {{type: text}}}}}}}}\n"
                                    "budgets: {{b: {{epsilon: 1}}}}\n",
                                    yaml(name)),
                        "names");
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Decimals are real numbers on a grid, which no source says; amounts of money have one.
std::string looks_like(const engine::FoundColumn& column) {
  if (!column.guess) return "no type that is known here";
  const std::string name(plan::type_name(*column.guess));
  if (column.guess == plan::Type::text) return name + ", which may have a max_length";
  return column.guess == plan::Type::real ? name + ", or decimal, which has a grid" : name;
}

std::string columns_text(const std::vector<engine::FoundColumn>& columns) {
  std::string text;
  for (const engine::FoundColumn& column : columns) {
    if (!can_be_declared(column.name)) {
      text += fmt::format("      # the column \"{}\" has a name that cannot be declared\n", printable(column.name));
      continue;
    }
    text += fmt::format("      {}: {{type: FILL_IN}}  # looks like {}\n", yaml(column.name), looks_like(column));
  }
  return text;
}

std::string table_text(const FoundTable& table) {
  if (table.is_view) {
    return fmt::format("  # \"{}\" of {} is a view: copy what it shows into a table, if it is to be asked about\n",
                       printable(table.name), printable(table.source.path));
  }
  const std::string inner = table.source.table.empty() ? "" : fmt::format(", table: {}", yaml(table.source.table));
  return fmt::format(
      "  {}:\n    source: {{path: {}, kind: {}{}}}\n"
      "    unit: FILL_IN  # the column that says whose a row is, or `row`; a table about nobody: `public: true` "
      "instead\n"
      "    # bounds: what one unit may contribute: rows_per_unit, keys_per_unit, rows_per_key\n    columns:\n{}",
      yaml(table.name), yaml(table.source.path), source_kind_name(table.source.kind), inner,
      columns_text(table.columns));
}

std::string file_text(const std::vector<FoundTable>& tables) {
  std::string text =
      R"(# The beginning of a project, made by `dither init`. Replace every FILL_IN, then run `dither check`.
# Nothing about privacy has a default, and nothing is read off the data: bounds and keys are publicly known.
version: 1
data_version: FILL_IN  # a label for this state of the data, in quotes
privacy:
  unit: FILL_IN        # whom one unit stands for, in a word
  neighbours: FILL_IN  # add-remove, or replace-one where the number of units is public
tables:
)";
  for (const FoundTable& table : tables) text += table_text(table);
  return text +
         R"(# A column may also have `bounds:` or `keys:`, each with `outside:`, and `grid:`, `null_as:`. A column that nobody
# should ask about is better removed. Whole numbers have 64 bits: beyond them an integer column has NULL, and a real
# one loses digits, so that several ids become one.
budgets:
  main: {epsilon: FILL_IN}  # what may be spent in all; with `delta:` where keys are not public
)";
}

// Names that a format has no place of its own for may be data.
std::string about_names(const std::vector<FoundTable>& tables) {
  const auto any = [&](plan::SourceKind kind) {
    return std::any_of(tables.begin(), tables.end(),
                       [&](const FoundTable& table) { return table.source.kind == kind; });
  };
  std::string text;
  if (any(plan::SourceKind::csv)) {
    text +=
        "Columns of CSV are named by its first record: of a file without a header that is a row, and its values were "
        "written.\n";
  }
  if (any(plan::SourceKind::json)) {
    text += "Columns of JSON are named by the keys of its objects: where those are data, values were written.\n";
  }
  return text;
}

std::string summary(const std::string& path, const std::vector<FoundTable>& tables) {
  std::vector<std::vector<std::string>> rows;
  for (const FoundTable& table : tables) {
    if (table.is_view) continue;
    rows.push_back(
        {table.name, table.source.path, source_kind_name(table.source.kind), fmt::format("{}", table.columns.size())});
  }
  return fmt::format(
      "INTERNAL: this was read from the sources; it is for the steward alone.\n{}\n{}\nwrote {}: replace every "
      "FILL_IN, then run `dither check`\n",
      about_names(tables),
      show::text_table({{"table", show::Align::left},
                        {"source", show::Align::left},
                        {"kind", show::Align::left},
                        {"columns", show::Align::right}},
                       rows),
      printable(path));
}

[[noreturn]] void refuse_existing(const std::string& path) {
  throw Error{Code::bad_argument, fmt::format("{} is there already", echo(path)),
              "add the tables to it by hand, or write elsewhere with --project PATH"};
}

}  // namespace

void init(const Words& words) {
  std::vector<std::string> sources;
  const Given given = read_options("init", kOptions, words, sources);
  if (given.contains("help")) return write_answer("", help());
  const std::string path = given.contains("project") ? given.at("project") : "dither.yaml";
  if (sources.empty()) {
    throw Error{Code::bad_argument, "no source is named", "name the files: dither init visits.csv regions.parquet"};
  }
  if (path.empty()) throw Error{Code::bad_argument, "--project is empty", "name a file, or leave it out"};
  if (fs::exists(path)) refuse_existing(path);
  const std::string folder = fs::absolute(path).lexically_normal().parent_path().string();
  session::forbid_dumps();
  std::vector<FoundTable> tables;
  for (const std::string& source : sources) {
    for (FoundTable& table : look_at(source, folder)) tables.push_back(std::move(table));
  }
  make_names_differ(tables);
  if (!ledger::create_durable_file(path, file_text(tables))) refuse_existing(path);
  write_answer("", summary(path, tables));
}

}  // namespace dither::cli
