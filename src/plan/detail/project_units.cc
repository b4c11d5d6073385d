#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

using config::Entry;
using config::Fields;

constexpr std::uint64_t kMostRows = 1'000'000;

UnitThrough read_through(const Value& value) {
  Fields fields(value, "\"unit\"");
  fields.expect(keys_of("unit_through"));
  UnitThrough through{fields.text("through"), {}};
  const Value& by = fields.required("by");
  for (const Entry& entry : by.map("\"by\"")) through.equal.emplace_back(entry.key, entry.value.text("a column"));
  fields.finish();
  if (!through.equal.empty()) return through;
  throw error_at(by, Code::bad_count, "a foreign key without columns",
                 "write `by: {column here: column there}`, such as `by: {customer: id}`");
}

UnitRows read_rows(const Value& value) {
  Fields fields(value, "\"unit\"");
  fields.expect(keys_of("unit_rows"));
  const UnitRows rows{read_limit(fields.required("rows"), "rows", kMostRows)};
  fields.finish();
  return rows;
}

struct Place {
  const TableDeclaration& table;
  const Value& unit;  // what the file says
  const std::vector<TableDeclaration>& tables;

  const TableDeclaration* find(std::string_view name) const {
    const auto at = std::find_if(tables.begin(), tables.end(), [&](const auto& other) { return other.name == name; });
    return at == tables.end() ? nullptr : &*at;
  }
};

// A column that tells units apart. Were its values clamped or replaced, two units would become one, and removing one of them
// would change the other.
const ColumnDeclaration& id_column(const Place& place, const TableDeclaration& table, const std::string& name) {
  const ColumnDeclaration* column = table.find(name);
  if (column == nullptr) throw unknown_column(place.unit.where(), table, name);
  if (column->type != Type::integer && column->type != Type::text) {
    throw error_at(place.unit, Code::wrong_type,
                   fmt::format("the column \"{}\" says whose a row is, but is {}", echo(name), type_name(column->type)),
                   "such a column is integer or text");
  }
  const bool cut = column->max_length && column->outside != Outside::null;
  if (!column->bounds && !column->keys && !cut && !column->null_as) return *column;
  throw error_at(
      place.unit, Code::bad_bounds,
      fmt::format("the column \"{}\" says whose a row is, but its values are clamped or replaced", echo(name)),
      "leave its `bounds:`, `keys:` and `null_as:` out, and let a text that is too long be NULL (`outside: null`): "
      "they would make one "
      "unit of several");
}

bool names_a_row(const TableDeclaration& table, const std::vector<std::string>& columns) {
  const std::set<std::string> given(columns.begin(), columns.end());
  return std::any_of(table.unique.begin(), table.unique.end(), [&](const auto& set) {
    return std::all_of(set.begin(), set.end(), [&](const std::string& column) { return given.contains(column); });
  });
}

const TableDeclaration& owner_table(const Place& place, const UnitThrough& through) {
  const TableDeclaration* there = place.find(through.table);
  if (there == nullptr) {
    std::vector<std::string> names;
    for (const TableDeclaration& table : place.tables) names.push_back(table.name);
    throw error_at(place.unit, Code::unknown_table, fmt::format("there is no table \"{}\"", echo(through.table)),
                   fmt::format("did you mean \"{}\"?", nearest(through.table, names)));
  }
  // A row that is a unit of its own has no name that stays when other rows come and go.
  if (there->is_public || std::holds_alternative<UnitRows>(there->unit) ||
      std::holds_alternative<UnitRow>(there->unit)) {
    throw error_at(
        place.unit, Code::wrong_unit,
        fmt::format("the rows of \"{}\" name no unit, so nor do those that refer to them", echo(there->name)),
        there->is_public ? "refer to a private table, or write `public: true` here too"
                         : "give that table a column as its unit, such as the key that is referred to");
  }
  return *there;
}

