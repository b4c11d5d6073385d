#include "engine/detail/bounding_layout.h"

#include <algorithm>
#include <bit>

#include "engine/detail/bounding.h"
#include "engine/detail/steps.h"

namespace dither::engine::detail {

using plan::Measure;
using plan::MeasureKind;

namespace {

constexpr Int128 kMost = Int128{1} << 62;
constexpr unsigned kPrivateCodeBits = 20;  // in narrow records
constexpr unsigned kLeastUnitBits = 24;    // in narrow records
constexpr unsigned kMostCodeShift = 34;    // wide records have 30 bits for codes

bool steps_fit(Int128 low, Int128 high, const Rational& step) {
  return low >= -kMost && high <= kMost && abs(step) < Rational(kMost) && abs(Rational(1) / step) < Rational(kMost) &&
         numerator(step) < kMost && denominator(step) < kMost;
}

// More rows than this there are not.
std::int64_t within_int64(std::uint64_t rows) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(rows, std::numeric_limits<std::int64_t>::max()));
}

// What require_room lets a row add: 2^40 of them stay within 128 bits.
bool products_fit(Int128 width, Int128 other) { return width == 0 || other <= (Int128{1} << 87) / width; }

class Builder {
 public:
  explicit Builder(const plan::BoundedAggregate& aggregate) : columns_(aggregate.rows->columns()) {
    if (aggregate.rows_per_unit) layout_.rows_per_unit = within_int64(*aggregate.rows_per_unit);
    for (const Measure& measure : aggregate.measures) layout_.outputs.push_back(output(measure));
  }

  Layout build(UnitKind unit, unsigned code_bits) {
    layout_.unit = unit;
    layout_.code_bits = code_bits;
    place_fields();
    return std::move(layout_);
  }

 private:
  std::size_t field(std::size_t column, const Rational& step, Int128 low, Int128 high) {
    const Field wanted{column,
                       columns_[column].type,
                       false,
                       numerator(step),
                       denominator(step),
                       static_cast<std::int64_t>(low),
                       static_cast<std::int64_t>(high)};
    return found(wanted, [&](const Field& f) {
      return !f.presence && f.column == column && f.p == wanted.p && f.q == wanted.q && f.low == wanted.low &&
             f.high == wanted.high;
    });
  }

  std::size_t presence(std::size_t column) {
    return found({column, columns_[column].type, true, 1, 1, 0, 0}, [&](const Field& f) { return f.column == column; });
  }

  template <class Same>
  std::size_t found(const Field& wanted, const Same& same) {
    const auto at = std::find_if(layout_.fields.begin(), layout_.fields.end(), same);
    if (at != layout_.fields.end()) return static_cast<std::size_t>(at - layout_.fields.begin());
    layout_.fields.push_back(wanted);
    return layout_.fields.size() - 1;
  }

  std::size_t accumulator(const Accumulator& wanted) {
    auto& all = layout_.accumulators;
    const auto at = std::find(all.begin(), all.end(), wanted);
    if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
    all.push_back(wanted);
    return all.size() - 1;
  }

  Output output(const Measure& measure) {
    Output result{{}, {}, 1, 0, measure.total_low, measure.total_high};
    add_up(measure, result);
    if (measure.kind == MeasureKind::units || measure.rows == 0) return result;
    result.rows = within_int64(measure.rows);
    result.row = row_range(measure);
    result.is_allocated = layout_.rows_per_unit.has_value();
    if (measure.kind == MeasureKind::cut_units) {
      result.rule = Output::Rule::cut_units;
    } else if (measure.cut == plan::Cut::scale) {
      result.rule = Output::Rule::scale;
      result.finer = Int128{1} << measure.finer;
    }
    return result;
  }

