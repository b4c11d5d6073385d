#include "testing/plan_reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "base/bounding_hash.h"

namespace dither::testing {
namespace {

using plan::Relation;

bool is_missing(const Cell& cell) {
  const double* real = std::get_if<double>(&cell);
  return cell.index() == 0 || (real != nullptr && std::isnan(*real));
}

double as_double(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return std::get<double>(cell);
}

double nearest_double(mpz_srcptr value) {
  Rational whole;
  mpq_set_z(whole.get(), value);
  return static_cast<double>(whole.floor());
}

Cell number_like(const Cell& like, double value) {
  if (std::holds_alternative<std::int64_t>(like)) return static_cast<std::int64_t>(value);
  return value;
}

bool same(const Cell& a, const Cell& b) { return canonical(a) == canonical(b); }

// A character begins at every byte that does not continue one.
Cell short_enough(const plan::ColumnDeclaration& column, const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return cell;
  if (!column.max_length) return text->size() <= plan::kLongestText ? cell : Cell{};
  std::size_t end = 0, characters = 0;
  for (; end < text->size(); ++end) {
    const bool begins = (static_cast<unsigned char>((*text)[end]) & 0xC0) != 0x80;
    if (begins && ++characters > *column.max_length) break;
  }
  if (end == text->size()) return cell;
  return column.outside == plan::Outside::clamp ? Cell{text->substr(0, end)} : column.other.value_or(Cell{});
}

Cell enforced(const plan::ColumnDeclaration& column, Cell cell) {
  if (const double* real = std::get_if<double>(&cell); real != nullptr && !std::isfinite(*real)) cell = Cell{};
  if (column.keys) {
    const bool listed =
        std::any_of(column.keys->begin(), column.keys->end(), [&](const Cell& key) { return same(key, cell); });
    if (!listed) cell = column.outside == plan::Outside::other ? *column.other : Cell{};
  }
  if (column.bounds && !is_missing(cell)) {
    const double low = column.bounds->low.to_double_down();
    const double high = column.bounds->high.to_double_up();
    const double value = as_double(cell);
    if (value < low || value > high) {
      cell = column.outside == plan::Outside::clamp ? number_like(cell, value < low ? low : high) : Cell{};
    }
  }
  if (column.type == plan::Type::text && !column.keys) cell = short_enough(column, cell);
  return is_missing(cell) && column.null_as ? *column.null_as : cell;
}

class Run {
 public:
  Run(const plan::Project& project, const PlanDatabase& database) : project_(project), database_(database) {}

  PlanRows of(const Relation& relation) const {
    const plan::Node::Step& step = relation->step();
    if (const auto* table = std::get_if<plan::Scan>(&step)) return scan(project_.table(table->table));
    if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
      PlanRows rows;
      for (PlanRow& row : of(filtered->input)) {
        const Cell keep = evaluate(filtered->keep, row);
        if (const bool* is = std::get_if<bool>(&keep); is != nullptr && *is) rows.push_back(std::move(row));
      }
      return rows;
    }
    if (const auto* projected = std::get_if<plan::Projection>(&step)) {
      PlanRows rows;
      for (const PlanRow& row : of(projected->input)) {
        rows.emplace_back();
        for (const plan::Expression& e : projected->columns) rows.back().push_back(evaluate(e, row));
      }
      return rows;
    }
    if (const auto* once = std::get_if<plan::Distinct>(&step)) {
      PlanRows rows;
      std::set<std::string> seen;
      for (PlanRow& row : of(once->input)) {
        if (seen.insert(canonical(row)).second) rows.push_back(std::move(row));
      }
      return rows;
    }
    if (const auto* all = std::get_if<plan::Union>(&step)) {
      PlanRows rows;
      for (const Relation& input : all->inputs) {
        for (PlanRow& row : of(input)) rows.push_back(std::move(row));
      }
      return rows;
    }
    return join(std::get<plan::Join>(step));
  }

