#include "engine/detail/typed_cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "engine/detail/native.h"
#include "plan/relation_sql.h"

namespace dither::engine::detail {

using plan::ColumnDeclaration;
using plan::TableDeclaration;
using plan::Type;

namespace {

constexpr std::int64_t kExact = (std::int64_t{1} << 53) - 1;  // up to here doubles name whole numbers one by one

// Whether a number beyond what doubles name one by one lies outside the bounds or keys of an integer.
bool is_exact_in_doubles(const ColumnDeclaration& column) {
  const auto near = [](const Rational& end) { return end <= Rational(kExact) && end >= Rational(-kExact); };
  if (column.type != Type::integer) return false;
  if (column.bounds) return near(column.bounds->low) && near(column.bounds->high);
  return column.keys && std::all_of(column.keys->begin(), column.keys->end(), [&](const Cell& key) {
           const auto* whole = std::get_if<std::int64_t>(&key);
           return whole == nullptr || (*whole <= kExact && *whole >= -kExact);
         });
}

std::string cast(Type from, Type to, const std::string& cell) {
  return plan::spell(*plan::read_as(from, to), plan::Dialect::duckdb, std::span(&cell, 1));
}

// The nearest whole number, half to even; of those beyond 64 bits the end of these.
std::string nearest_whole(const std::string& real) {
  const std::string within =
      fmt::format("least(greatest({}, -9223372036854775808::DOUBLE), 9223372036854774784::DOUBLE)", real);
  return fmt::format("(CASE WHEN isfinite({}) THEN {} END)", real, cast(Type::real, Type::integer, within));
}

// Whole numbers of more than 64 bits are NULL in `native`; where they have to count, the nearest end stands for them.
std::string nearest_of_64_bits(const std::string& cell, const Native& native) {
  return fmt::format(
      "COALESCE({0}, CASE WHEN {1} > 0 THEN 9223372036854775807 WHEN {1} < 0 THEN -9223372036854775808 END)",
      native.cell, cell);
}

std::string integer_of(const std::string& cell, const Native& native, bool exact) {
  if (native.type == Type::real) return nearest_whole(native.cell);
  if (native.type == Type::integer) return exact && native.is_wide ? nearest_of_64_bits(cell, native) : native.cell;
  return fmt::format("dither_cell_{}integer({})", exact ? "near_" : "", native.cell);
}

std::string real_of(const std::string& cell, const Native& native) {
  if (native.is_wide) return fmt::format("CAST(CAST({} AS VARCHAR) AS DOUBLE)", cell);
  if (native.type == Type::text) return fmt::format("dither_cell_real({})", native.cell);
  return cast(native.type, Type::real, native.cell);
}

bool is_moment(Type type) { return type == Type::date || type == Type::timestamp; }

enum class Refused { no, cast, owner, exact };

Refused refused(const Native& native, const TableDeclaration& table, const ColumnDeclaration& column, bool owner) {
  if (!plan::read_as(native.type, column.type)) return Refused::cast;
  if (table.is_public || native.type == column.type || native.type == Type::text) return Refused::no;
  if (is_moment(native.type) && is_moment(column.type)) return Refused::no;
  if (column.type == Type::real && native.type == Type::integer) return Refused::no;
  if (column.type != Type::integer || native.type != Type::real) return Refused::cast;
  if (owner) return Refused::owner;
  return is_exact_in_doubles(column) ? Refused::no : Refused::exact;
}

std::string form(Type type, bool in_memory) {
  switch (type) {
    case Type::boolean:
      return in_memory ? "booleans (pandas: dtype=\"boolean\")" : "booleans";
    case Type::integer:
    case Type::real:
      return in_memory ? "whole numbers (pandas: dtype=\"Int64\"; Arrow and polars have them)" : "whole numbers";
    case Type::text:
      return in_memory ? "texts (pandas: dtype=str where it is read, so that 08001 keeps its zero)" : "texts";
    default:
      return in_memory ? "dates or timestamps (pandas: to_datetime)" : "dates or timestamps";
  }
}

[[noreturn]] void refuse_unfit(const SourcePart& part, const std::string& column, const std::string& why) {
  throw Error{Code::bad_source, fmt::format("the column \"{}\" of {} {}", echo(column), short_name(part.file), why),
              part.in_memory
                  ? "convert it to numbers, text, dates or timestamps, or rename it, before the table is given"
                  : "write its values into another file or table, and name that as the source"};
}

[[noreturn]] void refuse(Refused why, const SourcePart& part, const ColumnDeclaration& column,
                         const std::optional<Native>& native) {
  const std::string where = fmt::format("the column \"{}\" of {}", echo(column.name), short_name(part.file));
  if (why == Refused::owner) {
    throw Error{Code::bad_source,
                fmt::format("{} holds floats or decimals, and says whose a row is: ids beyond 2^53 would merge", where),
                fmt::format("give it as {}, or as texts", form(Type::integer, part.in_memory))};
  }
  if (why == Refused::exact) {
    throw Error{Code::bad_source,
                fmt::format("{} holds floats or decimals, and integers beyond 2^53 would merge", where),
                fmt::format("declare bounds or keys between -2^53 and 2^53, or type: real; or give it as {}",
                            form(Type::integer, part.in_memory))};
  }
  throw Error{Code::bad_source, fmt::format("{} does not hold what can be read as {}", where, type_name(column.type)),
              native ? fmt::format("declare it as {}, or give it as {}", type_name(native->type),
                                   form(column.type, part.in_memory))
                     : "convert it in the source to numbers, text, dates or timestamps"};
}

}  // namespace

std::size_t place_of(const SourcePart& part, const ColumnDeclaration& column) {
  const auto at = std::find_if(part.columns.begin(), part.columns.end(),
                               [&](const ResultColumn& one) { return one.name == column.name; });
  if (at != part.columns.end()) return static_cast<std::size_t>(at - part.columns.begin());
  throw Error{
      Code::bad_source, fmt::format("{} has no column \"{}\"", short_name(part.file), echo(column.name)),
      part.in_memory
          ? "name the columns as the table does, in the same capitals"
          : "name the columns in the project file as the source does, in the same capitals; `dither init` lists them"};
}

Declared::Declared(const plan::Project& project, const TableDeclaration& declared) : table(declared) {
  if (const auto* unit = std::get_if<plan::UnitColumn>(&table.unit)) owners.insert(unit->column);
  for (const TableDeclaration& other : project.tables) {
    const auto* through = std::get_if<plan::UnitThrough>(&other.unit);
    if (through == nullptr) continue;
    for (const auto& [here, there] : through->equal) {
      if (other.name == table.name) owners.insert(here);
      if (through->table == table.name) owners.insert(there);
    }
  }
}

std::string typed_cell(const SourcePart& part, const Declared& declared, const ColumnDeclaration& column) {
  const std::size_t at = place_of(part, column);
  if (const auto unfit = part.unfit.find(column.name); unfit != part.unfit.end())
    refuse_unfit(part, column.name, unfit->second);
  const std::string& cell = part.cells[at];
  const std::optional<Native> given = native(part.columns[at], cell);
  const bool owner = declared.owners.contains(column.name);
  const Refused why = given ? refused(*given, declared.table, column, owner) : Refused::cast;
  if (why != Refused::no) refuse(why, part, column, given);
  if (column.type == Type::real) return real_of(cell, *given);
  const bool number = given->type == Type::integer || given->type == Type::real || given->type == Type::text;
  if (column.type == Type::integer && number) return integer_of(cell, *given, !owner && is_exact_in_doubles(column));
  if (column.type == Type::date && given->type == Type::text) return fmt::format("dither_cell_date({})", given->cell);
  return cast(given->type, column.type, given->cell);
}

}  // namespace dither::engine::detail
