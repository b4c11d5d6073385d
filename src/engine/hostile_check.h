// For tests and fuzzing: values that tend to break functions, and random expressions over them.
#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "plan/facts_check.h"
#include "plan/functions.h"
#include "testing/choices.h"

namespace dither::engine {

using testing::Choices;

// What plan::difficult_cells lists (text that is no UTF-8 apart: engines have none), and what breaks engines.
inline std::vector<Cell> hostile_cells(plan::Type type) {
  std::vector<Cell> cells = plan::difficult_cells(type);
  const auto add = [&](auto... more) { (cells.push_back(Cell{more}), ...); };
  constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;
  switch (type) {
    case plan::Type::boolean:
      break;
    case plan::Type::integer:
      add(kTwo53 + 1, std::int64_t{1} << 31, -(std::int64_t{1} << 31) - 1, INT64_MIN + 1, std::int64_t{3652059},
          std::int64_t{1} << 62, std::int64_t{12}, std::int64_t{29});
      break;
    case plan::Type::real:
      add(9007199254740991.0, -9007199254740992.5, 4503599627370495.5, 9223372036854775807.0, -9223372036854775808.0,
          9223372036854774784.0, 0.49999999999999994, 1.5, 1e308, -1e308, 1e-308, 5e-17, 709.782712893384, -745.2,
          1.0000000000000002, 1e15 + 0.5);
      break;
    case plan::Type::text: {
      const auto is_utf8 = [](const Cell& cell) { return cell != Cell{std::string("\xff\xfe")}; };
      cells.erase(std::stable_partition(cells.begin(), cells.end(), is_utf8), cells.end());
      for (const char* text : {"+5",
                               "-",
                               "+",
                               ".",
                               "1.",
                               ".5",
                               "1e5",
                               "1e",
                               "0x10",
                               "1_000",
                               " 12",
                               "12 ",
                               "1,5",
                               "--1",
                               "9223372036854775807",
                               "9223372036854775808",
                               "-9223372036854775809",
                               "00000000000000000000000000000000000000000000001",
                               "1e400",
                               "-1e-400",
                               "4.9406564584124654e-324",
                               "2.4703282292062327e-324",
                               "1.7976931348623159e308",
                               "inf",
                               "nan",
                               "Infinity",
                               "TRUE",
                               "f",
                               "yes",
                               "t ",
                               "0",
                               "2024-2-9",
                               "2023-02-29",
                               "0000-01-01",
                               "0001-01-01",
                               "10000-01-01",
                               "9999-12-31",
                               "2024-02-29T12:00",
                               "2024-02-29 24:00:00",
                               "2024-02-29 23:59:60",
                               "2024-02-29 12:00:00.1234567",
                               "2024-02-29 12:00:00Z",
                               "2024-02-29 12:00:00+02",
                               "2024-03-31 02:30:00",
                               "epoch",
                               "infinity",
                               "'",
                               "\"",
                               "%",
                               "_",
                               "\\",
                               "$1",
                               "\n",
                               "a\nb",
                               "\t",
                               "e\xcc\x81",
                               "\xc3\xa9",
                               "\xc4\xb0",
                               "\xe2\x84\xaa",
                               "\xc3\x9f",
                               "\xed\x9f\xbf\xee\x80\x80",
                               "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
                               "\xf4\x8f\xbf\xbf",
                               "\xef\xbb\xbf",
                               "\xe2\x80\xae",
                               "ab",
                               "aab",
                               "xxxx",
                               "  ",
                               "YMCA yx"}) {
        cells.emplace_back(std::string(text));
      }
      add(std::string(1, '\0'), std::string("a\0b", 3), std::string(12, 'q'), std::string(13, 'q'),
          std::string(65536, 'w'), std::string(65537, 'w'), std::string(40, '1'), std::string(41, '1'));
      break;
    }
    case plan::Type::date:
      add(std::int64_t{19782 + 1}, std::int64_t{-719162 + 58}, std::int64_t{11016}, std::int64_t{-135081},
          plan::kLastDay - 1, plan::kFirstDay + 1, std::int64_t{18627}, std::int64_t{18630});
      break;
    case plan::Type::timestamp:
      // The last and first moments of days and years, and hours that clocks of some zones leave out or have twice.
      add(std::int64_t{-62135596800000000 + 1}, plan::kLastMicrosecond - 1, std::int64_t{1711846800000000},
          std::int64_t{1711852200000000}, std::int64_t{1729994400000000}, std::int64_t{-1000001},
          std::int64_t{951782400000000 - 1}, std::int64_t{951868800000000}, std::int64_t{1609459199999999},
          std::int64_t{-86400000000});
      break;
  }
  return cells;
}

// Any value of the type: hostile, or of random bits.
inline Cell random_cell(Choices& choices, plan::Type type) {
  static const auto hostile = [] {
    std::vector<std::vector<Cell>> all;
    for (int i = 0; i < 6; ++i) all.push_back(hostile_cells(static_cast<plan::Type>(i)));
    return all;
  }();
  const std::uint64_t kind = choices.below(8);
  if (kind < 5 || type == plan::Type::boolean) return choices.one_of(hostile[static_cast<std::size_t>(type)]);
  const auto within = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(choices.word() % static_cast<std::uint64_t>(high - low + 1));
  };
  switch (type) {
    case plan::Type::integer:
      return static_cast<std::int64_t>((choices.word() >> choices.below(64)) ^ (kind == 5 ? 0 : ~std::uint64_t{0}));
    case plan::Type::real: {
      const std::uint64_t bits = choices.word();
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return kind == 5 ? value : static_cast<double>(within(-5000, 5000)) / 100;
    }
    case plan::Type::text: {
      static const std::vector<std::string> pieces = {"a",     "B", "7",  "0", "-", "+", ".",        "e",
                                                      "%",     "_", "\\", " ", ":", "T", "\xc3\xbc", "\xf0\x9f\x98\x80",
                                                      "2024-", "12"};
      std::string text;
      for (std::uint64_t i = choices.below(14); i > 0; --i) text += choices.one_of(pieces);
      return text;
    }
    case plan::Type::date:
      return within(plan::kFirstDay, plan::kLastDay);
    case plan::Type::timestamp:
      return within(plan::kFirstMicrosecond, plan::kLastMicrosecond);
    case plan::Type::boolean:
      break;
  }
  return {};
}

