// One sampler for discrete laws that fall off from zero, at every scale: a table of cells, a uniform remainder, and an
// acceptance decided in 64-bit integers.
//
// Write |K| = 2^shift Q + R. The cell Q comes from an exact alias table whose integer weights are certified lower
// bounds; what they leave out is a residual outcome, drawn exactly. R is `shift` uniform bits. The pair is kept with
// probability exp(-y(Q, R)), which is decided by comparing a uniform W with 1 - exp(-y) in fixed point; when they are
// closer than the certified error, W is extended and the comparison made in arbitrary precision. With shift = 0 a cell
// is a value and nothing is rejected.
//
// The law is exact: Q has exactly the cells' law (table and residual together), R is uniform, acceptance has exactly
// probability exp(-y), and rounds are independent, so the number of rounds says nothing about the value kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/int128.h"
#include "random/detail/alias_table.h"
#include "random/detail/fixed_point.h"
#include "random/detail/precision.h"
#include "random/detail/residual.h"
#include "random/source.h"

namespace dither::random::detail {

// A Law says what a cell weighs and how its remainder is accepted:
//   static constexpr bool kTwoSided;                        a sign is drawn, and minus zero refused
//   int shift() const;                                      0 <= shift <= 56
//   std::vector<std::uint64_t> weights(int bits) const;     certified lower bounds of 2^bits * probability(i)
//   BigInterval probability(std::uint64_t i, long precision) const;
//   std::uint64_t rejection(std::uint64_t q, std::uint64_t r) const;   1 - exp(-y) in 2^-64, within `slack`
//   BigInterval exponent(std::uint64_t q, std::uint64_t r, long precision) const;   y itself
// With shift() = 0 and two sides, probability(i) is that of |K| = i.
template <typename Law>
class CellSampler {
 public:
  CellSampler(Law law, const Precision& precision)
      : law_(std::move(law)),
        precision_(precision),
        weights_(law_.weights(precision.table_bits)),
        table_(weights_, precision.table_bits) {
    if (law_.shift() == 0) return;
    if (precision.table_bits > 8 * static_cast<int>(kHeadBytes) - 1) {
      throw Error{Code::bad_weights, "a table of cells has more than 55 bits", "leave the sign its bit"};
    }
    // Remainder and W together fill whole bytes; W is what is left above the remainder, at most 64 bits of it.
    tail_bytes_ = std::max<std::size_t>(8, static_cast<std::size_t>(law_.shift() + precision.accept_bits + 7) / 8);
    unread_bits_ = std::max(0, law_.shift() - 8 * static_cast<int>(tail_bytes_ - 8));
  }

  template <BitSource S>
  Int128 draw(S& source) const {
    for (;;) {
      if (const std::optional<Int128> value = round(source)) return *value;
    }
  }

  // One round: a value, or nothing when it was rejected.
  template <BitSource S>
  std::optional<Int128> round(S& source) const {
    Record record;
    Outcome outcome;
    if constexpr (std::is_same_v<S, Source>) {
      // Decided while the bytes are still there: the table is read before the source stores anything, so that no load
      // waits for a store that happens to share its address bits.
      source.with_bytes(record_bytes(), [&](const std::uint8_t* bytes) {
        record = law_.shift() == 0 ? small_record(bytes) : cell_record(bytes);
        outcome = decide(record);
      });
    } else {
      record = fetch(source);
      outcome = decide(record);
    }
    if (outcome.special) [[unlikely]]
      outcome = resolve(record, source);
    return outcome.keep ? std::optional<Int128>(outcome.value()) : std::nullopt;
  }

  // Overwrites the span; values beyond the type's range are saturated.
  template <typename T>
  void fill(std::span<T> out, Source& source) const {
    law_.shift() == 0 ? fill_blocks<T, true>(out, source) : fill_blocks<T, false>(out, source);
  }

  // Bytes of one round.
  std::size_t record_bytes() const { return law_.shift() == 0 ? 8 : kHeadBytes + tail_bytes_; }

  // The probability that a round needs the exact fallback, at most; for documents and tests.
  double fallback_probability() const {
    const double residual =
        static_cast<double>(table_.residual_weight()) / static_cast<double>(std::uint64_t{1} << precision_.table_bits);
    if (law_.shift() == 0) return residual;
    return residual +
           (2.0 * static_cast<double>(precision_.slack) + static_cast<double>(std::uint64_t{1} << unread_bits_)) /
               0x1p64;
  }

 private:
  static constexpr std::size_t kHeadBytes = 7;

  struct Record {
    std::uint64_t sign;       // 0 or 1
    std::uint64_t cell;       // uniform number for the table
    std::uint64_t remainder;  // R
    std::uint64_t accept;     // W, left aligned, unread bits zero
    int accept_bits;          // how many bits of W are known
  };

  struct Outcome {
    UInt128 size;  // |K|
    std::uint64_t sign;
    bool keep;
    bool special;  // not decided here

    Int128 value() const { return with_sign(size, sign); }
  };

  // The same numbers from a source of bits.
  template <BitSource S>
  Record fetch(S& source) const {
    const std::uint64_t sign = Law::kTwoSided ? source.bits(1) : 0;
    const std::uint64_t cell = source.bits(precision_.table_bits);
    if (law_.shift() == 0) return {sign, cell, 0, 0, 0};
    const std::uint64_t remainder = source.bits(law_.shift());
    const std::uint64_t accept = source.bits(precision_.accept_bits) << (64 - precision_.accept_bits);
    return {sign, cell, remainder, accept, precision_.accept_bits};
  }

