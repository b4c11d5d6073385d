#include "engine/detail/bounding_contributions.h"

#include <algorithm>
#include <limits>

#include "engine/detail/bounding_mix.h"

namespace dither::engine::detail {

namespace {

// The nearest whole number, half to even; of a positive divisor.
template <class Number>
Number rounded_quotient(Number number, Number divisor) {
  Number below = number / divisor;
  Number rest = number % divisor;
  if (rest < 0) {
    --below;
    rest += divisor;
  }
  const Number other = divisor - rest;  // 2 rest would not fit where the divisor is large
  return below + (rest > other || (rest == other && below % 2 != 0) ? 1 : 0);
}

// Of n rows with this total, t count: fewer.
Int128 scaled(const Output& output, Int128 total, Int128 n, Int128 t) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  const Int128 product = total * (output.finer * t);
  if (-kMost <= product && product <= kMost)
    return rounded_quotient(static_cast<std::int64_t>(product), static_cast<std::int64_t>(n));
  return rounded_quotient(product, n);
}

// What is added of n > 0 rows with this total, where `rows` of a measure are the only limit.
template <class Number>
[[gnu::always_inline]] inline Number limited(const Output& output, Number total, Number n, Number rows, Number finer,
                                             Number low, Number high) {
  if (output.rule == Output::Rule::cut_units) return n > rows ? 1 : 0;
  if (output.rule == Output::Rule::scale)
    total = n <= rows ? total * finer : static_cast<Number>(scaled(output, total, n, rows));
  return std::clamp(total, low, high);
}

// The same where t <= n rows were allocated.
Int128 allocated(const Output& output, Int128 total, Int128 n, Int128 t) {
  if (output.rule == Output::Rule::cut_units) return n > t ? 1 : 0;
  if (t == 0) return 0;
  if (output.rule == Output::Rule::scale) {
    total = scaled(output, total, n, t);
  } else {
    const auto [low, high] = output.row;
    total = std::clamp(total, std::min(low, t * low), std::max(high, t * high));
  }
  return std::clamp(total, output.low, output.high);
}

}  // namespace

Contributions::Contributions(const Layout& layout, const Sums& sums, const KeyDigests& keys, std::uint64_t rows)
    : layout_(layout), sums_(sums), keys_(keys) {
  for (const Output& output : layout.outputs) is_small_.push_back(is_small(output, rows));
}

// Factors are 1 or 2, and sums that are not wide are below 2^60. Of a unit that is not cut the total on the finer grid is
// below 2^62 (scaled_fits).
bool Contributions::is_small(const Output& output, std::uint64_t rows) const {
  const auto below = [](Int128 number, Int128 end) { return -end < number && number < end; };
  return below(output.offset, (Int128{1} << 61) / static_cast<Int128>(rows + 1)) &&
         below(output.low, Int128{1} << 62) && below(output.high, Int128{1} << 62) && !sums_.is_wide(output.sum) &&
         !sums_.is_wide(output.present);
}

void Contributions::add(const KeptKeys& kept, const Digests& digests, Totals& totals) {
  const Kept* keys = kept.data();
  for (std::uint32_t slot = kNowhere; slot < kept.slots(); ++slot) ++*totals.of(keys[slot].code);
  heavy_.clear();
  if (layout_.rows_per_unit) find_heavy(kept);
  for (std::size_t measure = 0; measure < layout_.outputs.size(); ++measure) {
    std::uint32_t begin = kNowhere;
    if (layout_.outputs[measure].is_allocated) {
      for (const Slots& unit : heavy_) {
        add_measure(kept, measure, {begin, unit.begin}, totals);
        add_allocated(kept, measure, unit, digests, totals);
        begin = unit.end;
      }
    }
    add_measure(kept, measure, {begin, kept.slots()}, totals);
  }
}