// A call as statements make it. Nothing where the arguments are refused: a pattern that ends in a backslash.
inline std::optional<plan::Expression> called(const plan::Function& function, std::vector<plan::Expression> arguments) {
  const auto is_shorthand = [&](const plan::Shorthand& shorthand) { return shorthand.sql == function.sql; };
  const auto shorthands = plan::all_shorthands();
  const bool shorthand = std::any_of(shorthands.begin(), shorthands.end(), is_shorthand);
  try {
    if (shorthand) return plan::resolve(function.sql, std::move(arguments));
    return plan::call(function, std::move(arguments));
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Columns that expressions may read: two of each type.
inline const std::vector<plan::Type>& hostile_columns() {
  static const std::vector<plan::Type> types = [] {
    std::vector<plan::Type> all;
    for (int i = 0; i < 12; ++i) all.push_back(static_cast<plan::Type>(i / 2));
    return all;
  }();
  return types;
}

// The functions that give a type, apart from casts to the same one; all, or those that `wanted` names.
template <class Wanted>
std::vector<std::vector<const plan::Function*>> functions_giving(Wanted wanted) {
  std::vector<std::vector<const plan::Function*>> all(6);
  for (const plan::Function& function : plan::all_functions()) {
    if (function.name.substr(0, 9) == "same_type" || !wanted(function)) continue;
    all[static_cast<std::size_t>(function.gives)].push_back(&function);
  }
  return all;
}
inline const std::vector<std::vector<const plan::Function*>>& every_function() {
  static const auto all = functions_giving([](const plan::Function&) { return true; });
  return all;
}
// What optimisers like to rewrite.
inline const std::vector<std::vector<const plan::Function*>>& functions_of_logic() {
  static const auto all = functions_giving([](const plan::Function& function) {
    return function.group == "logic" || function.group == "comparison" || function.group == "choice";
  });
  return all;
}

// An expression of this type over those columns, at most so deep, made of these functions.
inline plan::Expression random_expression(Choices& choices, plan::Type type, int depth,
                                          const std::vector<std::vector<const plan::Function*>>& giving) {
  const auto leaf = [&] {
    if (choices.below(4) == 0) return plan::constant({type, random_cell(choices, type)});
    return plan::column(static_cast<std::size_t>(type) * 2 + choices.below(2), type);
  };
  if (depth == 0 || choices.below(8) == 0) return leaf();
  const plan::Function& function = *choices.one_of(giving[static_cast<std::size_t>(type)]);
  const std::size_t count = function.takes.size() + (function.variadic ? choices.below(3) : 0);
  std::vector<plan::Expression> arguments;
  for (std::size_t i = 0; i < count; ++i) {
    const plan::Type wanted = plan::argument_type(function, i);
    arguments.push_back(i + function.constants >= count ? plan::constant({wanted, random_cell(choices, wanted)})
                                                        : random_expression(choices, wanted, depth - 1, giving));
  }
  const auto expression = called(function, std::move(arguments));
  return expression ? *expression : leaf();
}

// Cells that are often equal, often NULL, for such expressions.
inline Cell simple_cell(Choices& choices, plan::Type type) {
  const std::vector<Cell> cells = hostile_cells(type);
  return cells[choices.below(3)];
}

// The rows of one unit that tries to exhaust whoever reads it: very many, very long, or of very many values.
struct HostileUnit {
  std::size_t rows = 0, length = 0;  // so many texts of so many bytes
  bool distinct = false;             // whether texts differ

  std::string text(std::size_t row) const {
    const std::string number = distinct ? std::to_string(row) : "";
    return number + std::string(length - std::min(length, number.size()), 'w');
  }
  // Of the ends of its type, and what lies between.
  std::int64_t number(std::size_t row) const {
    constexpr std::int64_t kNumbers[] = {INT64_MAX, INT64_MIN, 0, 1, -1, std::int64_t{1} << 53};
    return kNumbers[row % std::size(kNumbers)];
  }
};
// Of so many rows and so many bytes of text at most.
inline HostileUnit hostile_unit(Choices& choices, std::size_t most_rows, std::size_t most_bytes) {
  HostileUnit unit;
  unit.length = choices.one_of(std::vector<std::size_t>{1, 8, 30, 200, 2000, 20'000, 65'000});
  unit.rows = std::min(most_rows >> (2 * choices.below(4)), most_bytes / unit.length);
  unit.distinct = choices.below(3) != 0;
  return unit;
}

}  // namespace dither::engine
