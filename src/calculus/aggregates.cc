#include "calculus/aggregates.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "calculus/detail/contributions.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

// What is added up, of whom, and over which cells. Without `values` rows are counted.
struct Plan {
  std::string name;
  bool by_key;
  Keys keys = {};
  std::optional<Values> values = {};
  std::optional<std::string> of = {};
  RowLimits rows;
  MetricKind to;
  bool cut = false;  // units are counted of which not all rows count
};

// The work that a plan says, with everything public in it decided.
struct Work {
  bool by_key;
  std::optional<std::vector<std::string>> keys;  // canonical
  std::optional<std::size_t> column;
  std::optional<detail::Gridded> gridded;
  std::optional<Int128> twice_middle;  // of centred values
  std::optional<unsigned> finer;       // of scaled ones
  std::uint64_t rows;
  std::optional<std::uint64_t> in_all;
  detail::Range of_row;  // what one row adds
  detail::Range range;   // what a unit adds to a cell
  bool cut = false;
  bool always = false;  // every unit counts (detail::Reach): what is missing against its declaration drops no row

  // What a row adds; nothing when a cell that is looked at is missing.
  std::optional<Int128> added(const Row& row) const {
    if (!gridded) return column && detail::is_missing(row[*column]) ? std::nullopt : std::optional<Int128>(1);
    const std::optional<Int128> value = (*gridded)(row[*column]);
    return value && twice_middle ? 2 * *value - *twice_middle : value;
  }

  // All rows of each unit, by cell.
  std::map<std::string, detail::UnitCells> units(const Table& table) const {
    std::map<std::string, detail::UnitCells> result;
    for (const Row& row : table) {
      const std::optional<Int128> value = added(row);
      if (!always && (detail::is_missing(row[0]) || !value)) continue;
      detail::Gathered& cell = result[canonical(row[0])][by_key ? detail::ranked(row[0], row[1]) : detail::Rank{}];
      cell.sum += value.value_or(0);
      cell.rows += value ? 1 : 0;
    }
    return result;
  }

  // What a unit adds where `counted` of its rows count.
  Int128 contribution(const detail::Gathered& cell, std::uint64_t counted) const {
    if (cut) return cell.rows > counted ? 1 : 0;
    if (always && cell.rows == 0) return std::clamp<Int128>(0, range.low, range.high);
    if (counted == 0) return 0;
    if (finer) return detail::scaled(cell, counted, *finer);
    const Int128 c = counted;
    return std::clamp(cell.sum, std::min(of_row.low, c * of_row.low), std::max(of_row.high, c * of_row.high));
  }

  Data operator()(const Data& data) const {
    std::map<std::string, Int128> cells;
    for (const auto& [unit, of_unit] : units(as<Table>(data))) {
      const std::vector<std::uint64_t> counted = detail::rows_that_count(of_unit, rows, in_all);
      std::size_t at = 0;
      for (const auto& [key, cell] : of_unit) cells[key.bytes] += contribution(cell, counted[at++]);
    }
    if (by_key && !keys) return keyed(cells);
    Integers numbers;
    for (const std::string& key : keys.value_or(std::vector<std::string>{""})) {
      const auto at = cells.find(key);
      numbers.push_back(at == cells.end() ? 0 : at->second);
    }
    return numbers;
  }

  static Keyed keyed(const std::map<std::string, Int128>& cells) {
    Keyed result;
    for (const auto& [key, number] : cells) {
      result.keys.push_back(key);
      result.values.push_back(number);
    }
    return result;
  }
};

std::optional<std::vector<std::string>> canonical_keys(const Keys& keys, std::string_view step) {
  if (!keys) return std::nullopt;
  std::vector<std::string> bytes;
  for (const Cell& key : *keys) bytes.push_back(canonical(key));
  if (std::set(bytes.begin(), bytes.end()).size() == bytes.size()) return bytes;
  throw Error{Code::duplicate_key, fmt::format("{}: the public keys have one twice", step), "give each key once"};
}

std::size_t number_column(const TableDomain& table, const Values& values, std::string_view step) {
  const std::size_t at = table.column(values.column);
  if (detail::is_number(table.columns[at].type)) return at;
  throw Error{
      Code::wrong_type,
      fmt::format("{}: column \"{}\" is {}, not a number", step, values.column, cell_type_name(table.columns[at].type)),
      "cast it first, or name a column of numbers"};
}