  // What of the rows makes its total.
  void add_up(const Measure& measure, Output& result) {
    using Kind = Accumulator::Kind;
    if (measure.kind == MeasureKind::units || !measure.column) return;
    if (measure.kind == MeasureKind::rows || measure.kind == MeasureKind::cut_units) {
      const std::size_t f = presence(*measure.column);
      result.sum = result.present = accumulator({Kind::present, f, f});
      return;
    }
    const std::size_t f = field(*measure.column, measure.step, measure.low, measure.high);
    std::size_t g = f;
    Kind kind = Kind::squares;
    if (measure.kind == MeasureKind::sum) {
      kind = Kind::stored;  // k = stored - 1 + low
      result.factor = measure.centred ? 2 : 1;
      result.offset = measure.centred ? -2 - (measure.high - measure.low) : measure.low - 1;
    } else if (measure.kind == MeasureKind::products) {
      kind = Kind::products;
      const Measure::Second& other = *measure.second;
      g = field(other.column, other.step, other.low, other.high);
    }
    result.present = accumulator({Kind::present, f, g});
    result.sum = accumulator({kind, f, g});
  }

  // Small fields go into word 0 beside the code while a unit still fits above them; the rest where there is room, large ones first.
  void place_fields() {
    const unsigned room = std::min(kMostCodeShift, 64 - kLeastUnitBits - layout_.code_bits);
    std::vector<Field*> order;
    for (Field& f : layout_.fields) {
      f.bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(f.width()) + 1));
      order.push_back(&f);
    }
    std::stable_sort(order.begin(), order.end(), [](const Field* a, const Field* b) { return a->bits > b->bits; });
    std::vector<unsigned> used{0};
    for (Field* f : order) {
      std::size_t word = 0;
      while (word < used.size() && used[word] + f->bits > (word == 0 ? room : 64)) ++word;
      if (word == used.size()) used.push_back(0);
      f->word = static_cast<unsigned>(word);
      f->shift = used[word];
      used[word] += f->bits;
    }
    layout_.payload = static_cast<unsigned>(used.size());
    layout_.code_shift = used[0];
  }

  const std::vector<plan::Facts>& columns_;
  Layout layout_{};
};

UnitKind unit_kind(plan::Type type) {
  switch (type) {
    case plan::Type::boolean:
      return UnitKind::boolean;
    case plan::Type::real:
      return UnitKind::real;
    case plan::Type::text:
      return UnitKind::text;
    default:
      return UnitKind::whole;
  }
}

}  // namespace

bool bounding_takes(const plan::BoundedAggregate& aggregate) {
  return std::all_of(aggregate.measures.begin(), aggregate.measures.end(), [](const Measure& m) {
    if (m.cut == plan::Cut::scale && !scaled_fits(m)) return false;
    switch (m.kind) {
      case MeasureKind::units:
      case MeasureKind::rows:
      case MeasureKind::cut_units:
        return true;
      case MeasureKind::sum:
        return steps_fit(m.low, m.high, m.step);
      case MeasureKind::squares:
        return steps_fit(m.low, m.high, m.step) && products_fit(m.high - m.low, m.high - m.low);
      case MeasureKind::products:
        return steps_fit(m.low, m.high, m.step) && steps_fit(m.second->low, m.second->high, m.second->step) &&
               products_fit(m.high - m.low, m.second->high - m.second->low);
      default:
        return false;
    }
  });
}

Layout make_layout(const plan::BoundedAggregate& aggregate, std::optional<std::size_t> codes, bool with_digest) {
  const unsigned bits = aggregate.keys == 0 ? 0
                        : codes             ? static_cast<unsigned>(std::bit_width(*codes))
                                            : kPrivateCodeBits;
  Layout layout = Builder(aggregate).build(unit_kind(aggregate.rows->columns()[aggregate.unit()].type),
                                           std::min(bits, kPrivateCodeBits));
  layout.row_is_unit = aggregate.rows->owner().row_is_unit;
  layout.with_digest = with_digest;
  if (with_digest) ++layout.payload;
  return layout;
}

Int128 largest(const Layout& layout, const Accumulator& accumulator) {
  const Field& f = layout.fields[accumulator.field];
  switch (accumulator.kind) {
    case Accumulator::Kind::present:
      return 1;
    case Accumulator::Kind::stored:
      return f.width() + 1;
    case Accumulator::Kind::squares:
      return f.width() * f.width();
    default:
      return f.width() * layout.fields[accumulator.second].width();
  }
}

}  // namespace dither::engine::detail
