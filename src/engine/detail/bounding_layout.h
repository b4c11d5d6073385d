// How a row becomes a record of a few words, and what is added up from them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/detail/row_range.h"
#include "plan/bounded_aggregate.h"

namespace dither::engine::detail {

// A column as it stands in records: 0 for no value, else 1 + steps above `low`. Of a column of which only the presence counts,
// low = high = 0.
struct Field {
  std::size_t column;  // of the rows
  plan::Type type;
  bool presence;
  Int128 p, q;             // step = p / q
  std::int64_t low, high;  // in steps
  unsigned bits = 0, word = 0, shift = 0;

  std::uint64_t mask() const { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
  Int128 width() const { return Int128{high} - low; }
};

// What is added up over the rows of a unit and key.
struct Accumulator {
  enum class Kind {
    present,   // rows in which the field has a value, both fields have one
    stored,    // what stands in records
    squares,   // 2 y^2 - (high - low)^2, y = 2 k - (low + high)
    products,  // y z
  };
  Kind kind;
  std::size_t field;
  std::size_t second;  // of two; else the field again
  bool operator==(const Accumulator&) const = default;
};

// The total of a measure is factor * sum + offset * present where some row has a value; nothing for `sum` or `present`: the number of
// rows. What is added of it, between low and high, follows the rule.
struct Output {
  enum class Rule {
    clamp,
    scale,      // of a unit with more rows than count
    cut_units,  // 1 of a unit with more rows than count, or keys that it does not keep
  };
  std::optional<std::size_t> sum, present;
  Int128 factor = 1, offset = 0;
  Int128 low, high;
  Rule rule = Rule::clamp;
  std::int64_t rows = std::numeric_limits<std::int64_t>::max();  // that count at most
  Int128 finer = 1;                                              // what is scaled is in steps of 1/finer
  bool is_allocated = false;  // the rows of a unit that count are given out to its keys
  RowRange row = {1, 1};
};

enum class UnitKind { whole, boolean, real, text };

// A record is the unit and then the payload. In payload word 0 stand, from below, fields, the code of the key and, in a narrow
// record, the unit itself; a wide one has the unit in words of its own in front: one, of text two.
struct Layout {
  UnitKind unit;
  bool row_is_unit = false;  // then a unit's number is its place, and has no part in which keys it keeps
  std::vector<Field> fields;
  std::vector<Accumulator> accumulators;
  std::vector<Output> outputs;                // by measure
  std::optional<std::int64_t> rows_per_unit;  // over all its keys
  unsigned payload = 1;                       // words
  bool with_digest = false;                   // the last of them is the digest of the key
  unsigned code_shift = 0;                    // of payload word 0
  unsigned code_bits = 0;                     // in a narrow record; a wide one has all above the shift

  // Whether a unit may stand in a narrow record.
  bool narrow_is_possible() const { return unit == UnitKind::whole || unit == UnitKind::boolean; }
  unsigned unit_words() const { return unit == UnitKind::text ? 2 : 1; }
  unsigned words(bool wide) const { return payload + (wide ? unit_words() : 0); }
  unsigned unit_shift() const { return code_shift + code_bits; }
  unsigned unit_bits() const { return 64 - unit_shift(); }
};

// `codes`: how many codes of keys are known beforehand; nothing where keys are private. `with_digest`: rows bring those of their keys.
Layout make_layout(const plan::BoundedAggregate& aggregate, std::optional<std::size_t> codes, bool with_digest = false);

// What one row adds at most, without its sign.
Int128 largest(const Layout& layout, const Accumulator& accumulator);

}  // namespace dither::engine::detail
