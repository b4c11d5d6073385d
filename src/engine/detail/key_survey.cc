#include "engine/detail/key_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/detail/bounding.h"
#include "engine/detail/row_range.h"

namespace dither::engine::detail {
namespace {

using plan::Measure;
using plan::MeasureKind;
using Bound = std::optional<std::uint64_t>;

constexpr unsigned kFinest = 20;  // scaled sums are on a grid 2^20 times finer, where that fits

Bound least(const Bound& a, const Bound& b) { return !a ? b : !b ? a : std::min(a, b); }

double number(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&cell);
  return real == nullptr ? 0 : *real;
}
std::uint64_t count(const Cell& cell) { return static_cast<std::uint64_t>(number(cell)); }

// A number with bounds, on the grid on which it is summed.
struct Value {
  const plan::ColumnDeclaration* column;
  Rational step;
};

class KeySurveyor {
 public:
  KeySurveyor(const Database& database, const plan::Project& project, const plan::TableDeclaration& table,
              std::size_t key, const std::string& enforced)
      : database_(database), connection_(database), table_(table), key_(key) {
    const plan::ContributionBounds& bounds = table.bounds;
    keys_ = least(bounds.keys_per_unit, bounds.rows_per_unit);
    rows_ = least(bounds.rows_per_key, bounds.rows_per_unit);
    const plan::Relation scan = plan::scan(project, table.name);
    add_column(scan, key);
    add_column(scan, scan->owner().unit);
    for (std::size_t at = 0; at < table.columns.size() && rows_; ++at) add_value(scan, at);
    aggregate_.rows = plan::project(scan, columns_);
    sql_ = fmt::format("SELECT {} FROM {} AS t WHERE c{} IS NOT NULL", list_, enforced, scan->owner().unit);
  }

  std::optional<KeySurvey> survey() {
    if (!keys_) return std::nullopt;
    KeySurvey result;
    result.column = table_.columns[key_].name;
    result.type = table_.columns[key_].type;
    result.over_keys = units_over("SELECT DISTINCT c0, c1", "c1", *keys_);
    if (rows_) result.over_rows = units_over("SELECT c0, c1", "c0, c1", *rows_);
    std::map<std::string, KeyCut> by_key;
    for (KeyCut& cut : all_rows()) by_key.emplace(canonical(cut.key), std::move(cut));
    add_answered(by_key);
    for (auto& [bytes, cut] : by_key) {
      if (cut.units > cut.answered_units || cut.cut_units > 0) result.keys.push_back(std::move(cut));
    }
    return result;
  }

 private:
  void add_column(const plan::Relation& scan, std::size_t at) {
    list_ += fmt::format("{}c{} AS c{}", columns_.empty() ? "" : ", ", at, columns_.size());
    columns_.push_back(plan::column(at, scan->columns()[at].type));
  }

  // A number that SUM would take.
  void add_value(const plan::Relation& scan, std::size_t at) {
    const plan::ColumnDeclaration& column = table_.columns[at];
    const bool whole = column.type == plan::Type::integer;
    if (at == key_ || at == scan->owner().unit || !plan::is_number(column.type) || !column.bounds) return;
    if (!whole && !column.grid) return;
    const Value value{&column, whole ? Rational(1) : *column.grid};
    Measure sum{MeasureKind::sum, columns_.size(), value.step};
    sum.low = (column.bounds->low / value.step).floor();
    sum.high = (column.bounds->high / value.step).ceil();
    if (!limit(sum)) return;
    add_column(scan, at);
    values_.push_back(value);
    Measure counted{MeasureKind::rows, sum.column};
    counted.rows = *rows_;
    counted.total_low = 1;
    counted.total_high = static_cast<Int128>(*rows_);
    Measure scaled = sum;
    scaled.cut = plan::Cut::scale;
    for (scaled.finer = kFinest; scaled.finer > 0 && !scaled_fits(scaled);) --scaled.finer;
    scaled.total_low <<= scaled.finer;
    scaled.total_high <<= scaled.finer;
    measures_.insert(measures_.end(), {sum, counted, scaled});
  }