 private:
  PlanRows scan(const plan::TableDeclaration& table) const {
    PlanRows rows;
    std::int64_t number = 0;
    for (const PlanRow& raw : database_.at(table.name)) {
      PlanRow row;
      for (std::size_t i = 0; i < raw.size(); ++i) row.push_back(enforced(table.columns[i], raw[i]));
      ++number;
      if (table.is_public) {
        rows.push_back(std::move(row));
        continue;
      }
      if (!std::holds_alternative<plan::UnitColumn>(table.unit)) row.push_back(owner(table, row, number));
      const Relation relation = plan::scan(project_, table.name);
      if (!is_missing(row[relation->owner().unit])) rows.push_back(std::move(row));
    }
    return rows;
  }

  Cell owner(const plan::TableDeclaration& table, const PlanRow& row, std::int64_t number) const {
    const auto* through = std::get_if<plan::UnitThrough>(&table.unit);
    if (through == nullptr) return number;
    const plan::TableDeclaration& parent = project_.table(through->table);
    const std::size_t unit = plan::scan(project_, parent.name)->owner().unit;
    for (const PlanRow& there : scan(parent)) {
      const bool found = std::all_of(through->equal.begin(), through->equal.end(), [&](const auto& pair) {
        const Cell& a = row[static_cast<std::size_t>(table.find(pair.first) - table.columns.data())];
        const Cell& b = there[static_cast<std::size_t>(parent.find(pair.second) - parent.columns.data())];
        return !is_missing(a) && same(a, b);
      });
      if (found) return there[unit];
    }
    return Cell{};
  }

  PlanRows join(const plan::Join& step) const {
    PlanRows rows;
    const PlanRows right = of(step.right);
    for (const PlanRow& a : of(step.left)) {
      bool found = false;
      for (const PlanRow& b : right) {
        const bool equal = std::all_of(step.equal.begin(), step.equal.end(), [&](const auto& pair) {
          return !is_missing(a[pair.first]) && same(a[pair.first], b[pair.second]);
        });
        if (!equal) continue;
        found = true;
        rows.push_back(a);
        rows.back().insert(rows.back().end(), b.begin(), b.end());
      }
      if (found || step.kind == plan::JoinKind::inner) continue;
      rows.push_back(a);
      rows.back().resize(a.size() + step.right->columns().size());
    }
    return rows;
  }

  const plan::Project& project_;
  const PlanDatabase& database_;
};

// The whole steps of a cell between low and high: exact of whole numbers; of reals (x q) / p in binary64, each operation rounded.
Int128 steps_of(const Cell& cell, const Rational& step, Int128 low, Int128 high) {
  Rational steps;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    steps = Rational(static_cast<long>(*whole)) / step;
  } else {
    const double p = nearest_double(mpq_numref(step.get()));
    const double q = nearest_double(mpq_denref(step.get()));
    const double value = std::get<double>(cell) * q / p;
    if (std::isinf(value)) return value < 0 ? low : high;
    steps = Rational::from_double(value);
  }
  if (steps < Rational(low)) return low;
  return steps > Rational(high) ? high : std::clamp(steps.round_half_even(), low, high);
}

// What one row adds to a measure; nothing where it has no value.
std::optional<Int128> added(const plan::Measure& measure, const PlanRow& row) {
  if (measure.kind == plan::MeasureKind::units) return 1;
  if (measure.column && is_missing(row[*measure.column])) return std::nullopt;
  if (measure.kind == plan::MeasureKind::rows || measure.kind == plan::MeasureKind::cut_units) return 1;
  const Int128 k = steps_of(row[*measure.column], measure.step, measure.low, measure.high);
  const Int128 y = 2 * k - (measure.low + measure.high);
  const Int128 width = measure.high - measure.low;
  if (measure.kind == plan::MeasureKind::squares) return 2 * y * y - width * width;
  if (measure.kind == plan::MeasureKind::products) {
    const plan::Measure::Second& other = *measure.second;
    if (is_missing(row[other.column])) return std::nullopt;
    return y * (2 * steps_of(row[other.column], other.step, other.low, other.high) - (other.low + other.high));
  }
  return measure.centred ? y : k;
}

