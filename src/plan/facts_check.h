// For tests: whether a function's fact rule holds for every combination of small sets of arguments.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "plan/detail/ranges.h"
#include "plan/functions.h"

namespace dither::plan {

using Cells = std::vector<Cell>;

inline Cell whole_cell(std::int64_t value) { return value; }

// What tends to break rules, of each type.
inline Cells difficult_cells(Type type) {
  constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;
  constexpr double kInf = std::numeric_limits<double>::infinity(), kMax = std::numeric_limits<double>::max();
  switch (type) {
    case Type::boolean:
      return {Cell{}, false, true};
    case Type::integer:
      return {Cell{},
              whole_cell(0),
              whole_cell(1),
              whole_cell(-1),
              whole_cell(2),
              whole_cell(7),
              whole_cell(-10),
              whole_cell(22),
              whole_cell(2024),
              whole_cell(kTwo53),
              whole_cell(-kTwo53 - 1),
              whole_cell(INT64_MAX),
              whole_cell(INT64_MIN)};
    case Type::real:
      return {Cell{},
              0.0,
              -0.0,
              1.0,
              -1.0,
              0.5,
              -2.5,
              3.7,
              1e-3,
              5e-324,
              -2.2250738585072014e-308,
              9007199254740993.0,
              1e22,
              1e300,
              kMax,
              -kMax,
              kInf,
              -kInf,
              std::nan("")};
    case Type::text:
      return {Cell{},
              std::string(),
              std::string("a"),
              std::string("Ab%_\\"),
              std::string(" x "),
              std::string("-12"),
              std::string("1.5e3"),
              std::string("true"),
              std::string("2024-02-29"),
              std::string("9999-12-31 23:59:59.999999"),
              std::string("Z\xc3\xbcrich"),
              std::string("\xff\xfe"),
              std::string("NaN"),
              std::string("\xf0\x9f\x92\xbb\xc3\xbc\xf0\x9f\x92\xbb"),
              std::string(40000, 'y'),
              std::string(70000, 'z')};
    case Type::date:
      return {Cell{},         whole_cell(kFirstDay), whole_cell(kLastDay), whole_cell(0),
              whole_cell(-1), whole_cell(19782),     whole_cell(-25509)};  // 2024-02-29, 1900-02-28
    case Type::timestamp:
      return {Cell{},         whole_cell(kFirstMicrosecond), whole_cell(kLastMicrosecond), whole_cell(0),
              whole_cell(-1), whole_cell(1709251199999999),  whole_cell(1709164800000000)};
  }
  return {};
}

// Small sets of them: single ones, neighbours in the list, and all.
inline std::vector<Cells> small_sets(Type type, bool constants) {
  const Cells all = difficult_cells(type);
  std::vector<Cells> sets;
  for (const Cell& cell : all) sets.push_back({cell});
  if (constants) return sets;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) sets.push_back({all[i], all[i + 1]});
  for (std::size_t i = 1; i + 3 < all.size(); i += 2) sets.push_back({all[i], all[i + 1], all[i + 3]});
  sets.push_back(all);
  return sets;
}

// What is known of the set, in full or only that it has this type.
inline Facts known_of(Type type, const Cells& set, int how) {
  Facts facts = detail::facts_of_values(type, set);
  if (how == 1) facts.values.reset();
  if (how == 2) {
    facts.range.reset();
    facts.values.reset();
  }
  if (how == 3) {
    const std::uint64_t longest = std::max(kLongestText, facts.longest);
    facts = Facts{};
    facts.type = type;
    facts.longest = longest;
  }
  return facts;
}

inline Type argument_type(const Function& function, std::size_t i) {
  return function.takes[std::min(i, function.takes.size() - 1)];
}

// Every combination of cells from these sets; the first that breaks the facts, in words.
inline std::optional<std::string> broken_by(const Function& function, const std::vector<Cells>& sets, int how) {
  std::vector<Facts> known;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const bool constant = i + function.constants >= sets.size();
    known.push_back(known_of(argument_type(function, i), sets[i], constant ? 0 : how));
  }
  const Facts facts = facts_of_call(function, known);
  std::vector<std::size_t> at(sets.size(), 0);
  for (;;) {
    Cells arguments;
    for (std::size_t i = 0; i < sets.size(); ++i) arguments.push_back(sets[i][at[i]]);
    const Cell result = value_of_call(function, arguments);
    if (!keeps(facts, result)) {
      std::string text = fmt::format("{}(", function.name);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        text += (i == 0 ? "" : ", ") + str({argument_type(function, i), arguments[i]}).substr(0, 40);
      }
      return fmt::format("{}) is {}, but: {}", text, str({function.gives, result}).substr(0, 40), describe(facts));
    }
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == sets[i].size()) at[i++] = 0;
    if (i == at.size()) return std::nullopt;
  }
}

// All combinations of sets for one and two arguments; for more, so many drawn with a fixed seed.
inline std::optional<std::string> first_break(const Function& function, std::size_t arguments,
                                              std::size_t draws = 3000) {
  std::vector<std::vector<Cells>> choices;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < arguments; ++i) {
    choices.push_back(small_sets(argument_type(function, i), i + function.constants >= arguments));
    combinations *= choices.back().size();
  }
  std::mt19937 random(7);
  const bool all = combinations <= draws;
  for (std::size_t n = 0; n < (all ? combinations : draws); ++n) {
    std::vector<Cells> sets;
    std::size_t rest = n;
    for (const auto& choice : choices) {
      sets.push_back(choice[all ? rest % choice.size() : random() % choice.size()]);
      rest /= choice.size();
    }
    for (int how = 0; how < 4; ++how) {
      if (auto broken = broken_by(function, sets, how)) return broken;
    }
  }
  return std::nullopt;
}

}  // namespace dither::plan
