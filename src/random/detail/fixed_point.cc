#include "random/detail/fixed_point.h"

#include "base/big_interval.h"

namespace dither::random::detail {

namespace {

constexpr int kIndexBits = 7;

struct LogEntry {
  std::uint64_t inverse;  // r in units of 2^-9, within 2^-8 of 1 / m for every m of the slot
  std::uint64_t log;      // -ln r in units of 2^-63, rounded down
};

// One slot for each value of the seven bits behind the leading one.
std::array<LogEntry, 1 << kIndexBits> make_log_table() {
  std::array<LogEntry, 1 << kIndexBits> table{};
  for (unsigned i = 0; i < table.size(); ++i) {
    // The slot's middle is (2 i + 257) / 256, and r the multiple of 2^-9 nearest to its inverse.
    const std::uint64_t middle = 2 * i + 257;
    const std::uint64_t inverse = ((512 * 256 * 2) / middle + 1) / 2;
    const BigInterval log_r = log(BigInterval(Rational(static_cast<long>(inverse), 512), 192));
    const Rational scaled = (-log_r).low_rational() * Rational::power_of_two(63);
    table[i] = {inverse, static_cast<std::uint64_t>(scaled.floor())};
  }
  return table;
}

}  // namespace

std::uint64_t neg_log(std::uint64_t u) {
  static const std::array<LogEntry, 1 << kIndexBits> table = make_log_table();
  const int e = std::countl_zero(u);
  const std::uint64_t m = u << e;  // units of 2^-63, leading bit set
  const LogEntry& entry = table[m << 1 >> (64 - kIndexBits)];
  // z = m r - 1 in units of 2^-72; its top 64 bits, units of 2^-70 (|z| < 2^-7), lose under four units of 2^-72.
  const auto z72 = static_cast<Int128>(static_cast<UInt128>(m) * entry.inverse) - (static_cast<Int128>(1) << 72);
  const auto z = static_cast<std::int64_t>(z72 >> 2);
  // ln(1 + z) = z (1 - z/2 + z^2/3 - ...): the bracket in units of 2^-62.
  const auto times_z = [z](std::int64_t x) { return static_cast<std::int64_t>(static_cast<Int128>(x) * z >> 70); };
  constexpr std::int64_t one = std::int64_t{1} << 62;
  std::int64_t bracket = one / 8;
  for (std::int64_t n = 7; n >= 1; --n) bracket = one / n - times_z(bracket);
  const auto log1p_z = static_cast<std::int64_t>(static_cast<Int128>(bracket) * z >> 69);  // units of 2^-63
  // -ln(u / 2^64) = (e + 1) ln 2 - ln m with m in [1, 2), and ln m = -ln r + ln(1 + z).
  const UInt128 whole = (static_cast<UInt128>(e + 1) * kLn2) >> 1;  // units of 2^-63
  const auto log_m = static_cast<Int128>(entry.log) + log1p_z;
  const Int128 result = static_cast<Int128>(whole) - log_m;
  return static_cast<std::uint64_t>((result < 0 ? 0 : result) >> 5);
}

}  // namespace dither::random::detail
