// What an engine computes: exact whole numbers by key, in which no unit counts for more than was declared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/int128.h"
#include "plan/relation.h"

namespace dither::plan {

enum class MeasureKind {
  units,      // different units
  rows,       // rows; with a column, those in which it is not NULL
  sum,        // of a column, in whole steps
  squares,    // of the squared distance of a column from the middle of its bounds
  products,   // of the distances of two columns from the middles of their bounds
  distinct,   // different values of a column, of which each unit brings `rows` at most
  histogram,  // how often each step of a column occurs, of which each unit brings `rows` rows at most
  cut_units,  // different units with more rows (with a column: rows with a value) than count, or with keys that they do not keep
};
std::string_view measure_kind_name(MeasureKind kind);

// What becomes of the total of a unit with more rows than count for it.
enum class Cut {
  clamp,  // the nearest total that as many rows as count could have
  scale,  // total * (rows that count / its rows): each of its rows weighs less, and its mean stays
};

// One whole number for each key. What a unit adds to a key is formed from all its rows there, of which at most `rows` count, and
// lies in [total_low, total_high]; a unit without a value there adds nothing.
//
// Of the n rows of a unit and key (with a column: those with a value) t count: t = min(n, rows), or what is allocated to
// the key by BoundedAggregate::rows_per_unit.
//   rows                  adds t
//   cut_units             adds 1 where n > t, or where n > 0 and the unit has rows in keys that it does not keep
//   sum, squares,         what each row counts for is added up to a total S. Clamped, S is moved into what t rows can add:
//   products              [min(low, t low), max(high, t high)] for a sum of [low, high] in each row, and 0 where t = 0. Scaled,
//                         S * 2^finer * t / n, rounded half to even, is added: it lies in t * 2^finer * [low, high], whose
//                         ends are whole, so that rounding never leaves it. A unit with n = t adds S * 2^finer exactly.
//
// A value x of the column counts as k = x / step, rounded half to even, clamped into [low, high]; NULL and NaN are no value. Of reals,
// with step = p / q, that is (x * q) / p in binary64, each operation rounded, so that every engine finds the same k.
//   sum              k
//   sum, centred     y = 2 k - (low + high), in half steps
//   squares          2 y^2 - (high - low)^2, in eighths of squared steps: from -(high - low)^2 to (high - low)^2
//   products         y z, in quarters of the product of both steps, where z is the y of the second column; NULL in either is no value
//
// Of distinct values and histograms a unit brings, to each key, the values (steps k) with the least (h, canonical bytes), h being the
// bounding hash of the unit and the value (docs/bounding.md): `rows` values, or values until `rows` rows are reached, the last in part.
struct Measure {
  struct Second {
    std::size_t column;
    Rational step = 1;
    Int128 low = 0, high = 0;
    bool operator==(const Second&) const = default;
  };
  MeasureKind kind;
  std::optional<std::size_t> column;  // of the rows
  Rational step = 1;
  Int128 low = 0, high = 0;           // of one row, in steps
  std::optional<Second> second = {};  // of products
  bool centred = false;
  std::uint64_t rows = 1;                // the total is what so many rows can add; 0: it was stated itself
  Int128 total_low = 0, total_high = 0;  // of one unit and key, in steps of 1/2^finer
  Cut cut = Cut::clamp;
  unsigned finer = 0;  // scaled totals are on a grid 2^finer times finer; 0 where they are clamped
  bool operator==(const Measure&) const = default;
};

// The rows have these columns: the keys, the unit, the values.
struct BoundedAggregate {
  Relation rows;
  std::size_t keys = 0;                                       // how many; the unit stands behind them
  std::optional<std::vector<std::vector<Cell>>> public_keys;  // all that are answered, ascending; nothing: private
  std::uint64_t keys_per_unit = 1;                            // kept by the bounding hash (docs/bounding.md)
  std::vector<Measure> measures;
  // Rows that count for one unit over all keys it keeps, beside each measure's limit by key. A unit with more, c_j =
  // min(n_j, rows) for key j and c in sum, gets T of them by largest remainder: floor(T c_j / c) for each key, and one more, in the
  // order of larger remainder (T c_j mod c) and then of the bounding hash, until T are given. Each measure is allocated by itself, of
  // the rows with its value; measures whose total was stated (rows = 0), units, distinct values and histograms are not.
  std::optional<std::uint64_t> rows_per_unit = {};

  std::size_t unit() const { return keys; }
};

std::string canonical_json(const BoundedAggregate& aggregate);
// SHA-256 of it and of the declarations it depends on, in 64 hexadecimal digits: the same for every way to write the same
// question, another one when a column it reads is declared otherwise.
std::string plan_hash(const Project& project, const BoundedAggregate& aggregate);

}  // namespace dither::plan
