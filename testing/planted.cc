#include "testing/planted.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "random/detail/cells.h"
#include "random/detail/gaussian_cells.h"
#include "random/detail/laplace_cells.h"
#include "random/discrete_laplace.h"
#include "testing/remembered.h"

namespace dither::planted {

namespace {

using random::detail::AliasTable;
using random::detail::CellSampler;
using random::detail::GaussianCells;
using random::detail::LaplaceCells;
using testing::Remembered;
using testing::Tape;

Remembered<LaplaceCells<true>> laplace(const Rational& scale) {
  return Remembered(LaplaceCells<true>([rate = Rational(1) / scale](long bits) { return BigInterval(rate, bits); }));
}

const CellSampler<Remembered<LaplaceCells<true>>>& right_laplace() {
  static const CellSampler<Remembered<LaplaceCells<true>>> sampler(laplace(Rational(1)), {.table_bits = 7, .step = 4});
  return sampler;
}

const AliasTable& small_table() {
  static const AliasTable table(laplace(Rational(1)).weights(7), 7);
  return table;
}

Int128 magnitude_of(Int128 value) { return value < 0 ? -value : value; }

// A round of the sampler in cells of two values at scale 4: exp(-R / 4) accepts the remainder. Like the right one it
// returns the largest number for a rejected round.
Int128 two_value_round(Tape& tape, bool (*accept)(std::uint64_t remainder, std::uint64_t w)) {
  static const Remembered law(LaplaceCells<true>([](long bits) { return BigInterval(Rational(1, 4), bits); }, 1));
  static const std::vector<std::uint64_t> weights = law.weights(6);
  static const AliasTable table(weights, 6);
  const std::uint64_t sign = tape.bits(1);
  std::uint64_t cell = table.look_up(tape.bits(6));
  const std::uint64_t remainder = tape.bits(1);
  const std::uint64_t w = tape.bits(3);
  if (cell == table.residual()) {
    const auto probability = [](std::uint64_t i, long bits) { return law.probability(i, bits); };
    cell = random::detail::draw_residual(probability, weights, table.residual_weight(), 6, 3, tape);
  }
  const auto size = 2 * static_cast<Int128>(cell) + static_cast<Int128>(remainder);
  if (!accept(remainder, w) || (sign == 1 && size == 0)) return kInt128Max;
  return sign == 1 ? -size : size;
}

}  // namespace

Int128 half_scale(Tape& tape) {
  static const CellSampler<Remembered<LaplaceCells<true>>> sampler(laplace(Rational(1, 2)),
                                                                   {.table_bits = 7, .step = 4});
  return sampler.draw(tape);
}

Int128 off_by_one_at_zero(Tape& tape) {
  const Int128 k = right_laplace().draw(tape);
  return k < 0 ? k - 1 : k + 1;
}

Int128 sign_bias(Tape& tape) {
  const Int128 size = magnitude_of(right_laplace().draw(tape));
  return tape.bits(4) < 7 ? -size : size;
}

Int128 double_zero(Tape& tape) {
  const std::uint64_t sign = tape.bits(1);
  static const LaplaceCells<false> one_sided([](long bits) { return BigInterval(Rational(1), bits); });
  static const CellSampler<Remembered<LaplaceCells<false>>> sampler(Remembered<LaplaceCells<false>>(one_sided),
                                                                    {.table_bits = 7, .step = 4});
  const Int128 size = sampler.draw(tape);
  return sign == 1 ? -size : size;
}

Int128 truncated_tail(Tape& tape) { return std::clamp<Int128>(right_laplace().draw(tape), -4, 4); }

Int128 forgotten_residual(Tape& tape) {
  const std::uint64_t sign = tape.bits(1);
  const std::uint64_t cell = small_table().look_up(tape.bits(7));
  const auto size = static_cast<Int128>(cell == small_table().residual() ? 0 : cell);
  return sign == 1 ? -size : size;
}

Int128 shared_sign_bit(Tape& tape) {
  static const auto law = laplace(Rational(1));
  static const std::vector<std::uint64_t> weights = law.weights(7);
  const std::uint64_t word = tape.bits(7);
  std::uint64_t cell = small_table().look_up(word);
  if (cell == small_table().residual()) {
    const auto probability = [](std::uint64_t i, long bits) { return law.probability(i, bits); };
    cell = random::detail::draw_residual(probability, weights, small_table().residual_weight(), 7, 4, tape);
  }
  const auto size = static_cast<Int128>(cell);
  return (word & 1) == 1 ? -size : size;
}

Int128 skipped_acceptance(Tape& tape) {
  return two_value_round(tape, [](std::uint64_t, std::uint64_t) { return true; });
}

Int128 undecided_accepted(Tape& tape) {
  // 1 - exp(-1/4) = 1.77 / 8, so the three bits 1 leave it open.
  return two_value_round(tape, [](std::uint64_t remainder, std::uint64_t w) { return remainder == 0 || w >= 1; });
}

Int128 sigma_for_sigma_squared(Tape& tape) {
  static const CellSampler<Remembered<GaussianCells>> sampler(Remembered<GaussianCells>(GaussianCells(Rational(2))),
                                                              {.table_bits = 7, .step = 4});
  return sampler.draw(tape);
}

Int128 float_rounding(random::Source& source) {
  const float u = static_cast<float>(source.bits(53) + 1) * 0x1p-53F;
  const auto size = static_cast<Int128>(-0x1p40F * std::log(u));
  return source.bits(1) == 1 ? -size : size;
}

Int128 five_percent_narrow(random::Source& source) { return random::discrete_laplace(Rational(95), source); }

Int128 value_dependent_work(random::Source& source) {
  const auto go_on = static_cast<std::uint64_t>(std::exp(-0.1) * 0x1p63);
  Int128 size = 0;
  while (source.bits(63) < go_on) ++size;
  return source.bits(1) == 1 ? -size : size;
}

void reused_block(std::span<std::uint8_t> out, random::Source& source) {
  std::array<std::uint8_t, 4096> block;
  source.fill(block);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = block[i % block.size()];
}

UnforkableStream::UnforkableStream(random::Source& source) {
  for (std::uint64_t& word : words_) word = source.word();
}

std::uint64_t UnforkableStream::word() { return words_[next_++ % 64]; }

}  // namespace dither::planted
