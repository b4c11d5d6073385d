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
  if (output.rule == Output::Rule::scale)
    total = n <= rows ? total * finer : static_cast<Number>(scaled(output, total, n, rows));
  return std::clamp(total, low, high);
}

// The same where t <= n rows were allocated.
Int128 allocated(const Output& output, Int128 total, Int128 n, Int128 t) {
  if (t == 0) return 0;
  if (output.rule == Output::Rule::scale) {
    total = scaled(output, total, n, t);
  } else {
    const auto [low, high] = output.row;
    total = std::clamp(total, std::min(low, t * low), std::max(high, t * high));
  }
  return std::clamp(total, output.low, output.high);
}

// Of a unit with n rows in a key t count there.
bool is_cut(const KeptKeys& kept, std::uint32_t unit, Int128 n, Int128 t) {
  return n > 0 && (n > t || kept.drops(unit));
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
  for (std::size_t measure = 0; measure < layout_.outputs.size(); ++measure) add_light(kept, measure, totals);
  if (heavy_.empty()) return;
  find_counted();
  for (const Slots& unit : heavy_) add_heavy(kept, unit, digests, totals);
}

// Rows without a value are counted too: most units are within the limit with all their rows, and need no closer look. Without a branch
// that depends on the data, but for the units that are found.
void Contributions::find_heavy(const KeptKeys& kept) {
  const Kept* keys = kept.data();
  const std::int64_t* rows = sums_.small({});
  const std::int64_t most = *layout_.rows_per_unit;
  if (passed_.size() < kept.slots()) passed_.resize(kept.slots());
  std::uint32_t* passed = passed_.data();
  std::size_t count = 0;
  std::int64_t sum = 0;
  for (std::uint32_t slot = kNowhere; slot < kept.slots(); ++slot) {
    const std::int64_t before = keys[slot].unit == keys[slot - 1].unit ? sum : 0;
    sum = before + rows[slot];
    passed[count] = slot;
    count += (before <= most ? 1U : 0U) & (sum > most ? 1U : 0U);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t unit = keys[passed[i]].unit;
    Slots slots{passed[i], passed[i] + 1};
    while (slots.begin > kNowhere && keys[slots.begin - 1].unit == unit) --slots.begin;
    while (slots.end < kept.slots() && keys[slots.end].unit == unit) ++slots.end;
    heavy_.push_back(slots);
  }
}

void Contributions::find_counted() {
  counted_.clear();
  for (std::size_t measure = 0; measure < layout_.outputs.size(); ++measure) {
    const Output& output = layout_.outputs[measure];
    if (!output.is_allocated) continue;
    const std::int64_t* present = sums_.small(output.present);
    const auto at = std::find_if(counted_.begin(), counted_.end(),
                                 [&](const Counted& one) { return one.present == present && one.rows == output.rows; });
    if (at == counted_.end())
      counted_.push_back({present, output.rows, {measure}});
    else
      at->measures.push_back(measure);
  }
}

// Of all units but those that are looked at one by one.
void Contributions::add_light(const KeptKeys& kept, std::size_t measure, Totals& totals) const {
  std::uint32_t begin = kNowhere;
  if (layout_.outputs[measure].is_allocated) {
    for (const Slots& unit : heavy_) {
      add_measure(kept, measure, {begin, unit.begin}, totals);
      begin = unit.end;
    }
  }
  add_measure(kept, measure, {begin, kept.slots()}, totals);
}

void Contributions::add_measure(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const {
  if (layout_.outputs[measure].rule == Output::Rule::cut_units)
    add_cut_units(kept, measure, slots, totals);
  else if (is_small_[measure])
    add_small(kept, measure, slots, totals);
  else
    add_wide(kept, measure, slots, totals);
}

// By the measure's own limit.
void Contributions::add_cut_units(const KeptKeys& kept, std::size_t measure, const Slots& slots, Totals& totals) const {
  const Output& output = layout_.outputs[measure];
  for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
    const Int128 present = sums_.sum(output.present, slot);
    const Kept& key = kept.data()[slot];
    totals.of(key.code)[1 + measure] += is_cut(kept, key.unit, present, output.rows) ? 1 : 0;
  }
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

void Contributions::add_heavy(const KeptKeys& kept, const Slots& unit, const Digests& digests, Totals& totals) {
  const Kept* keys = kept.data() + unit.begin;
  std::uint64_t digest = 0;  // not known yet
  const auto before = [&](std::size_t a, std::size_t b) {
    if (digest == 0) digests(std::span(&keys->unit, 1), &digest);
    const std::uint64_t first = quick_hash(digest, keys_.data()[keys[a].code]);
    const std::uint64_t second = quick_hash(digest, keys_.data()[keys[b].code]);
    return first != second ? first < second : keys_.bytes(keys[a].code) < keys_.bytes(keys[b].code);
  };
  t_.resize(unit.end - unit.begin);
  for (const Counted& counted : counted_) {
    for (std::uint32_t key = 0; key < t_.size(); ++key) {
      t_[key] = std::min(counted.present[unit.begin + key], counted.rows);
    }
    const bool is_allocated = allocation_.allocate(t_, *layout_.rows_per_unit, before);
    for (const std::size_t measure : counted.measures) {
      if (is_allocated)
        add_allocated(kept, measure, unit, totals);
      else
        add_measure(kept, measure, unit, totals);
    }
  }
}

void Contributions::add_allocated(const KeptKeys& kept, std::size_t measure, const Slots& unit, Totals& totals) const {
  const Output& output = layout_.outputs[measure];
  for (std::uint32_t slot = unit.begin; slot < unit.end; ++slot) {
    const Int128 present = sums_.sum(output.present, slot);
    const Int128 total = output.factor * sums_.sum(output.sum, slot) + output.offset * present;
    if (present == 0) continue;
    const Kept& key = kept.data()[slot];
    const Int128 t = t_[slot - unit.begin];
    totals.of(key.code)[1 + measure] += output.rule != Output::Rule::cut_units ? allocated(output, total, present, t)
                                        : is_cut(kept, key.unit, present, t)   ? 1
                                                                               : 0;
  }
}

}  // namespace dither::engine::detail
