// dither functions: what expressions in SQL may call.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "plan/aggregate_call.h"
#include "plan/functions.h"
#include "show/show.h"

namespace dither::cli {

namespace {

const std::array kOptions = {
    Option{"json", "", "the same answer for programs"},
    Option{"markdown", "", "the whole reference page, docs/sql.md"},
    Option{"out", "FILE", "write there instead of standard output; the file appears when it is complete"},
    Option{"help", "", "this text"},
};

std::string help() {
  return "List the functions that expressions in SQL may call, with their types and when they are NULL.\n"
         "Reads no data, spends nothing.\n"
         "Usage:  dither functions [NAME] [--json] [--out FILE]\n"
         "        dither functions --markdown [--out FILE]\n" +
         options_help(kOptions) + R"(Example:  dither functions round
Exit:     0 done   2 mistake in the request   4 failed
)";
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Its own name, or the first word of it: "extract" finds every part.
bool is_named(std::string_view sql, std::string_view name) {
  return name.empty() || sql == name || (sql.substr(0, name.size()) == name && sql[name.size()] == ' ');
}

std::string types(const plan::Function& function) {
  std::string text;
  for (const plan::Type type : function.takes) text.append(text.empty() ? "" : ", ").append(type_name(type));
  return fmt::format("{}{} -> {}", text, function.variadic ? " ..." : "", type_name(function.gives));
}

[[noreturn]] void refuse_name(const std::string& typed) {
  if (plan::aggregate_named(lower(typed))) {
    throw Error{Code::unknown_function, fmt::format("\"{}\" is an aggregate, not a function of one row", echo(typed)),
                "docs/sql.md lists the aggregates, and `dither explain` shows what they cost"};
  }
  std::set<std::string> names;
  for (const plan::Function& function : plan::all_functions()) names.emplace(function.sql);
  for (const plan::Shorthand& shorthand : plan::all_shorthands()) names.emplace(shorthand.sql);
  const auto near = near_enough(typed, std::vector<std::string>(names.begin(), names.end()));
  throw Error{Code::unknown_function, fmt::format("there is no function \"{}\"", echo(typed)),
              (near ? fmt::format("did you mean {}? ", *near) : "") + "`dither functions` lists all"};
}

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view name) {
  Rows rows;
  for (const plan::Function& function : plan::all_functions()) {
    if (!is_named(function.sql, name)) continue;
    rows.push_back(
        {std::string(function.usage), types(function), std::string(function.does), std::string(function.when_null)});
  }
  for (const plan::Shorthand& shorthand : plan::all_shorthands()) {
    if (!is_named(shorthand.sql, name) || shorthand.usage.empty()) continue;
    rows.push_back({std::string(shorthand.usage), "", std::string(shorthand.does), ""});
  }
  return rows;
}

std::string answer(const Given& given) {
  if (given.contains("markdown")) return plan::functions_markdown();
  const std::string name = given.contains("NAME") ? lower(given.at("NAME")) : "";
  const Rows rows = rows_of(name);
  if (rows.empty() || (given.contains("NAME") && name.empty())) refuse_name(given.at("NAME"));
  if (!given.contains("json")) {
    using show::Align;
    return show::text_table(
        {{"write", Align::left}, {"types", Align::left}, {"gives", Align::left}, {"NULL when", Align::left}}, rows);
  }
  show::Json all = show::Json::array();
  for (const auto& row : rows)
    all.push_back({{"usage", row[0]}, {"types", row[1]}, {"does", row[2]}, {"when_null", row[3]}});
  return show::json_pretty({{"functions", all}}) + '\n';
}

}  // namespace

void functions(const Words& words) {
  const Given given = read_options("functions", kOptions, words, "NAME");
  if (given.contains("help")) return write_answer("", help());
  for (const char* other : {"json", "NAME"}) {
    if (given.contains("markdown") && given.contains(other)) {
      throw Error{Code::bad_argument,
                  fmt::format("--markdown and {} are both given", other == std::string("NAME") ? "a name" : "--json"),
                  "leave one out"};
    }
  }
  write_answer(given.contains("out") ? given.at("out") : "", answer(given));
}

}  // namespace dither::cli
