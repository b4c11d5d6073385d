// Rows for the tests and benchmarks of the bounding operator: drawn, put into DuckDB, counted slowly.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/detail/bounding.h"
#include "engine/detail/row_range.h"
#include "testing/plan_reference.h"

namespace dither::engine {

using plan::Measure;
using plan::MeasureKind;
using plan::Type;

// A relation with columns of these types: keys, the unit, values.
inline plan::Relation rows_of(const std::vector<Type>& types, std::size_t keys) {
  plan::Node::Parts parts{plan::Scan{"t"}, {}, {plan::Ownership::Kind::units, keys}, {"t"}, {}};
  for (const Type type : types) parts.columns.emplace_back().type = type;
  return std::make_shared<const plan::Node>(std::move(parts));
}

inline const char* sql_type(Type type) {
  switch (type) {
    case Type::boolean:
      return "BOOLEAN";
    case Type::integer:
      return "BIGINT";
    case Type::real:
      return "DOUBLE";
    case Type::text:
      return "VARCHAR";
    case Type::date:
      return "DATE";
    default:
      return "TIMESTAMP";
  }
}

inline std::string literal(Type type, const Cell& cell) {
  if (cell.index() == 0) return "NULL";
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&cell)) return detail::quoted(*text);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("'{:.17g}'::DOUBLE", *real);
  const std::int64_t whole = std::get<std::int64_t>(cell);
  if (type == Type::date) return fmt::format("(DATE '1970-01-01' + ({}))", whole);
  if (type == Type::timestamp) return fmt::format("make_timestamp(({})::BIGINT)", whole);
  return fmt::format("'{}'::BIGINT", whole);
}

// Makes a table with columns c0, c1, ...
inline void fill(detail::Connection& connection, const std::string& table, const std::vector<Type>& types,
                 const testing::PlanRows& rows) {
  std::string columns;
  for (std::size_t i = 0; i < types.size(); ++i) {
    columns += fmt::format("{}c{} {}", i == 0 ? "" : ", ", i, sql_type(types[i]));
  }
  connection.query(fmt::format("CREATE OR REPLACE TABLE {} ({})", table, columns));
  std::string values;
  for (const testing::PlanRow& row : rows) {
    values += values.empty() ? "(" : ", (";
    for (std::size_t i = 0; i < row.size(); ++i) values += (i == 0 ? "" : ", ") + literal(types[i], row[i]);
    values += ")";
  }
  if (!rows.empty()) connection.query(fmt::format("INSERT INTO {} VALUES {}", table, values));
}

// In the form of the reference.
inline testing::ExactNumbers by_key(const plan::BoundedAggregate& aggregate, const ExactNumbers::Content& content) {
  testing::ExactNumbers numbers;
  content.each([&](const ExactNumbers::Row& row) {
    std::vector<Int128>& of_key = numbers[aggregate.keys == 0 ? "" : canonical(row.key)];
    of_key = row.numbers;
    of_key.push_back(row.units);
  });
  return numbers;
}

inline Measure counted(std::int64_t most) {
  Measure measure{MeasureKind::rows, {}};
  measure.rows = static_cast<std::uint64_t>(most);
  measure.total_high = most;
  return measure;
}

// Of a column of whole numbers from low to high, `rows` for each unit and key.
inline Measure summed(std::size_t column, std::int64_t low, std::int64_t high, std::int64_t rows) {
  Measure measure{MeasureKind::sum, column, 1, low, high};
  measure.rows = static_cast<std::uint64_t>(rows);
  measure.total_low = std::min<Int128>(low, Int128{low} * rows);
  measure.total_high = std::max<Int128>(high, Int128{high} * rows);
  return measure;
}

// Draws aggregates and rows: few values of every kind, so that they meet, and extremes among them.
class Samples {
 public:
  explicit Samples(std::uint64_t seed) : random_(seed) {}

  struct Sample {
    std::vector<Type> types;
    plan::BoundedAggregate aggregate;
    testing::PlanRows rows;
  };

  Sample sample(std::size_t most_rows) {
    Sample result;
    plan::BoundedAggregate& aggregate = result.aggregate;
    aggregate.keys = below(4);
    for (std::size_t i = 0; i <= aggregate.keys; ++i) result.types.push_back(static_cast<Type>(below(6)));
    for (std::size_t i = 0; i < 3; ++i) result.types.push_back(below(2) == 0 ? Type::integer : Type::real);
    result.types.push_back(static_cast<Type>(below(6)));
    aggregate.rows = rows_of(result.types, aggregate.keys);
    aggregate.keys_per_unit = below(5) == 0 ? std::uint64_t{1} << 40 : 1 + below(6);
    if (below(2) == 0) aggregate.rows_per_unit = below(4) == 0 ? std::uint64_t{1} << 40 : 1 + below(12);
    for (std::size_t i = 0, count = 1 + below(6); i < count; ++i) aggregate.measures.push_back(measure(result.types));
    variety_ = 1 + below(12);
    for (std::size_t i = 0, count = below(most_rows + 1); i < count; ++i) {
      testing::PlanRow& row = result.rows.emplace_back();
      for (const Type type : result.types) row.push_back(cell(type));
    }
    if (aggregate.keys > 0 && below(2) == 0) make_public(result);
    return result;
  }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

 private:
  Cell cell(Type type) {
    if (below(8) == 0) return {};
    switch (type) {
      case Type::boolean:
        return below(2) == 0;
      case Type::integer:
        return whole();
      case Type::real:
        return real();
      case Type::text:
        return text();
      case Type::date:
        return static_cast<std::int64_t>(below(variety_)) * 400 - 700;
      default:
        return static_cast<std::int64_t>(below(variety_)) * 86'400'000'001 - 700;
    }
  }

