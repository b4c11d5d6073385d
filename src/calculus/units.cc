#include "calculus/units.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "base/bounding_hash.h"
#include "base/error.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

// Output metric and factor of a step that sees one unit at a time and makes at most `most` units of one; see the header.
detail::Carried per_unit(const Metric& from, std::string_view step, std::uint64_t most) {
  if (from == Metric{MetricKind::units_added}) return {from, whole(most)};
  if (detail::counts_units(from)) return {{MetricKind::units_changed}, whole(most)};
  detail::no_theorem(from, step, "use it on tables whose first column is the unit, with units-added or units-replaced");
}

bool has_unit(const Row& row) {
  return !row.empty() && !std::holds_alternative<std::monostate>(row[0]) &&
         canonical(row[0]) != canonical(Cell(std::nan("")));
}

}  // namespace

AnyTransformation make_select_table(const TablesDomain& domain, const Metric& from, std::uint64_t position) {
  if (position >= domain.tables.size()) {
    throw Error{Code::bad_count, fmt::format("there is no table {} among {}", position, domain.tables.size()),
                "count from 0"};
  }
  const bool product = from.kind == MetricKind::sum || from.kind == MetricKind::largest;
  const detail::Carried carried = product ? detail::Carried{{from.inner}, 1} : per_unit(from, "select-table", 1);
  return AnyTransformation({
      .recipe = {"select-table", {{"position", whole(position)}}},
      .input = domain,
      .output = domain.tables[position],
      .from = from,
      .to = carried.to,
      .map = detail::times(carried.factor),
      .function = [position](const Data& data) -> Data { return as<Tables>(data).at(position); },
  });
}

AnyTransformation make_join_by_unit(const TablesDomain& domain, const Metric& from, std::string_view second) {
  const detail::Carried carried = per_unit(from, "join-by-unit", 1);
  if (domain.tables.size() != 2 || domain.tables[0].columns.empty() || domain.tables[1].columns.empty() ||
      domain.tables[0].columns[0].type != domain.tables[1].columns[0].type) {
    throw Error{Code::mixed_domains, "join-by-unit takes two tables whose first columns are units of one type",
                "select the two tables, with the unit first in both"};
  }
  TableDomain output{domain.tables[0].columns};
  output.columns[0].nullable = false;
  for (std::size_t i = 1; i < domain.tables[1].columns.size(); ++i) {
    Column column = domain.tables[1].columns[i];
    column.name = fmt::format("{}.{}", second, column.name);
    output.columns.push_back(std::move(column));
  }
  const auto& [left, right] = std::tie(domain.tables[0].rows_per_unit, domain.tables[1].rows_per_unit);
  if (left && right && whole(*left) * whole(*right) <= whole(~std::uint64_t{0})) output.rows_per_unit = *left * *right;
  require_domain(output);
  return AnyTransformation({
      .recipe = {"join-by-unit", {{"second", std::string(second)}}},
      .input = domain,
      .output = output,
      .from = from,
      .to = carried.to,
      .map = detail::times(carried.factor),
      .function = [](const Data& data) -> Data {
        const Tables& tables = as<Tables>(data);
        std::multimap<std::string, const Row*> others;
        for (const Row& row : tables[1]) {
          if (has_unit(row)) others.emplace(canonical(row[0]), &row);
        }
        Table joined;
        for (const Row& row : tables[0]) {
          if (!has_unit(row)) continue;
          const auto [first, last] = others.equal_range(canonical(row[0]));
          for (auto other = first; other != last; ++other) {
            joined.push_back(row);
            joined.back().insert(joined.back().end(), other->second->begin() + 1, other->second->end());
          }
        }
        return joined;
      },
  });
}

