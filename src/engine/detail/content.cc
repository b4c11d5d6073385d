#include "engine/detail/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/detail/bounding_codes.h"
#include "engine/detail/hand_over.h"
#include "engine/detail/row_bytes.h"

namespace dither::engine::detail {
namespace {

using Rows = std::vector<std::vector<Cell>>;
using plan::MeasureKind;

// Engines give whole numbers as such or, when they are wide, as text of their digits.
Int128 number(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  return parse_int128(std::get<std::string>(cell));
}

class Builder {
 public:
  explicit Builder(const plan::BoundedAggregate& aggregate) : aggregate_(aggregate) {}

  ExactNumbers::Content build(const BoundedSql& sql, const Execute& execute) {
    const Rows rows = execute(sql.numbers);
    find_keys(rows);
    const std::size_t keys = content_.keys.size();
    content_.units.resize(keys);
    content_.numbers.assign(aggregate_.measures.size(), std::vector<Int128>(keys));
    content_.histograms.resize(aggregate_.measures.size());
    for (const auto& row : rows) add_numbers(row);
    for (std::size_t i = 0; i < aggregate_.measures.size(); ++i) add_apart(i, sql, execute);
    return std::move(content_);
  }

 private:
  std::vector<Cell> key_of(const std::vector<Cell>& row) const {
    return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(aggregate_.keys)};
  }

  void find_keys(const Rows& rows) {
    if (aggregate_.keys == 0) {
      content_.keys.emplace_back();
    } else if (aggregate_.public_keys) {
      content_.keys = *aggregate_.public_keys;
    } else {
      for (const auto& row : rows) content_.keys.push_back(key_of(row));
      std::sort(content_.keys.begin(), content_.keys.end(),
                [](const auto& a, const auto& b) { return canonical(a) < canonical(b); });
    }
    for (std::size_t i = 0; i < content_.keys.size(); ++i) places_.emplace(canonical(content_.keys[i]), i);
  }

  // Nothing for a key that is not asked for.
  const std::size_t* place_of(const std::vector<Cell>& row) const {
    const auto at = places_.find(canonical(key_of(row)));
    return at == places_.end() ? nullptr : &at->second;
  }

  void add_numbers(const std::vector<Cell>& row) {
    const std::size_t* place = place_of(row);
    if (place == nullptr) return;
    content_.units[*place] = number(row[aggregate_.keys]);
    for (std::size_t i = 0; i < aggregate_.measures.size(); ++i) {
      content_.numbers[i][*place] = number(row[aggregate_.keys + 1 + i]);
    }
  }

  void add_apart(std::size_t measure, const BoundedSql& sql, const Execute& execute) {
    if (sql.apart[measure].empty()) return;
    const bool histogram = aggregate_.measures[measure].kind == MeasureKind::histogram;
    if (histogram) {
      content_.numbers[measure].clear();
      content_.histograms[measure].resize(content_.keys.size());
    }
    for (const auto& row : execute(sql.apart[measure])) {
      const std::size_t* place = place_of(row);
      if (place == nullptr) continue;
      const Int128 first = number(row[aggregate_.keys]);
      if (histogram) {
        content_.histograms[measure][*place].push_back({first, number(row[aggregate_.keys + 1])});
      } else {
        content_.numbers[measure][*place] = first;
      }
    }
    for (auto& bins : content_.histograms[measure]) {
      std::sort(bins.begin(), bins.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
    }
  }

  const plan::BoundedAggregate& aggregate_;
  ExactNumbers::Content content_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

ExactNumbers::Content content_of(const plan::BoundedAggregate& aggregate, const BoundedSql& sql,
                                 const Execute& execute) {
  return Builder(aggregate).build(sql, execute);
}

namespace {

// Cells of a running statement, within what all threads together may hold.
class RowsTaker : public Taker {
 public:
  RowsTaker(const std::vector<Wanted>& wanted, BookBudget* budget) : wanted_(wanted), budget_(budget) {}
  void take(std::vector<Column> columns, std::size_t rows) override {
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<Cell>& cells = rows_.emplace_back();
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        cells.push_back(cell_at(columns[i], wanted_[i].type, row));
        if (const auto* text = std::get_if<std::string>(&cells.back())) bytes += text->size();
      }
      if (budget_ != nullptr) budget_->take(kCopies * bytes);
    }
  }
  Rows& rows() { return rows_; }

  static constexpr std::size_t kCopies = 3;  // of a key: in its row, in the answer, and by which it is found
  // What a row of so many cells takes besides.
  static std::uint64_t bytes_of(std::size_t cells) { return 256 + 2 * cells * sizeof(Cell); }

 private:
  const std::vector<Wanted>& wanted_;
  BookBudget* budget_;
  Rows rows_;
};

plan::Type type_of(duckdb_type type) {
  if (type == DUCKDB_TYPE_BOOLEAN) return plan::Type::boolean;
  if (type == DUCKDB_TYPE_DOUBLE) return plan::Type::real;
  return type == DUCKDB_TYPE_VARCHAR ? plan::Type::text : plan::Type::integer;
}

Rows rows_of(const Database& database, const std::string& statement, BookBudget* budget, const Watch& watch) {
  const std::vector<ResultColumn> given = Connection(database).columns_of(statement);
  std::vector<Wanted> wanted;
  std::string names;
  for (std::size_t i = 0; i < given.size(); ++i) {
    wanted.push_back({i, type_of(given[i].type)});
    names += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
  }
  const std::string sql = fmt::format("SELECT * FROM ({}) AS found({})", statement, names);
  const MakeTaker make = [&] { return std::make_unique<RowsTaker>(wanted, budget); };
  Rows rows;
  for (const auto& taker : hand_over(database, sql, given, wanted, make, {watch.token, nullptr})) {
    for (auto& row : static_cast<RowsTaker&>(*taker).rows()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

ExactNumbers::Content content_by_sql(const Database& database, const plan::BoundedAggregate& aggregate,
                                     const BoundedSql& sql, std::uint64_t memory, const Watch& watch) {
  const bool is_private = aggregate.keys > 0 && !aggregate.public_keys;
  BookBudget budget(memory, RowsTaker::bytes_of(aggregate.keys + 1 + aggregate.measures.size()));
  return content_of(aggregate, sql, [&](const std::string& statement) {
    return rows_of(database, statement, is_private ? &budget : nullptr, watch);
  });
}

}  // namespace dither::engine::detail