  std::int64_t whole() {
    constexpr auto limits = std::numeric_limits<std::int64_t>();
    switch (below(12)) {
      case 0:
        return limits.min();
      case 1:
        return limits.max();
      case 2:
        return std::int64_t{1} << (20 + below(40));
      default:
        return static_cast<std::int64_t>(below(variety_)) - 3;
    }
  }

  double real() {
    switch (below(16)) {
      case 0:
        return std::nan("");
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return -std::numeric_limits<double>::infinity();
      case 3:
        return -0.0;
      case 4:
        return 1e300;
      case 5:
        return std::numeric_limits<double>::denorm_min();
      default:
        return (static_cast<double>(below(variety_ * 4)) - 9) / 8;
    }
  }

  std::string text() {
    static const std::vector<std::string> some{"", "a", "Zürich", "ab", "a b", "twelve bytes", "thirteen byte", "it's"};
    const std::uint64_t which = below(variety_ + 3);
    if (which < some.size()) return some[which];
    return std::string(which * which,
                       static_cast<char>('a' + which % 26));  // up to 196 bytes: several blocks of SHA-256
  }

  Measure measure(const std::vector<Type>& types) {
    static const std::vector<MeasureKind> kinds{MeasureKind::units,   MeasureKind::rows,     MeasureKind::sum,
                                                MeasureKind::squares, MeasureKind::products, MeasureKind::cut_units};
    const std::size_t first = types.size() - 4;
    const MeasureKind kind = kinds[below(kinds.size())];
    Measure measure{kind, {}};
    measure.centred = kind == MeasureKind::sum && below(2) == 0;
    const bool counts = kind == MeasureKind::rows || kind == MeasureKind::cut_units;
    if (counts && below(2) == 0) measure.column = first + below(4);
    if (kind == MeasureKind::sum || kind == MeasureKind::squares || kind == MeasureKind::products) {
      measure.column = first + below(3);
      steps(types[*measure.column], kind != MeasureKind::sum, measure.step, measure.low, measure.high);
    }
    if (kind == MeasureKind::products) {
      measure.second = Measure::Second{first + below(3)};
      steps(types[measure.second->column], true, measure.second->step, measure.second->low, measure.second->high);
    }
    limit(measure);
    return measure;
  }

  // By rows, clamped or scaled, or by a total that is stated itself.
  void limit(Measure& measure) {
    if (measure.kind == MeasureKind::units || measure.kind == MeasureKind::cut_units) {
      measure.rows = 1 + below(4);
      measure.total_low = measure.kind == MeasureKind::units ? 1 : 0;
      measure.total_high = 1;
      return;
    }
    if (below(4) == 0) {
      const std::int64_t most = static_cast<std::int64_t>(std::uint64_t{1} << below(60));
      measure.rows = 0;
      measure.total_low = measure.kind == MeasureKind::rows ? Int128{0} : -Int128{most};
      measure.total_high = most;
      return;
    }
    measure.rows = below(8) == 0 ? std::uint64_t{1} << below(20) : 1 + below(6);
    measure.cut = below(2) == 0 ? plan::Cut::scale : plan::Cut::clamp;
    measure.finer = measure.cut == plan::Cut::scale ? static_cast<unsigned>(below(40)) : 0;
    while (measure.cut == plan::Cut::scale && !detail::scaled_fits(measure)) {
      if (measure.finer == 0) measure.cut = plan::Cut::clamp;
      measure.finer /= 2;
    }
    const auto [low, high] = detail::row_range(measure);
    const Int128 rows = static_cast<Int128>(measure.rows) << measure.finer;
    measure.total_low = std::min(low * (Int128{1} << measure.finer), low * rows);
    measure.total_high = std::max(high * (Int128{1} << measure.finer), high * rows);
  }

  void steps(Type type, bool short_range, Rational& step, Int128& low, Int128& high) {
    static const std::vector<Rational> some{1, {1, 100}, {1, 3}, {2, 7}, {1000, 1}, {1, 8}};
    step = some[type == Type::integer && below(3) > 0 ? 0 : below(some.size())];
    const Int128 most = Int128{1} << (short_range ? below(31) : below(63));
    low = -(Int128{1} << below(8));
    high = most;
    if (below(4) == 0) low = high - static_cast<Int128>(below(3));
    if (!short_range && below(6) == 0) low = -(Int128{1} << 62);
  }

  // All keys that occur, or all but one, and one that does not.
  static void make_public(Sample& sample) {
    std::map<std::string, std::vector<Cell>> keys;
    const auto count = static_cast<std::ptrdiff_t>(sample.aggregate.keys);
    for (const testing::PlanRow& row : sample.rows) {
      const std::vector<Cell> key(row.begin(), row.begin() + count);
      keys[canonical(key)] = key;
    }
    if (keys.size() % 2 == 1) keys.erase(keys.begin());
    std::vector<Cell> other;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const Type type = sample.types[static_cast<std::size_t>(i)];
      other.push_back(type == Type::text      ? Cell(std::string("nowhere"))
                      : type == Type::real    ? Cell(77.25)
                      : type == Type::boolean ? Cell(true)
                                              : Cell(std::int64_t{77'777}));
    }
    keys[canonical(other)] = other;
    sample.aggregate.public_keys.emplace();
    for (const auto& [bytes, key] : keys) sample.aggregate.public_keys->push_back(key);
  }

  std::mt19937_64 random_;
  std::uint64_t variety_ = 1;
};

}  // namespace dither::engine