  // By what so many rows can add; not where that does not fit, which no statement may ask for either.
  bool limit(Measure& sum) const {
    constexpr Int128 most = Int128{1} << 62;
    const Int128 rows = static_cast<Int128>(*rows_);
    const Int128 largest = std::max<Int128>({-sum.low, sum.high, 1});
    if (sum.low < -most || sum.high > most || rows > most / largest) return false;
    sum.rows = *rows_;
    sum.total_low = std::min(sum.low, rows * sum.low);
    sum.total_high = std::max(sum.high, rows * sum.high);
    return true;
  }

  std::uint64_t units_over(const std::string& what, const std::string& by, std::uint64_t most) {
    const std::string many =
        fmt::format("SELECT c1 FROM ({} FROM ({}) AS r) AS p GROUP BY {} HAVING count(*) > {}", what, sql_, by, most);
    return count(connection_.query(fmt::format("SELECT count(DISTINCT c1) FROM ({}) AS u", many)).rows().at(0).at(0));
  }

  std::vector<KeyCut> all_rows() {
    std::string sums;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sums += fmt::format(", count(c{0}), COALESCE(sum(CAST(c{0} AS DOUBLE)), 0)", i + 2);
    }
    std::vector<KeyCut> result;
    const std::string sql =
        fmt::format("SELECT c0, count(*), count(DISTINCT c1){} FROM ({}) AS r GROUP BY c0", sums, sql_);
    for (const std::vector<Cell>& row : connection_.query(sql).rows()) {
      KeyCut& cut = result.emplace_back();
      cut.key = row[0];
      cut.rows = count(row[1]);
      cut.units = count(row[2]);
      for (std::size_t i = 0; i < values_.size(); ++i) {
        CutSurvey& value = cut.values.emplace_back();
        value.column = values_[i].column->name;
        const double rows = number(row[3 + 2 * i]);
        value.sum = number(row[4 + 2 * i]);
        value.mean = rows > 0 ? value.sum / rows : 0;
      }
    }
    return result;
  }

  void add_answered(std::map<std::string, KeyCut>& by_key) {
    aggregate_.keys = 1;
    aggregate_.keys_per_unit = *keys_;
    aggregate_.rows_per_unit = rows_ ? table_.bounds.rows_per_unit : std::nullopt;
    if (rows_) {
      const auto most = static_cast<Int128>(*rows_);
      aggregate_.measures = {
          {.kind = MeasureKind::rows, .column = {}, .rows = *rows_, .total_low = 1, .total_high = most},
          {.kind = MeasureKind::cut_units, .column = {}, .rows = *rows_, .total_high = 1}};
      aggregate_.measures.insert(aggregate_.measures.end(), measures_.begin(), measures_.end());
    }
    const ExactNumbers::Content found = run_bounding(database_, sql_, aggregate_, {}, {});
    for (std::size_t at = 0; at < found.size(); ++at) {
      KeyCut& cut = by_key.at(canonical(found.keys[at]));
      cut.answered_units = static_cast<std::uint64_t>(found.units[at]);
      if (!rows_) continue;
      cut.answered_rows = static_cast<std::uint64_t>(found.numbers[0][at]);
      cut.cut_units = static_cast<std::uint64_t>(found.numbers[1][at]);
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const auto of = [&](std::size_t measure) {
          return static_cast<double>(found.numbers[2 + 3 * i + measure][at]);
        };
        const double step = values_[i].step.to_double_up();
        cut.values[i].answered_sum = of(0) * step;
        if (of(1) > 0)
          cut.values[i].answered_mean =
              of(2) * step / static_cast<double>(Int128{1} << measures_[3 * i + 2].finer) / of(1);
      }
    }
  }

  const Database& database_;
  Connection connection_;
  const plan::TableDeclaration& table_;
  std::size_t key_;
  Bound keys_, rows_;                      // of a unit; rows in a key
  std::vector<plan::Expression> columns_;  // the key, the unit, the values
  std::string list_, sql_;
  std::vector<Value> values_;
  std::vector<Measure> measures_;  // of each value: its sum, its rows, its scaled sum
  plan::BoundedAggregate aggregate_;
};

}  // namespace

std::optional<KeySurvey> survey_keys(const Database& database, const plan::Project& project,
                                     const plan::TableDeclaration& table, std::size_t key,
                                     const std::string& enforced) {
  return KeySurveyor(database, project, table, key, enforced).survey();
}

}  // namespace dither::engine::detail
