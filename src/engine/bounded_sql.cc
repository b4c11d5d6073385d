#include "engine/bounded_sql.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/detail/canonical_sql.h"
#include "engine/detail/measure_sql.h"

namespace dither::engine {

using plan::BoundedAggregate;
using plan::Dialect;
using plan::Measure;
using plan::MeasureKind;
using plan::Type;

namespace {

bool is_apart(const Measure& measure) {
  return measure.kind == MeasureKind::distinct || measure.kind == MeasureKind::histogram;
}

// The words of one aggregate in one dialect. Tables of the statements have the keys as k0, k1 ... and the unit as u.
class Writer {
 public:
  Writer(const BoundedAggregate& aggregate, Dialect dialect, const std::string& rows)
      : aggregate_(aggregate), dialect_(dialect), rows_(rows) {
    for (std::size_t i = 0; i < aggregate.keys; ++i) {
      types_.push_back(aggregate.rows->columns()[i].type);
      keys_.push_back(fmt::format("k{}", i));
    }
  }

  std::string numbers() const {
    std::string totals, sums;
    for (std::size_t i = 0; i < aggregate_.measures.size(); ++i) {
      const Measure& measure = aggregate_.measures[i];
      if (is_apart(measure)) {
        sums += ", '0'";
        continue;
      }
      totals += fmt::format(", sum({0}) AS t{1}, count({0}) AS n{1}", added(measure), i);
      const std::optional<std::string> rows = is_allocated(i) ? std::optional(fmt::format("r{}", i)) : std::nullopt;
      const std::string n = fmt::format("n{}", i);
      const std::string contribution =
          measure.kind == MeasureKind::cut_units
              ? detail::cut_unit_sql(measure, n, rows, drops())
              : detail::contribution_sql(measure, dialect_, fmt::format("t{}", i), n, rows);
      sums += ", " + total(contribution);
    }
    const std::string pairs = fmt::format("SELECT {}{} FROM ({}) AS r GROUP BY {}", read(), totals, rows_, group());
    return fmt::format("WITH pairs AS ({}), {}, {} SELECT {}count(*){} FROM allocated{}", pairs, kept("pairs"),
                       allocated(), shown(), sums, by_key());
  }

  std::string plain() const {
    std::string sums;
    for (const Measure& measure : aggregate_.measures) {
      sums += is_apart(measure) ? ", '0'" : ", " + total(detail::row_total_sql(aggregate_.rows, measure, dialect_));
    }
    return fmt::format("SELECT {}count(*){} FROM (SELECT {}, r.* FROM ({}) AS r) AS kept{}", shown(), sums, read(),
                       rows_, by_key());
  }

  // Of each unit and key the values with the least hashes.
  std::string distinct(const Measure& measure) const {
    const Type type = aggregate_.rows->columns()[*measure.column].type;
    const std::string value = detail::value_sql(aggregate_.rows, *measure.column, dialect_);
    return fmt::format("{}, chosen AS (SELECT * FROM ({}) AS v WHERE place <= {}) SELECT {}{} FROM chosen{}",
                       values(value, type), placed("row_number()"), measure.rows, shown(),
                       detail::as_digits_sql(dialect_, "count(DISTINCT vb)"), by_key());
  }

  // The same until so many rows are reached: `upto` counts those of the values up to and with this one.
  std::string histogram(const Measure& measure) const {
    const std::string value =
        detail::steps_sql(aggregate_.rows, *measure.column, measure.step, measure.low, measure.high, dialect_);
    const std::string taken = fmt::format("LEAST(n, {} - (place - n))", measure.rows);
    return fmt::format(
        "{}, chosen AS (SELECT *, {} AS taken FROM ({}) AS v) SELECT {}{}, {} FROM chosen WHERE taken > 0 "
        "GROUP BY {}v",
        values(value, Type::integer), taken, placed("sum(n)"), shown(), detail::as_digits_sql(dialect_, "v"),
        detail::as_digits_sql(dialect_, "sum(taken)"), names());
  }

 private:
  std::string added(const Measure& measure) const { return detail::added_sql(aggregate_.rows, measure, dialect_); }