Recipe recipe_of(const Plan& plan) {
  Recipe recipe{plan.name};
  auto& out = recipe.parameters;
  if (plan.keys) out.emplace_back("keys", detail::spelled(*plan.keys));
  if (plan.values) {
    out.emplace_back("column", plan.values->column);
    out.emplace_back("low", plan.values->bounds.low);
    out.emplace_back("high", plan.values->bounds.high);
    out.emplace_back("step", plan.values->step);
    out.emplace_back("centred", plan.values->centred);
    if (plan.values->finer) out.emplace_back("finer", Rational(static_cast<long>(*plan.values->finer)));
  }
  if (plan.of) out.emplace_back("of", *plan.of);
  out.emplace_back("rows", Rational(static_cast<Int128>(plan.rows.rows)));
  if (plan.rows.in_all) out.emplace_back("rows_in_all", Rational(static_cast<Int128>(*plan.rows.in_all)));
  out.emplace_back("to", metric_name({plan.to}));
  return recipe;
}

// What a whole number of the answer is worth.
Rational step_of(const Plan& plan) {
  if (!plan.values) return 1;
  const Rational step = plan.values->centred ? plan.values->step / 2 : plan.values->step;
  return step / Rational::power_of_two(static_cast<int>(plan.values->finer.value_or(0)));
}

Domain output_of(const Plan& plan, const Work& work) {
  const Rational step = step_of(plan);
  if (plan.by_key && !plan.keys) return KeyedDomain{.keys = {}, .step = step};
  return VectorDomain{.dimension = work.keys ? work.keys->size() : 1, .step = step};
}

void require_plan(const Plan& plan, const TableDomain& table, const Metric& from) {
  detail::require_units(from, plan.name);
  detail::require_columns(table, plan.by_key ? 2 : 1, plan.name);
  detail::require_limit(plan.rows.rows, plan.name, "rows per unit");
  if (plan.rows.in_all) detail::require_limit(*plan.rows.in_all, plan.name, "rows per unit in all");
  if (plan.rows.in_all && !plan.by_key) {
    throw Error{Code::bad_limit, fmt::format("{}: rows in all beside rows per unit, of one cell", plan.name),
                "give the smaller of both as rows"};
  }
  if (plan.values && plan.values->finer.value_or(0) > detail::kFinest) {
    throw Error{Code::bad_grid, fmt::format("{}: a grid 2^{} times finer", plan.name, *plan.values->finer),
                fmt::format("write a number up to {}", detail::kFinest)};
  }
  detail::require_narrowing(plan.to, plan.name);
  if (!plan.by_key) return;
  if (!plan.keys && plan.to != MetricKind::cells) {
    throw Error{
        Code::no_theorem,
        fmt::format("{}: keys are private, and {} does not see which there are", plan.name, metric_name({plan.to})),
        "ask for cells, or give public keys"};
  }
  if (table.keys_per_unit && *table.keys_per_unit > 0) return;
  throw Error{Code::mixed_domains, fmt::format("{}: nothing says how many keys a unit may have", plan.name),
              "put keep-keys before it"};
}

// On the grid of the answer; 1 for counts.
detail::Range range_of_a_row(const Plan& plan, const Work& work) {
  if (!work.gridded) return {1, 1};
  const Int128 low = work.gridded->low(), high = work.gridded->high();
  const detail::Range row = plan.values->centred ? detail::Range{low - high, high - low} : detail::Range{low, high};
  return detail::on_finer_grid(row, plan.values->finer.value_or(0));
}

AnyTransformation make(const Plan& plan, const TableDomain& table, const Metric& from) {
  require_plan(plan, table, from);
  Work work{.by_key = plan.by_key,
            .keys = canonical_keys(plan.keys, plan.name),
            .column = {},
            .gridded = {},
            .twice_middle = {},
            .finer = {},
            .rows = plan.rows.rows,
            .in_all = plan.rows.in_all,
            .of_row = {},
            .range = {}};
  bool drops = detail::may_be_missing(table.columns[0]);
  if (plan.of) work.column = table.column(*plan.of);
  if (plan.values) {
    work.column = number_column(table, *plan.values, plan.name);
    work.gridded.emplace(plan.values->bounds, plan.values->step);
    work.finer = plan.values->finer;
    if (plan.values->centred) work.twice_middle = work.gridded->low() + work.gridded->high();
  }
  work.of_row = range_of_a_row(plan, work);
  work.range = detail::range_of_totals(work.of_row.low, work.of_row.high, work.rows);
  work.cut = plan.cut;
  if (work.column) drops = drops || detail::may_be_missing(table.columns[*work.column]);
  detail::Reach reach{
      .keys_per_unit = 1, .cells = 1, .range = work.range, .rows = work.rows, .rows_in_all = work.in_all};
  if (plan.cut) reach = {.keys_per_unit = 1, .cells = 1, .range = {0, 1}};
  if (plan.by_key) {
    reach.keys_per_unit = *table.keys_per_unit;
    reach.cells = work.keys ? std::optional<std::uint64_t>(work.keys->size()) : std::nullopt;
  } else {
    reach.always = work.always = from == Metric{MetricKind::units_replaced} && !drops;
  }
  return AnyTransformation({
      .recipe = recipe_of(plan),
      .input = table,
      .output = output_of(plan, work),
      .from = from,
      .to = {plan.to},
      .map = [reach, from, to = plan.to](const Distance& d) { return detail::narrowed(reach(from, number(d)), to); },
      .function = work,
  });
}