void check_through(const Place& place, const UnitThrough& through) {
  const TableDeclaration& there = owner_table(place, through);
  std::vector<std::string> columns;
  for (const auto& [mine, theirs] : through.equal) {
    const ColumnDeclaration &a = id_column(place, place.table, mine), &b = id_column(place, there, theirs);
    columns.push_back(theirs);
    if (a.type == b.type) continue;
    throw error_at(place.unit, Code::wrong_type,
                   fmt::format("\"{}\" is {}, but \"{}\" in \"{}\" is {}", echo(mine), type_name(a.type), echo(theirs),
                               echo(there.name), type_name(b.type)),
                   "the two columns of a foreign key have the same type");
  }
  if (names_a_row(there, columns)) return;
  throw error_at(
      place.unit, Code::two_owners,
      fmt::format("several rows of \"{}\" may match, so a row here may have several owners", echo(there.name)),
      fmt::format("if it is so, write `unique: [{}]` in \"{}\"", fmt::join(columns, ", "), echo(there.name)));
}

[[noreturn]] void refuse_circle(const Place& start) {
  std::vector<std::string> names = {echo(start.table.name)};
  const TableDeclaration* table = &start.table;
  do {
    table = start.find(std::get<UnitThrough>(table->unit).table);
    names.push_back(echo(table->name));
  } while (table != &start.table);
  throw error_at(start.unit, Code::cyclic_keys,
                 fmt::format("foreign keys lead in a circle: {}", fmt::join(names, " -> ")),
                 "one of these tables must say itself whose its rows are: `unit: COLUMN` or `unit: row`");
}

// Every chain of foreign keys ends at a table that says itself whose its rows are. Each table is passed once.
void check_circles(const std::vector<Place>& places) {
  std::map<std::string, const Place*> by_name;
  for (const Place& place : places) by_name[place.table.name] = &place;
  std::set<const Place*> passed;
  for (const Place& start : places) {
    std::set<const Place*> now;
    for (const Place* place = &start; passed.insert(place).second;) {
      now.insert(place);
      const auto* through = std::get_if<UnitThrough>(&place->table.unit);
      if (through == nullptr) break;
      place = by_name.at(through->table);
      if (now.contains(place)) refuse_circle(*place);
    }
  }
}

// Ids are the same unit where their bytes are, so they have one type in all tables.
void check_same_ids(const Place& place, const ColumnDeclaration& column,
                    std::optional<std::pair<std::string, Type>>& first) {
  if (!first) first = {place.table.name, column.type};
  if (first->second == column.type) return;
  throw error_at(place.unit, Code::wrong_unit,
                 fmt::format("units are {} here, but {} in \"{}\"", type_name(column.type), type_name(first->second),
                             echo(first->first)),
                 "a project protects one kind of unit: declare their ids with one type");
}

}  // namespace

Unit read_unit(const Value& value) {
  if (value.kind() == config::Kind::list) {
    throw error_at(value, Code::two_owners, "a row that belongs to several units",
                   "name the one column that says whose a row is, or protect rows: `unit: row`");
  }
  if (value.kind() == config::Kind::map) {
    if (value.find("rows") != nullptr) return read_rows(value);
    return read_through(value);
  }
  const std::string& word = value.text("\"unit\"");
  if (word == "row") return UnitRow{};
  return UnitColumn{word};
}

void check_units(const std::vector<TableDeclaration>& tables, const std::vector<Entry>& entries) {
  std::optional<std::pair<std::string, Type>> first;
  std::vector<Place> places;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].is_public) places.push_back({tables[i], *entries[i].value.find("unit"), tables});
  }
  for (const Place& place : places) {
    if (const auto* through = std::get_if<UnitThrough>(&place.table.unit)) check_through(place, *through);
    if (const auto* column = std::get_if<UnitColumn>(&place.table.unit)) {
      check_same_ids(place, id_column(place, place.table, column->column), first);
    }
  }
  check_circles(places);
}

}  // namespace dither::plan::detail