  // "c0 AS k0, c1 AS k1, c2 AS u"
  std::string read() const {
    std::string sql;
    for (std::size_t i = 0; i < keys_.size(); ++i) sql += fmt::format("c{} AS k{}, ", i, i);
    return sql + fmt::format("c{} AS u", aggregate_.unit());
  }
  std::string group() const {
    std::string sql;
    for (std::size_t i = 0; i <= keys_.size(); ++i) sql += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    return sql;
  }
  // "k0, k1, "
  std::string names() const {
    std::string sql;
    for (const std::string& key : keys_) sql += key + ", ";
    return sql;
  }
  std::string shown() const {
    std::string sql;
    for (std::size_t i = 0; i < keys_.size(); ++i) sql += detail::cell_sql(types_[i], dialect_, keys_[i]) + ", ";
    return sql;
  }
  std::string by_key() const { return keys_.empty() ? "" : " GROUP BY " + names().substr(0, names().size() - 2); }
  std::string total(const std::string& clamped) const {
    return detail::as_digits_sql(dialect_,
                                 fmt::format("COALESCE(sum({}), {})", clamped, detail::wide_sql(dialect_, "0")));
  }

  // Of a row that is a unit of its own the number is its place in the table, which must decide nothing.
  std::string unit_digest() const {
    if (aggregate_.rows->owner().row_is_unit) return detail::wide_sql(dialect_, "1");
    return detail::unit_digest_sql(aggregate_.rows->columns()[aggregate_.unit()].type, dialect_, "u");
  }

  // The rows of a table that lie in the keys that their unit keeps.
  std::string kept(const std::string& table) const {
    if (keys_.empty()) return fmt::format("kept AS (SELECT * FROM {})", table);
    const std::string hash = detail::hash_sql(dialect_, "du", detail::bytes_digest_sql(dialect_, "b"));
    return fmt::format(
        "bytes AS (SELECT *, {} AS b, {} AS du FROM {}), hashed AS (SELECT *, {} AS h FROM bytes), "
        "ranked AS (SELECT *, dense_rank() OVER (PARTITION BY u ORDER BY h, {}) AS rank_of_key FROM hashed), {}"
        "kept AS (SELECT * FROM {} WHERE rank_of_key <= {})",
        detail::canonical_sql(types_, dialect_, keys_), unit_digest(), table, hash, detail::by_bytes_sql(dialect_, "b"),
        counts_cut_units()
            ? "numbered AS (SELECT *, max(rank_of_key) OVER (PARTITION BY u) AS keys_of_unit FROM ranked), "
            : "",
        counts_cut_units() ? "numbered" : "ranked", aggregate_.keys_per_unit);
  }

  bool counts_cut_units() const {
    return std::any_of(aggregate_.measures.begin(), aggregate_.measures.end(),
                       [](const Measure& measure) { return measure.kind == MeasureKind::cut_units; });
  }

  // Whether the unit of a row of `kept` has keys that it does not keep.
  std::string drops() const {
    return keys_.empty() ? "FALSE" : fmt::format("keys_of_unit > {}", aggregate_.keys_per_unit);
  }

  bool is_allocated(std::size_t i) const {
    const Measure& measure = aggregate_.measures[i];
    return aggregate_.rows_per_unit && measure.rows > 0 && measure.kind != MeasureKind::units && !is_apart(measure);
  }

  // What is kept, with the rows r0, r1 ... that count of each measure. c are those that its own limit lets, a those of all keys of the
  // unit; where these are too many, they are given out by largest remainder (docs/bounding.md).
  std::string allocated() const {
    std::string may, all, floors, rows;
    const std::string order = keys_.empty() ? "" : ", h, " + detail::by_bytes_sql(dialect_, "b");
    const auto wide = [&](const std::string& number) { return detail::wide_sql(dialect_, number); };
    const std::string most = wide(fmt::format("{}", aggregate_.rows_per_unit.value_or(0)));
    for (std::size_t i = 0; i < aggregate_.measures.size(); ++i) {
      if (!is_allocated(i)) continue;
      const std::string product = fmt::format("({} * {})", most, wide(fmt::format("c{}", i)));
      const std::string rest = fmt::format("mod({}, {})", product, wide(fmt::format("GREATEST(a{}, 1)", i)));
      const std::string floor = detail::quotient_sql(dialect_, fmt::format("({} - {})", product, rest),
                                                     wide(fmt::format("GREATEST(a{}, 1)", i)));
      may += fmt::format(", LEAST(n{0}, {1}) AS c{0}", i, aggregate_.measures[i].rows);
      all += fmt::format(", sum(c{0}) OVER (PARTITION BY u) AS a{0}", i);
      floors += fmt::format(", {} AS q{}, {} AS m{}", floor, i, rest, i);
      rows += fmt::format(
          ", CASE WHEN a{0} <= {1} THEN c{0} WHEN row_number() OVER (PARTITION BY u ORDER BY m{0} DESC{2}) <= "
          "{1} - sum(q{0}) OVER (PARTITION BY u) THEN q{0} + 1 ELSE q{0} END AS r{0}",
          i, most, order);
    }
    if (rows.empty()) return "allocated AS (SELECT * FROM kept)";
    return fmt::format(
        "limited AS (SELECT *{} FROM kept), added AS (SELECT *{} FROM limited), divided AS (SELECT *{} FROM added), "
        "allocated AS (SELECT *{} FROM divided)",
        may, all, floors, rows);
  }