Values values_of(const Recipe& recipe) {
  Values values{recipe.text("column"),
                {recipe.number("low"), recipe.number("high")},
                recipe.number("step"),
                recipe.truth("centred")};
  if (recipe.find("finer") != nullptr) {
    constexpr std::uint64_t too_fine = detail::kFinest + 1;
    values.finer = static_cast<unsigned>(std::min(detail::limit_of(recipe, "finer"), too_fine));
  }
  return values;
}

template <bool by_key, bool values>
AnyTransformation remake(const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
  Plan plan{.name = recipe.name,
            .by_key = by_key,
            .rows = detail::limit_of(recipe, "rows"),
            .to = metric_from(recipe.text("to")).kind};
  if (by_key && recipe.find("keys") != nullptr) plan.keys = detail::cells_from(recipe.texts("keys"));
  plan.cut = recipe.name == "cut-units-by-key" || recipe.name == "total-cut-units";
  if (values) plan.values = values_of(recipe);
  if (recipe.find("rows_in_all") != nullptr) plan.rows.in_all = detail::limit_of(recipe, "rows_in_all");
  if (!values && recipe.find("of") != nullptr) plan.of = recipe.text("of");
  const bool counts_units = recipe.name == "units-by-key" || recipe.name == "total-units";
  if (counts_units && (plan.rows.rows != 1 || plan.rows.in_all || plan.of)) {
    throw Error{Code::bad_limit, fmt::format("{} counts units: one each, whatever their rows hold", recipe.name),
                "write rows 1 and no column, or use count-by-key or total-count"};
  }
  return make(plan, detail::table_domain(input), from);
}

}  // namespace

unsigned finer_grid(Int128 largest) {
  unsigned finer = 0;
  while (finer < detail::kFinest && largest <= (Int128{1} << (31 - finer))) ++finer;
  return finer;
}

AnyTransformation make_count_by_key(const TableDomain& table, const Metric& from, const Keys& keys,
                                    const RowLimits& rows, MetricKind to, const std::optional<std::string>& of) {
  return make({.name = "count-by-key", .by_key = true, .keys = keys, .of = of, .rows = rows, .to = to}, table, from);
}

AnyTransformation make_units_by_key(const TableDomain& table, const Metric& from, const Keys& keys, MetricKind to) {
  return make({.name = "units-by-key", .by_key = true, .keys = keys, .rows = 1, .to = to}, table, from);
}

AnyTransformation make_cut_units_by_key(const TableDomain& table, const Metric& from, const Keys& keys,
                                        const RowLimits& rows, MetricKind to, const std::optional<std::string>& of) {
  return make({.name = "cut-units-by-key", .by_key = true, .keys = keys, .of = of, .rows = rows, .to = to, .cut = true},
              table, from);
}

AnyTransformation make_sum_by_key(const TableDomain& table, const Metric& from, const Keys& keys, const Values& values,
                                  const RowLimits& rows, MetricKind to) {
  return make({.name = "sum-by-key", .by_key = true, .keys = keys, .values = values, .rows = rows, .to = to}, table,
              from);
}

AnyTransformation make_total_count(const TableDomain& table, const Metric& from, std::uint64_t rows, MetricKind to,
                                   const std::optional<std::string>& of) {
  return make({.name = "total-count", .by_key = false, .of = of, .rows = rows, .to = to}, table, from);
}

AnyTransformation make_total_units(const TableDomain& table, const Metric& from, MetricKind to) {
  return make({.name = "total-units", .by_key = false, .rows = 1, .to = to}, table, from);
}

AnyTransformation make_total_cut_units(const TableDomain& table, const Metric& from, std::uint64_t rows, MetricKind to,
                                       const std::optional<std::string>& of) {
  return make({.name = "total-cut-units", .by_key = false, .of = of, .rows = rows, .to = to, .cut = true}, table, from);
}

AnyTransformation make_total_sum(const TableDomain& table, const Metric& from, const Values& values, std::uint64_t rows,
                                 MetricKind to) {
  return make({.name = "total-sum", .by_key = false, .values = values, .rows = rows, .to = to}, table, from);
}

void add_aggregate_makers(Makers& makers) {
  makers.transformations["count-by-key"] = remake<true, false>;
  makers.transformations["units-by-key"] = remake<true, false>;
  makers.transformations["cut-units-by-key"] = remake<true, false>;
  makers.transformations["sum-by-key"] = remake<true, true>;
  makers.transformations["total-count"] = remake<false, false>;
  makers.transformations["total-units"] = remake<false, false>;
  makers.transformations["total-cut-units"] = remake<false, false>;
  makers.transformations["total-sum"] = remake<false, true>;
}

}  // namespace dither::calculus