// Rows without a value are counted too: most units are within the limit with all their rows, and need no closer look.
void Contributions::find_heavy(const KeptKeys& kept) {
  const Kept* keys = kept.data();
  const std::int64_t* rows = sums_.small({});
  for (std::uint32_t slot = kNowhere; slot < kept.slots();) {
    const std::uint32_t begin = slot;
    std::int64_t all = 0;
    for (; slot < kept.slots() && keys[slot].unit == keys[begin].unit; ++slot) all += rows[slot];
    if (all > *layout_.rows_per_unit) heavy_.push_back({begin, slot});
  }
}

void Contributions::add_measure(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const {
  if (is_small_[measure])
    add_small(kept, measure, slots, totals);
  else
    add_wide(kept, measure, slots, totals);
}

void Contributions::add_wide(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const {
  const Output& output = layout_.outputs[measure];
  for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
    const Int128 present = sums_.sum(output.present, slot);
    if (present == 0) continue;
    const Int128 total = output.factor * sums_.sum(output.sum, slot) + output.offset * present;
    totals.of(kept.data()[slot].code)[1 + measure] +=
        limited<Int128>(output, total, present, output.rows, output.finer, output.low, output.high);
  }
}

// The same with numbers of 64 bits.
void Contributions::add_small(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const {
  const Output& output = layout_.outputs[measure];
  const std::int64_t* sums = sums_.small(output.sum);
  const std::int64_t* presents = sums_.small(output.present);
  const auto factor = static_cast<std::int64_t>(output.factor);
  const auto offset = static_cast<std::int64_t>(output.offset);
  const auto low = static_cast<std::int64_t>(output.low);
  const auto high = static_cast<std::int64_t>(output.high);
  const auto finer = static_cast<std::int64_t>(output.finer);
  const Kept* keys = kept.data();
  const auto add = [&](const auto& rule) {
    for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
      const std::int64_t n = presents[slot];
      totals.of(keys[slot].code)[1 + measure] += n > 0 ? rule(factor * sums[slot] + offset * n, n) : 0;
    }
  };
  switch (output.rule) {
    case Output::Rule::clamp:
      return add([&](std::int64_t total, std::int64_t) { return std::clamp(total, low, high); });
    default:
      return add([&](std::int64_t total, std::int64_t n) {
        return limited<std::int64_t>(output, total, n, output.rows, finer, low, high);
      });
  }
}

// What counts of each key of a unit; false where the measure's own limits say it.
bool Contributions::allocate(const KeptKeys& kept, const Output& output, const Slots& slots, const Digests& digests) {
  counted_.clear();
  for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
    counted_.push_back(std::min(static_cast<std::int64_t>(sums_.sum(output.present, slot)), output.rows));
  }
  std::uint64_t unit = 0;
  const auto before = [&](std::size_t a, std::size_t b) {
    if (unit == 0) digests(std::span(&kept.data()[slots.begin].unit, 1), &unit);
    const std::uint32_t codes[] = {kept.data()[slots.begin + a].code, kept.data()[slots.begin + b].code};
    const std::uint64_t hashes[] = {quick_hash(unit, keys_.data()[codes[0]]), quick_hash(unit, keys_.data()[codes[1]])};
    return hashes[0] != hashes[1] ? hashes[0] < hashes[1] : keys_.bytes(codes[0]) < keys_.bytes(codes[1]);
  };
  return allocation_.allocate(counted_, *layout_.rows_per_unit, before);
}

void Contributions::add_allocated(const KeptKeys& kept, std::size_t measure, const Slots& slots,
                                  const Digests& digests, Totals& totals) {
  const Output& output = layout_.outputs[measure];
  if (!allocate(kept, output, slots, digests)) return add_measure(kept, measure, slots, totals);
  for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
    const Int128 present = sums_.sum(output.present, slot);
    const Int128 total = output.factor * sums_.sum(output.sum, slot) + output.offset * present;
    if (present > 0) {
      totals.of(kept.data()[slot].code)[1 + measure] +=
          allocated(output, total, present, counted_[slot - slots.begin]);
    }
  }
}

}  // namespace dither::engine::detail