// The rows of one unit in one of the keys that it keeps.
struct KeptKey {
  std::string key;
  PlanRows rows;
  bool drops = false;  // whether the unit has keys that it does not keep
};

// In the order of the bounding hash.
std::vector<KeptKey> kept(const PlanRows& rows, const plan::BoundedAggregate& aggregate) {
  if (aggregate.keys == 0) return {{"", rows, false}};
  std::map<std::string, PlanRows> by_key;
  for (const PlanRow& row : rows) {
    const PlanRow key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(aggregate.keys));
    by_key[canonical(key)].push_back(row);
  }
  std::vector<std::pair<std::uint64_t, std::string>> order;
  const std::uint64_t unit = aggregate.rows->owner().row_is_unit ? 1 : unit_digest(rows[0][aggregate.unit()]);
  for (const auto& [key, of_key] : by_key) order.emplace_back(bounding_hash(unit, bytes_digest(key)), key);
  std::sort(order.begin(), order.end());
  const bool drops = order.size() > aggregate.keys_per_unit;
  if (drops) order.resize(aggregate.keys_per_unit);
  std::vector<KeptKey> result;
  for (const auto& [hash, key] : order) result.push_back({key, by_key.at(key), drops});
  return result;
}

// What one key has of a unit's rows, for one measure.
struct Part {
  Int128 rows = 0;         // with a value
  Int128 total = 0;        // of what each of them adds
  Int128 counted = 0;      // how many of them count
  bool allocated = false;  // fewer than the measure's own limit lets
  bool drops = false;      // whether the unit has keys that it does not keep
};

bool counts_rows(const plan::Measure& measure) { return measure.kind != plan::MeasureKind::units && measure.rows > 0; }

Part part_of(const KeptKey& key, const plan::Measure& measure) {
  Part part;
  part.drops = key.drops;
  for (const PlanRow& row : key.rows) {
    const std::optional<Int128> one = added(measure, row);
    part.rows += one ? 1 : 0;
    part.total += one.value_or(0);
  }
  part.counted = counts_rows(measure) ? std::min(part.rows, static_cast<Int128>(measure.rows)) : part.rows;
  return part;
}

// So many rows of all that count, by largest remainder; of equal remainders the first wins.
void allocate(std::vector<Part>& parts, Int128 most, Careless careless) {
  Int128 all = 0;
  for (const Part& part : parts) all += part.counted;
  if (all <= most) return;
  Int128 left = most;
  std::vector<std::pair<Rational, std::size_t>> order;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Rational share = Rational(most) * Rational(parts[i].counted) / Rational(all);
    parts[i].counted = share.floor();
    parts[i].allocated = true;
    left -= parts[i].counted;
    order.emplace_back(Rational(share.floor()) - share, i);
    if (careless == Careless::allocates_too_much && !share.is_integer()) ++parts[i].counted, left = 0;
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; static_cast<Int128>(i) < left; ++i) ++parts[order[i].second].counted;
}

// What a row with a value can add to a measure: [low, high].
std::pair<Int128, Int128> range_of(const plan::Measure& measure) {
  const Int128 width = measure.high - measure.low;
  switch (measure.kind) {
    case plan::MeasureKind::sum:
      return measure.centred ? std::pair(-width, width) : std::pair(measure.low, measure.high);
    case plan::MeasureKind::squares:
      return {-width * width, width * width};
    case plan::MeasureKind::products: {
      const Int128 most = width * (measure.second->high - measure.second->low);
      return {-most, most};
    }
    default:
      return {1, 1};
  }
}