AnyTransformation make_unit_windows(const TableDomain& domain, const Metric& from, std::string_view column,
                                    std::uint64_t windows) {
  if (windows == 0) throw Error{Code::bad_limit, "windows per unit is 0", "give 1 or more"};
  const detail::Carried carried = per_unit(from, "unit-windows", windows);
  const std::size_t at = domain.column(column);
  if (at == 0) {
    throw Error{Code::bad_argument, fmt::format("the window \"{}\" is the unit itself", column),
                "name the column that holds the day, month or place"};
  }
  TableDomain output{domain.columns};
  output.columns[0].type = CellType::text;
  output.columns[0].nullable = false;
  output.columns[0].bounds.reset();
  output.columns[0].categories.clear();
  output.rows_per_unit = domain.rows_per_unit;
  return AnyTransformation({
      .recipe = {"unit-windows", {{"column", std::string(column)}, {"windows", whole(windows)}}},
      .input = domain,
      .output = output,
      .from = from,
      .to = carried.to,
      .map = detail::times(carried.factor),
      .function = [at, windows](const Data& data) -> Data {
        const Table& table = as<Table>(data);
        // Each unit's windows in the order of the hash, the first ones kept.
        std::map<std::string, std::set<std::pair<std::uint64_t, std::string>>> seen;
        const auto place = [&](const Row& row) {
          return std::pair(bounding_hash(unit_digest(row[0]), key_digest(row[at])), canonical(row[at]));
        };
        for (const Row& row : table) {
          if (!has_unit(row)) continue;
          auto& kept = seen[canonical(row[0])];
          kept.insert(place(row));
          if (kept.size() > windows) kept.erase(std::prev(kept.end()));
        }
        Table result;
        for (const Row& row : table) {
          if (!has_unit(row) || !seen[canonical(row[0])].contains(place(row))) continue;
          result.push_back(row);
          const Cell both[] = {row[0], row[at]};
          result.back()[0] = canonical(std::span<const Cell>(both));
        }
        return result;
      },
  });
}

void add_unit_makers(Makers& makers) {
  makers.transformations["select-table"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                              const Makers&) {
    return make_select_table(detail::tables_domain(input), from, recipe.count("position"));
  };
  makers.transformations["join-by-unit"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                              const Makers&) {
    return make_join_by_unit(detail::tables_domain(input), from, recipe.text("second"));
  };
  makers.transformations["unit-windows"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                              const Makers&) {
    return make_unit_windows(detail::table_domain(input), from, recipe.text("column"), recipe.count("windows"));
  };
}

void add_unit_claims(Registry& registry) {
  registry.add_attacked({
      .name = "select-table",
      .room = "calculus",
      .guarantee =
          "one of several tables about the same units: units-added d -> d; units-replaced and units-changed d -> "
          "units-changed d; sum or largest of a row metric d -> that metric d",
      .conditions =
          "the unit is the first column of every table; a position that does not exist is refused (bad-count)",
      .rows = {"W-04", "W-08"},
      .testers = {"Units.EveryStepKeepsItsMap", "Units.MapsAtSmallAndHugeDistances"},
      .mutants = {"Units.PlantedSelectionThatStaysUnitsReplacedIsCaught"},
      .subject = Subject::transformation,
  });
  registry.add_attacked({
      .name = "join-by-unit",
      .room = "calculus",
      .guarantee = "rows of two tables with the same unit, side by side: units-added d -> d; units-replaced and "
                   "units-changed d -> units-changed d, however many rows a unit has",
      .conditions = "two tables whose first columns are units of one type; rows without a unit join nothing",
      .rows = {"W-04"},
      .testers = {"Units.EveryStepKeepsItsMap", "Units.JoinPairsRowsOfAUnit"},
      .mutants = {"Units.PlantedJoinOnAnotherColumnIsCaught"},
      .subject = Subject::transformation,
  });
  registry.add_attacked({
      .name = "unit-windows",
      .room = "calculus",
      .guarantee =
          "the unit becomes unit and window, at most `windows` of each unit kept by the bounding hash: units-added "
          "d -> windows d; units-replaced and units-changed d -> units-changed windows d",
      .conditions = "windows >= 1 (bad-limit); the window is another column than the unit",
      .rows = {"W-04", "F-04"},
      .testers = {"Units.EveryStepKeepsItsMap", "Units.TheSameCountCostsDifferentlyUnderDifferentUnits"},
      .mutants = {"Units.PlantedWindowsWithoutLimitIsCaught"},
      .subject = Subject::transformation,
  });
}

}  // namespace dither::calculus
