#include "engine/detail/source_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "engine/detail/records.h"

namespace dither::engine::detail {
namespace {

constexpr double kNumber = 9;          // a real number; whole ones, dates and moments take no more
constexpr double kTextEnds = 3;        // around a text
constexpr double kZeros = 2;           // a zero byte in a text is written as two
constexpr double kLeastObject = 8;     // {"u":1} and the end of its line
constexpr double kUnbounded = 0x1p80;  // stands for what is not known

// Bytes of a record for a byte of text with its delimiter: "7," is 9 as a real number and 5 as a text, 9e18 is 9 as a whole number.
double times_text(plan::Type type) {
  if (type == plan::Type::real) return 4.5;
  return type == plan::Type::text ? 2.5 : 2;
}

// What enforcing the declarations may write into the cells of a row that hold less.
double enforced(const plan::TableDeclaration& table) {
  double bytes = 0;
  const auto add = [&](const std::optional<Cell>& cell) {
    if (const auto* text = cell ? std::get_if<std::string>(&*cell) : nullptr)
      bytes += kTextEnds + kZeros * static_cast<double>(text->size());
  };
  for (const plan::ColumnDeclaration& column : table.columns) {
    add(column.other);
    add(column.null_as);
  }
  return bytes;
}

double least_row(const plan::TableDeclaration& table) {
  const bool row_is_unit = !table.is_public && (std::holds_alternative<plan::UnitRow>(table.unit) ||
                                                std::holds_alternative<plan::UnitRows>(table.unit));
  if (row_is_unit) return 1;
  const auto cells = static_cast<double>(table.columns.size() + 1);
  return table.source.kind == plan::SourceKind::json ? std::min(cells, kLeastObject) : cells;
}

// Of records of text, which say nothing of how many they are.
Most most_of_records(const plan::TableDeclaration& table, double size) {
  double times = 1;
  for (const plan::ColumnDeclaration& column : table.columns) times = std::max(times, times_text(column.type));
  const double least = least_row(table);
  const double nulls =
      static_cast<double>(table.columns.size()) / least;  // of a damaged row, or of an object that has none of them
  return {size / least, std::max(times, nulls) * size,
          std::max(times, nulls) * std::min(size, static_cast<double>(kLongestRecord))};
}

}  // namespace

double widest_cell(const plan::Facts& facts) {
  return facts.type == plan::Type::text ? kTextEnds + kZeros * static_cast<double>(facts.longest) : kNumber;
}

double widest_row(std::span<const plan::Facts> columns) {
  double bytes = 0;
  for (const plan::Facts& column : columns) bytes += widest_cell(column);
  return bytes;
}

Most most_of(const plan::TableDeclaration& table, const SourceSize& size) {
  const double more = enforced(table);
  const Most records = most_of_records(table, static_cast<double>(size.bytes));
  Most most = records;
  if (size.rows) {
    double cells = 0;
    for (const plan::ColumnDeclaration& column : table.columns)
      cells += column.type == plan::Type::text ? kTextEnds : kNumber;
    most = {static_cast<double>(*size.rows), kUnbounded, kUnbounded};
    if (size.texts) most.bytes = cells * most.rows + kZeros * static_cast<double>(*size.texts);
    if (size.longest) most.widest = cells + kZeros * static_cast<double>(*size.longest);
    if (size.bytes > 0) most = {most.rows, std::min(most.bytes, records.bytes), std::min(most.widest, records.widest)};
  }
  return {most.rows, most.bytes + more * most.rows, most.widest + more};
}

std::uint64_t in_powers_of_two(std::uint64_t size) { return std::bit_ceil(size); }

bool is_packed(const std::string& file) { return file.ends_with(".gz"); }

// What DEFLATE can do: 258 bytes in two bits.
std::uint64_t most_unpacked(std::uint64_t packed) { return 1032 * packed; }

std::uint64_t unpacked_size(const std::string& file) {
  std::vector<char> piece(std::size_t{1} << 20);
  std::uint64_t size = 0;
  const auto source = open_bytes(file);
  while (const std::size_t got = source->read(piece.data(), piece.size())) size += got;
  return size;
}

std::uint64_t count_rows(const Database& database, const std::string& from) {
  const auto rows = Connection(database).query(fmt::format("SELECT count(*) FROM {} AS t", from)).rows();
  return static_cast<std::uint64_t>(std::get<std::int64_t>(rows.at(0).at(0)));
}

SourceSize measured(const Database& database, const plan::TableDeclaration& table, const std::string& from) {
  std::string row = "0";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].type == plan::Type::text) row += fmt::format(" + coalesce(strlen(c{}), 0)", i);
  }
  const std::string sql = fmt::format(
      "SELECT count(*), CAST(coalesce(sum(n), 0) AS BIGINT), CAST(coalesce(max(n), 0) AS BIGINT) FROM (SELECT {} AS n "
      "FROM "
      "{} AS t) AS r",
      row, from);
  const auto rows = Connection(database).query(sql).rows();
  const auto number = [&](std::size_t i) {
    return static_cast<std::uint64_t>(std::get<std::int64_t>(rows.at(0).at(i)));
  };
  SourceSize size{0, in_powers_of_two(number(0)), in_powers_of_two(number(1)), {}};
  if (table.is_public) size.longest = number(2);
  return size;
}

}  // namespace dither::engine::detail
