#include "testing/tape.h"

#include <cmath>
#include <vector>

namespace dither::testing {

double TapeLaw::unresolved_share() const { return std::ldexp(static_cast<double>(unresolved), -depth); }

TapeLaw enumerate(const std::function<Int128(Tape&)>& draw, int depth) {
  struct Prefix {
    std::uint64_t bits;
    int length;
  };
  TapeLaw law;
  law.depth = depth;
  std::vector<Prefix> open = {{0, 0}};
  while (!open.empty()) {
    const Prefix prefix = open.back();
    open.pop_back();
    const std::uint64_t mass = std::uint64_t{1} << (depth - prefix.length);
    Tape tape(prefix.bits, prefix.length);
    try {
      law.resolved[draw(tape)] += mass;
    } catch (const Tape::End& end) {
      if (end.needed > depth) {
        law.unresolved += mass;
        continue;
      }
      const int more = end.needed - prefix.length;
      for (std::uint64_t next = 0; next < (std::uint64_t{1} << more); ++next) {
        open.push_back({prefix.bits << more | next, end.needed});
      }
    }
  }
  return law;
}

bool follows(const TapeLaw& law, const Pmf& pmf, Int128 first, Int128 last) {
  const Rational unit = Rational::power_of_two(-law.depth);
  const auto fits = [&](Int128 outcome, std::uint64_t mass) {
    const BigInterval p = pmf(outcome, 256);
    const Rational low = Rational(static_cast<Int128>(mass)) * unit;
    const Rational high = low + Rational(static_cast<Int128>(law.unresolved)) * unit;
    return !p.surely_below(low) && !p.surely_above(high);
  };
  for (const auto& [outcome, mass] : law.resolved) {
    if (!fits(outcome, mass)) return false;
  }
  for (Int128 outcome = first; outcome <= last; ++outcome) {
    if (!law.resolved.contains(outcome) && !fits(outcome, 0)) return false;
  }
  return true;
}

}  // namespace dither::testing