// What the unit adds to the key.
Int128 contribution(const plan::Measure& measure, const Part& part, Careless careless) {
  if (measure.kind == plan::MeasureKind::cut_units) {
    return part.rows > 0 && (part.rows > part.counted || (part.drops && careless != Careless::forgets_dropped_keys))
               ? 1
               : 0;
  }
  if (part.counted == 0) return 0;
  Int128 total = part.total;
  if (measure.cut == plan::Cut::scale && careless == Careless::clamps_what_is_scaled) {
    total *= Int128{1} << measure.finer;
  } else if (measure.cut == plan::Cut::scale) {
    const Rational finer = Rational(total) * Rational::power_of_two(measure.finer);
    const Rational exact = finer * Rational(part.counted) / Rational(part.rows);
    total = careless == Careless::rounds_up ? exact.ceil() : exact.round_half_even();
  } else if (part.allocated) {
    const auto [low, high] = range_of(measure);
    total = std::clamp(total, std::min(low, part.counted * low), std::max(high, part.counted * high));
  }
  return std::clamp(total, measure.total_low, measure.total_high);
}

// What one unit adds to a measure, by key.
std::vector<Int128> contributions(const std::vector<KeptKey>& keys, const plan::Measure& measure,
                                  std::optional<std::uint64_t> rows_per_unit, Careless careless) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (careless == Careless::breaks_ties_by_bytes) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a].key < keys[b].key; });
  }
  std::vector<Part> parts;
  for (const std::size_t k : order) parts.push_back(part_of(keys[k], measure));
  const bool late_limit = careless == Careless::allocates_before_limit && counts_rows(measure);
  for (Part& part : parts) part.counted = late_limit ? part.rows : part.counted;
  if (rows_per_unit && counts_rows(measure)) allocate(parts, static_cast<Int128>(*rows_per_unit), careless);
  std::vector<Int128> result(keys.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (late_limit) parts[i].counted = std::min(parts[i].counted, static_cast<Int128>(measure.rows));
    if (careless == Careless::scales_by_all_rows) parts[i].rows = static_cast<Int128>(keys[order[i]].rows.size());
    result[order[i]] = contribution(measure, parts[i], careless);
  }
  return result;
}

}  // namespace

PlanRows reference_rows(const plan::Project& project, const PlanDatabase& database, const plan::Relation& relation) {
  return Run(project, database).of(relation);
}

ExactNumbers reference_exact(const plan::Project& project, const PlanDatabase& database,
                             const plan::BoundedAggregate& aggregate) {
  return reference_exact(reference_rows(project, database, aggregate.rows), aggregate);
}

ExactNumbers reference_exact(const PlanRows& all_rows, const plan::BoundedAggregate& aggregate, Careless careless) {
  std::map<std::string, PlanRows> by_unit;
  for (const PlanRow& row : all_rows) {
    if (!is_missing(row[aggregate.unit()])) by_unit[canonical(row[aggregate.unit()])].push_back(row);
  }
  const std::vector<Int128> zeros(aggregate.measures.size() + 1, 0);
  ExactNumbers numbers;
  if (aggregate.keys == 0) numbers[""] = zeros;
  if (aggregate.public_keys) {
    for (const auto& key : *aggregate.public_keys) numbers[canonical(key)] = zeros;
  }
  for (const auto& [unit, rows] : by_unit) {
    const std::vector<KeptKey> keys = kept(rows, aggregate);
    std::vector<std::vector<Int128>> added_by_key(keys.size(), zeros);
    for (std::size_t i = 0; i < aggregate.measures.size(); ++i) {
      const std::vector<Int128> contributed =
          contributions(keys, aggregate.measures[i], aggregate.rows_per_unit, careless);
      for (std::size_t k = 0; k < keys.size(); ++k) added_by_key[k][i] = contributed[k];
    }
    for (std::size_t k = 0; k < keys.size(); ++k) {
      added_by_key[k].back() = 1;
      if (aggregate.public_keys && numbers.count(keys[k].key) == 0) continue;
      std::vector<Int128>& sums = numbers.try_emplace(keys[k].key, zeros).first->second;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += added_by_key[k][i];
    }
  }
  return numbers;
}

}  // namespace dither::testing