  // Different values of each unit and key with how often they occur, in keys that are kept.
  std::string values(const std::string& value, Type type) const {
    const std::string all = fmt::format("SELECT {}, {} AS v, count(*) AS n FROM ({}) AS r GROUP BY {}, {}", read(),
                                        value, rows_, group(), value);
    const std::string hash = detail::hash_sql(dialect_, unit_digest(), detail::bytes_digest_sql(dialect_, "vb"));
    return fmt::format(
        "WITH triples AS ({}), {}, spelled AS (SELECT *, {} AS vb FROM kept WHERE v IS NOT NULL), "
        "scored AS (SELECT *, {} AS hv FROM spelled)",
        all, kept("triples"), detail::canonical_sql(type, dialect_, "v"), hash);
  }
  std::string placed(const std::string& what) const {
    return fmt::format(
        "SELECT *, {} OVER (PARTITION BY {}u ORDER BY hv, {} ROWS UNBOUNDED PRECEDING) AS place FROM scored", what,
        names(), detail::by_bytes_sql(dialect_, "vb"));
  }

  const BoundedAggregate& aggregate_;
  Dialect dialect_;
  const std::string& rows_;
  std::vector<Type> types_;
  std::vector<std::string> keys_;
};

bool has_join(const plan::Relation& rows) {
  const plan::Node::Step& step = rows->step();
  if (const auto* filter = std::get_if<plan::Filter>(&step)) return has_join(filter->input);
  if (const auto* projection = std::get_if<plan::Projection>(&step)) return has_join(projection->input);
  if (const auto* once = std::get_if<plan::Distinct>(&step)) return has_join(once->input);
  return !std::holds_alternative<plan::Scan>(step);
}

}  // namespace

BoundedSql bounded_sql(const BoundedAggregate& aggregate, Dialect dialect, const std::string& rows) {
  const Writer writer(aggregate, dialect, rows);
  BoundedSql sql{writer.numbers(), {}};
  for (const Measure& measure : aggregate.measures) {
    sql.apart.push_back(measure.kind == MeasureKind::distinct    ? writer.distinct(measure)
                        : measure.kind == MeasureKind::histogram ? writer.histogram(measure)
                                                                 : "");
  }
  return sql;
}

std::string plain_sql(const BoundedAggregate& aggregate, Dialect dialect, const std::string& rows) {
  return Writer(aggregate, dialect, rows).plain();
}

bool one_row_each(const plan::Relation& rows) { return rows->owner().row_is_unit && !has_join(rows); }

bool units_unseen(const BoundedAggregate& aggregate) {
  if (!one_row_each(aggregate.rows)) return false;
  if (std::any_of(aggregate.measures.begin(), aggregate.measures.end(), is_apart)) return false;
  const plan::Flat flat = plan::flat(aggregate.rows);
  if (!std::holds_alternative<plan::Scan>(flat.base->step())) return false;
  const auto reads_unit = [&](const plan::Expression& expression) {
    const std::vector<std::size_t>& reads = expression.reads();
    return std::binary_search(reads.begin(), reads.end(), flat.base->owner().unit);
  };
  if (flat.keep && reads_unit(*flat.keep)) return false;
  for (std::size_t i = 0; i < flat.columns.size(); ++i) {
    if (i != aggregate.unit() && reads_unit(flat.columns[i])) return false;
  }
  return true;
}

}  // namespace dither::engine
