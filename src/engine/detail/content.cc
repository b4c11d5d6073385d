#include "engine/detail/content.h"

#include <algorithm>
#include <unordered_map>

#include "engine/detail/watched.h"

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

ExactNumbers::Content content_by_sql(const Database& database, const plan::BoundedAggregate& aggregate,
                                     const BoundedSql& sql, const Watch& watch) {
  Connection connection(database);
  return content_of(aggregate, sql,
                    [&](const std::string& statement) { return query(connection, statement, watch).rows(); });
}

}  // namespace dither::engine::detail
