// What an input may be: public facts that every member keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/rational.h"
#include "calculus/data.h"

namespace dither::calculus {

enum class CellType { boolean, integer, real, text };
std::string_view cell_type_name(CellType type);

// A closed interval, low <= high.
struct Bounds {
  Rational low, high;
  bool operator==(const Bounds&) const = default;
};
// bad-bounds unless low <= high.
Bounds bounds(const Rational& low, const Rational& high);

struct Column {
  std::string name;
  CellType type;
  bool nullable = true;
  bool finite = false;                // of reals: neither NaN nor infinite
  std::optional<Bounds> bounds = {};  // of numbers: all that are not NULL (and not NaN) lie within
  std::vector<Cell> categories = {};  // empty: any value of the type
  bool operator==(const Column&) const = default;
};

// Tables with these columns. Each fact is kept by an operator, never believed (D-77).
struct TableDomain {
  std::vector<Column> columns;
  std::optional<std::uint64_t> rows = {};           // exactly so many
  std::optional<std::uint64_t> rows_per_unit = {};  // at most; the unit is the first column
  std::optional<std::uint64_t> keys_per_unit = {};  // at most so many different second cells
  bool operator==(const TableDomain&) const = default;

  std::size_t column(std::string_view name) const;  // its position; unknown-key when there is none
};
struct TablesDomain {
  std::vector<TableDomain> tables;
  bool operator==(const TablesDomain&) const = default;
};
// Vectors of whole numbers of `step`: the value of x is x * step.
struct VectorDomain {
  std::optional<std::uint64_t> dimension = {};
  Rational step = 1;
  std::optional<Bounds> bounds = {};  // of each coordinate, in steps
  bool operator==(const VectorDomain&) const = default;
};
// Vectors of doubles.
struct RealsDomain {
  std::optional<std::uint64_t> dimension = {};
  bool finite = false;
  std::optional<Bounds> bounds = {};
  bool operator==(const RealsDomain&) const = default;
};
// Numbers by key, in whole steps. With `keys` the keys are public, and exactly these; without, they are private.
struct KeyedDomain {
  std::optional<std::vector<std::string>> keys = {};
  Rational step = 1;
  bool operator==(const KeyedDomain&) const = default;
};

using Domain = std::variant<TableDomain, TablesDomain, VectorDomain, RealsDomain, KeyedDomain>;

// Whether the data is a member. Used by tests and in debug builds; a release never fails because of it (rule 8).
bool member(const Domain& domain, const Data& data);

// Whether every member of `narrow` is a member of `wide`, by the facts alone.
bool implies(const Domain& narrow, const Domain& wide);

// Refuses bounds in the wrong order (bad-bounds), a step that is not positive (bad-grid) and public keys that are not
// ascending, each once (duplicate-key). Every transformation and measurement checks its domains when it is made.
void require_domain(const Domain& domain);

// Refuses data of another kind, another declared dimension or another number of tables (wrong-type). This much of the data
// is public, and every release checks it: a longer vector would cost more than its price.
void require_shape(const Domain& domain, const Data& data);

// In words: "a table of 3 columns, at most 2 rows per unit".
std::string describe(const Domain& domain);

// A column of this type that holds no NULL and nothing out of `bounds`.
bool member(const Column& column, const Cell& cell);

}  // namespace dither::calculus
