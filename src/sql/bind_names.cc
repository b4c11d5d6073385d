#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "sql/detail/names.h"

namespace dither::sql {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <typename Same>
void add_called(const std::vector<NamedColumn>& columns, const std::set<std::size_t>& hidden, const Same& same,
                std::vector<std::size_t>& found) {
  for (const NamedColumn& column : columns) {
    if (same(column.name) && !hidden.contains(column.position)) found.push_back(column.position);
  }
}

// Those of a table, or of all of `*`, called exactly so; if there is none, those that differ in capitals alone.
std::vector<std::size_t> called(const From& from, const NamedTable* table, std::string_view name) {
  std::vector<std::size_t> found;
  const auto search = [&](const auto& same) {
    if (table != nullptr) return add_called(table->columns, {}, same, found);
    add_called(from.merged, {}, same, found);
    for (const NamedTable& any : from.tables) add_called(any.columns, from.hidden, same, found);
  };
  search([&](std::string_view column) { return column == name; });
  if (found.empty()) search([&](std::string_view column) { return same_letters(column, name); });
  return found;
}

}  // namespace

const Bound* Ctes::find(std::string_view name) const {
  const auto found = here.find(name);
  if (found != here.end()) return &found->second;
  return outer == nullptr ? nullptr : outer->find(name);
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

const NamedTable& find_table(const Text& text, const From& from, std::string_view name, std::size_t place) {
  std::vector<std::string> names;
  const NamedTable* alike = nullptr;
  for (const NamedTable& table : from.tables) {
    if (table.name == name) return table;
    if (same_letters(table.name, name)) alike = &table;
    names.push_back(table.name);
  }
  if (alike != nullptr) return *alike;
  text.refuse(Code::unknown_table, place, fmt::format("FROM has no table \"{}\"", echo(name)),
              fmt::format("write {}", quoted(nearest(name, names))));
}

std::vector<NamedColumn> all_columns(const From& from) {
  std::vector<NamedColumn> columns = from.merged;
  for (const NamedTable& table : from.tables) {
    for (const NamedColumn& column : table.columns) {
      if (!from.hidden.contains(column.position)) columns.push_back(column);
    }
  }
  return columns;
}

std::optional<std::size_t> find_column(const Text& text, const From& from, const Reference& reference) {
  const std::string& name = reference.parts.back();
  const bool qualified = reference.parts.size() > 1;
  const std::vector<std::size_t> found =
      called(from, qualified ? &find_table(text, from, reference.parts[0], reference.place) : nullptr, name);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    std::vector<std::string> tables;
    for (const NamedTable& table : from.tables) {
      if (!called(from, &table, name).empty()) tables.push_back(table.name);
    }
    const std::string hint = qualified || tables.size() < 2
                                 ? "give its columns different names by AS"
                                 : fmt::format("write {}.{}", quoted(tables[0]), quoted(name));
    text.refuse(Code::ambiguous_name, reference.place, fmt::format("\"{}\" is the name of several columns", echo(name)),
                hint);
  }
  return found[0];
}

void refuse_unknown_column(const Text& text, const From& from, const Reference& reference,
                           const std::vector<std::string>& more) {
  const std::string& name = reference.parts.back();
  std::vector<std::string> names = more;
  for (const NamedTable& table : from.tables) {
    if (reference.parts.size() > 1 && !same_letters(table.name, reference.parts[0])) continue;
    for (const NamedColumn& column : table.columns) names.push_back(column.name);
  }
  const std::string hint =
      names.empty() ? "name a column of the tables in FROM" : fmt::format("write {}", quoted(nearest(name, names)));
  text.refuse(Code::unknown_column, reference.place, fmt::format("there is no column \"{}\" here", echo(name)), hint);
}

}  // namespace dither::sql
