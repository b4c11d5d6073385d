// What transformations and measurements take and give.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/canonical.h"
#include "base/int128.h"

namespace dither::calculus {

using Row = std::vector<Cell>;
using Table = std::vector<Row>;        // a multiset: only metrics that say so look at the order of rows
using Tables = std::vector<Table>;     // the parts of a partition, or several tables about the same units
using Integers = std::vector<Int128>;  // whole numbers of steps of a grid
using Reals = std::vector<double>;     // not yet on a grid; may hold anything a double can

// A number for each key that is there. Keys are canonical bytes (base/canonical.h), ascending, each once.
struct Keyed {
  std::vector<std::string> keys;
  Integers values;  // as many as keys
  bool operator==(const Keyed&) const = default;
};

// What several releases gave, in their order; no step takes it as input.
struct Answer;
struct Answers {
  std::vector<Answer> parts;
  bool operator==(const Answers&) const;
};

using Data = std::variant<Table, Tables, Integers, Reals, Keyed, Answers>;

struct Answer {
  Data data;
  bool operator==(const Answer&) const = default;
};
inline bool Answers::operator==(const Answers& other) const { return parts == other.parts; }

// "a table", "several tables", "integers", "reals", "numbers by key", "several answers".
std::string_view carrier_name(const Data& data);

namespace detail {
[[noreturn]] void refuse_carrier(std::string_view wanted, const Data& got);
template <class T>
std::string_view carrier_name();
}  // namespace detail

// The data as T, or wrong-type: what kind of thing it is, is public.
template <class T>
const T& as(const Data& data) {
  if (const T* found = std::get_if<T>(&data)) return *found;
  detail::refuse_carrier(detail::carrier_name<T>(), data);
}

}  // namespace dither::calculus
