// For tests: databases on disk, and what the reference finds in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/bounding_hash.h"
#include "engine/exact_numbers.h"
#include "testing/plan_reference.h"

namespace dither::engine {

// What tests may look into.
struct ExactTestAccess {
  static const ExactNumbers::Content& content(const ExactNumbers& numbers) { return *numbers.content_; }
};

// A folder that goes when the test ends.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "dither-engine-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

// The same numbers in the shape of the reference: by key, one for each measure, then the units.
inline testing::ExactNumbers by_key(const ExactNumbers& numbers) {
  const ExactNumbers::Content& content = ExactTestAccess::content(numbers);
  testing::ExactNumbers result;
  content.each([&](const ExactNumbers::Row& row) {
    std::vector<Int128>& numbers_of_key = result[row.key.empty() ? "" : canonical(row.key)];
    numbers_of_key = row.numbers;
    numbers_of_key.push_back(row.units);
  });
  return result;
}

// "city=tz: 3 2 1" a line, for messages.
inline std::string shown(const testing::ExactNumbers& numbers) {
  std::string text;
  for (const auto& [key, row] : numbers) {
    text += key + ":";
    for (const Int128 number : row) text += " " + to_string(number);
    text += "\n";
  }
  return text;
}

// Of one key and one unit, given by its digest: the values (by canonical bytes) with how many of its rows count, by the definition of
// plan/bounded_aggregate.h.
inline std::map<std::string, Int128> brought(std::uint64_t unit, const std::map<std::string, Int128>& values,
                                             std::uint64_t most, bool rows) {
  std::vector<std::pair<std::uint64_t, std::string>> order;
  for (const auto& [bytes, n] : values) order.emplace_back(bounding_hash(unit, bytes_digest(bytes)), bytes);
  std::sort(order.begin(), order.end());
  std::map<std::string, Int128> result;
  Int128 left = static_cast<Int128>(most);
  for (const auto& [hash, bytes] : order) {
    if (left <= 0) break;
    const Int128 taken = rows ? std::min(left, values.at(bytes)) : 1;
    result[bytes] = taken;
    left -= taken;
  }
  return result;
}

// Distinct values and histograms of one measure: by key, then by canonical bytes of the value or step how many rows count.
using Brought = std::map<std::string, std::map<std::string, Int128>>;
inline Brought reference_brought(const testing::PlanRows& rows, const plan::BoundedAggregate& aggregate,
                                 const plan::Measure& measure) {
  const bool histogram = measure.kind == plan::MeasureKind::histogram;
  struct Unit {
    Cell cell;
    std::map<std::string, std::map<std::string, Int128>> by_key;
  };
  std::map<std::string, Unit> units;
  for (const testing::PlanRow& row : rows) {
    const Cell& cell = row[aggregate.unit()];
    Unit& unit = units.try_emplace(canonical(cell), Unit{cell, {}}).first->second;
    const testing::PlanRow key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(aggregate.keys));
    auto& values = unit.by_key[aggregate.keys == 0 ? "" : canonical(key)];
    const Cell& value = row[*measure.column];
    const auto* real = std::get_if<double>(&value);
    if (std::holds_alternative<std::monostate>(value) || (real != nullptr && std::isnan(*real))) continue;
    if (!histogram) {
      ++values[canonical(value)];
      continue;
    }
    // The step it lies on, as the reference of sums finds it for a unit of this one row.
    plan::Measure sum = measure;
    sum.kind = plan::MeasureKind::sum;
    sum.total_low = sum.low;
    sum.total_high = sum.high;
    plan::BoundedAggregate alone = aggregate;
    alone.public_keys.reset();
    alone.measures = {sum};
    const Int128 step = testing::reference_exact({row}, alone).begin()->second[0];
    ++values[canonical(Cell{static_cast<std::int64_t>(step)})];
  }
  Brought result;
  for (const auto& [bytes, unit] : units) {
    const std::uint64_t digest = aggregate.rows->owner().row_is_unit ? 1 : unit_digest(unit.cell);
    std::vector<std::pair<std::uint64_t, std::string>> order;
    for (const auto& [key, values] : unit.by_key) {
      order.emplace_back(bounding_hash(digest, bytes_digest(key)), key);
    }
    std::sort(order.begin(), order.end());
    if (aggregate.keys > 0 && order.size() > aggregate.keys_per_unit) order.resize(aggregate.keys_per_unit);
    for (const auto& [hash, key] : order) {
      for (const auto& [value, n] : brought(digest, unit.by_key.at(key), measure.rows, histogram))
        result[key][value] += n;
    }
  }
  return result;
}

}  // namespace dither::engine
