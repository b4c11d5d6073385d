#include "engine/detail/bounding_sums.h"

namespace dither::engine::detail {

namespace {

std::uint64_t stored(const Field& field, const std::uint64_t* payload) {
  return payload[field.word] >> field.shift & field.mask();
}

// 2 k - (low + high) of what is stored.
template <class Number>
Number centred(const Field& field, std::uint64_t stored) {
  return 2 * static_cast<Number>(stored - 1) - static_cast<Number>(field.width());
}

template <class Number, class Value>
void add_each(const Layout& layout, std::span<const Run> runs, const std::uint32_t* slots, Number* sums,
              const Value& value) {
  for (const Run& run : runs) {
    const unsigned words = layout.words(run.wide);
    const std::uint64_t* payload = run.words + (run.wide ? layout.unit_words() : 0);
    for (std::size_t i = 0; i < run.records; ++i, payload += words) sums[slots[i]] += value(payload);
    slots += run.records;
  }
}

// Number is wide enough for all that is computed on the way. Where a value is missing, nothing is added.
template <class Number>
void add_all(const Layout& layout, const Accumulator& accumulator, std::span<const Run> runs,
             const std::uint32_t* slots, Number* sums) {
  const Field f = layout.fields[accumulator.field];
  const Field g = layout.fields[accumulator.second];
  const auto add = [&](const auto& value) { add_each(layout, runs, slots, sums, value); };
  switch (accumulator.kind) {
    case Accumulator::Kind::present:
      add([&](const std::uint64_t* row) { return Number{stored(f, row) != 0 && stored(g, row) != 0 ? 1 : 0}; });
      break;
    case Accumulator::Kind::stored:
      add([mask = f.mask(), shift = f.shift, word = f.word](const std::uint64_t* row) {
        return static_cast<Number>(row[word] >> shift & mask);
      });
      break;
    case Accumulator::Kind::squares:
      add([&, width = static_cast<Number>(f.width())](const std::uint64_t* row) {
        const std::uint64_t a = stored(f, row);
        const Number y = centred<Number>(f, a);
        return a == 0 ? Number{0} : 2 * y * y - width * width;
      });
      break;
    default:
      add([&](const std::uint64_t* row) {
        const std::uint64_t a = stored(f, row);
        const std::uint64_t b = stored(g, row);
        return a == 0 || b == 0 ? Number{0} : centred<Number>(f, a) * centred<Number>(g, b);
      });
  }
}

}  // namespace

Sums::Sums(const Layout& layout, const std::vector<bool>& missing, std::uint64_t rows)
    : layout_(layout), small_(layout.accumulators.size()), wide_(layout.accumulators.size()) {
  for (const Accumulator& one : layout.accumulators) {
    const bool all = one.kind == Accumulator::Kind::present && !missing[one.field] && !missing[one.second];
    // Four times for what is computed on the way: 2 y^2 before the width is taken away.
    const bool fits = largest(layout, one) * 4 * static_cast<Int128>(rows + 1) < Int128{1} << 62;
    forms_.push_back(all ? Form::rows : fits ? Form::small : Form::wide);
  }
}

void Sums::start(std::size_t slots) {
  rows_.assign(slots, 0);
  for (std::size_t a = 0; a < forms_.size(); ++a) {
    if (forms_[a] == Form::small) small_[a].assign(slots, 0);
    if (forms_[a] == Form::wide) wide_[a].assign(slots, 0);
  }
}

void Sums::add(std::span<const Run> runs, const std::uint32_t* slots) {
  std::size_t records = 0;
  for (const Run& run : runs) records += run.records;
  std::int64_t* rows = rows_.data();
  for (std::size_t i = 0; i < records; ++i) ++rows[slots[i]];
  for (std::size_t a = 0; a < forms_.size(); ++a) {
    if (forms_[a] == Form::small) add_all(layout_, layout_.accumulators[a], runs, slots, small_[a].data());
    if (forms_[a] == Form::wide) add_all(layout_, layout_.accumulators[a], runs, slots, wide_[a].data());
  }
}

void Sums::add(const Int128* sums, std::uint32_t slot) {
  rows_[slot] += static_cast<std::int64_t>(sums[0]);
  for (std::size_t a = 0; a < forms_.size(); ++a) {
    if (forms_[a] == Form::small) small_[a][slot] += static_cast<std::int64_t>(sums[1 + a]);
    if (forms_[a] == Form::wide) wide_[a][slot] += sums[1 + a];
  }
}

Int128 Sums::sum(std::optional<std::size_t> accumulator, std::uint32_t slot) const {
  if (!accumulator || forms_[*accumulator] == Form::rows) return rows_[slot];
  return forms_[*accumulator] == Form::wide ? wide_[*accumulator][slot] : Int128{small_[*accumulator][slot]};
}

void Sums::give(std::uint32_t slot, Int128* sums) const {
  sums[0] = rows_[slot];
  for (std::size_t a = 0; a < forms_.size(); ++a) sums[1 + a] = sum(a, slot);
}

const std::int64_t* Sums::small(std::optional<std::size_t> accumulator) const {
  return !accumulator || forms_[*accumulator] == Form::rows ? rows_.data() : small_[*accumulator].data();
}

bool Sums::is_wide(std::optional<std::size_t> accumulator) const {
  return accumulator && forms_[*accumulator] == Form::wide;
}

}  // namespace dither::engine::detail