  static std::uint64_t load(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  Record small_record(const std::uint8_t* bytes) const {
    const std::uint64_t word = load(bytes);
    return {word & 1, word >> (64 - precision_.table_bits), 0, 0, 0};
  }

  // Seven bytes for sign and cell, then the remainder in the low bits and W in the high bits of the tail.
  Record cell_record(const std::uint8_t* bytes) const {
    const std::uint64_t head = load(bytes) << 8;  // the top seven bytes
    const std::uint64_t remainder = load(bytes + kHeadBytes) & low_mask(law_.shift());
    const std::uint64_t accept = load(bytes + kHeadBytes + tail_bytes_ - 8) & ~low_mask(unread_bits_);
    return {head >> 8 & 1, head >> (64 - precision_.table_bits), remainder, accept, 64 - unread_bits_};
  }

  static std::uint64_t low_mask(int bits) { return (std::uint64_t{1} << bits) - 1; }

  // One round without branches on what is drawn.
  Outcome decide(const Record& record) const {
    return law_.shift() == 0 ? decide_small(record, AliasTable::View(table_))
                             : decide_cell(record, AliasTable::View(table_));
  }

  Outcome decide_small(const Record& record, const AliasTable::View& table) const {
    const std::uint64_t q = table.look_up(record.cell);
    return {q, Law::kTwoSided ? record.sign : 0, true, q == table_.residual()};
  }

  Outcome decide_cell(const Record& record, const AliasTable::View& table) const {
    const std::uint64_t q = table.look_up(record.cell);
    const std::uint64_t rejection = law_.rejection(q, record.remainder);
    const auto [accept, reject] =
        compare(record.accept, std::uint64_t{1} << (64 - record.accept_bits), rejection, precision_.slack);
    const UInt128 size = static_cast<UInt128>(q) << law_.shift() | record.remainder;
    const std::uint64_t sign = Law::kTwoSided ? record.sign : 0;
    bool minus_zero = false;
    if constexpr (Law::kTwoSided) minus_zero = (size | (sign ^ 1)) == 0;  // one condition, never a branch on size alone
    const bool keep = accept & !minus_zero;
    const bool undecided = !(accept | reject);
    const bool special = undecided | (q == table_.residual());
    return {size, sign, keep, special};
  }

  // The same round in arbitrary precision.
  template <BitSource S>
  Outcome resolve(const Record& record, S& source) const {
    std::uint64_t q = table_.look_up(record.cell);
    if (q == table_.residual()) {
      const auto probability = [this](std::uint64_t i, long bits) { return law_.probability(i, bits); };
      q = draw_residual(probability, weights_, table_.residual_weight(), precision_.table_bits, precision_.step,
                        source);
    }
    const UInt128 size = static_cast<UInt128>(q) << law_.shift() | record.remainder;
    const std::uint64_t sign = Law::kTwoSided ? record.sign : 0;
    if (law_.shift() == 0) return {size, sign, true, false};
    const auto rejection = [&](long bits) { return -expm1(-law_.exponent(q, record.remainder, bits)); };
    LazyUniform uniform(record.accept >> (64 - record.accept_bits), record.accept_bits);
    const bool accept = !uniform.is_below(rejection, precision_.step, source);
    return {size, sign, accept && !(sign != 0 && size == 0), false};
  }

  // Reads whole blocks of records in place. A special record ends its block early and is resolved outside, since the
  // fallback draws from the same source.
  template <typename T, bool kSmall>
  void fill_blocks(std::span<T> out, Source& source) const {
    const std::size_t bytes_each = record_bytes();
    std::size_t done = 0;
    while (done < out.size()) {
      const std::size_t records = std::min(Source::kBlockBytes / bytes_each, out.size() - done);
      Record special_record{};
      bool special = false;
      source.with_bytes(records * bytes_each, [&](const std::uint8_t* bytes) {
        const AliasTable::View table(table_);
        for (std::size_t i = 0; i < records; ++i, bytes += bytes_each) {
          const Record record = kSmall ? small_record(bytes) : cell_record(bytes);
          const Outcome outcome = kSmall ? decide_small(record, table) : decide_cell(record, table);
          if (outcome.special) [[unlikely]] {
            special_record = record;
            special = true;
            return;
          }
          out[done] = narrow<T>(outcome);
          done += outcome.keep;
        }
      });
      if (!special) continue;
      const Outcome outcome = resolve(special_record, source);
      out[done] = saturate<T>(outcome.value());
      done += outcome.keep;
    }
  }

  // Values from the table fit; only what the fallback draws may have to be saturated.
  template <typename T>
  static T narrow(const Outcome& outcome) {
    if constexpr (std::is_same_v<T, Int128>) return outcome.value();
    const auto flip = static_cast<std::uint64_t>(0) - outcome.sign;
    return static_cast<T>((static_cast<std::uint64_t>(outcome.size) ^ flip) - flip);
  }
  template <typename T>
  static T saturate(Int128 value) {
    if constexpr (std::is_same_v<T, Int128>) return value;
    return to_int64_saturating(value);
  }

  Law law_;
  Precision precision_;
  std::vector<std::uint64_t> weights_;
  AliasTable table_;
  std::size_t tail_bytes_ = 0;
  int unread_bits_ = 0;
};

}  // namespace dither::random::detail
