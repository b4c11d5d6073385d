#include "random/binomial.h"

#include <algorithm>

#include "base/error.h"
#include "random/pmf.h"

namespace dither::random {

namespace {

using detail::Chain;
using detail::ChainSum;
using detail::ChainTable;
using detail::SumPrecision;

void require(std::uint64_t n, const Rational& p) {
  if (p < 0 || p > 1) {
    throw Error{Code::bad_probability, "p is " + p.str() + ", but a probability lies in [0, 1]", "give 0 <= p <= 1"};
  }
  if (n > Binomial::kMaxTrials) {
    throw Error{Code::bad_count, "n is " + std::to_string(n) + ", but binomial draws go up to 2^40 trials",
                "use discrete Gaussian noise of variance n p (1 - p) for larger n"};
  }
}

Rational whole(std::uint64_t x) { return Rational(static_cast<Int128>(x)); }

Chain chain(std::uint64_t n, const Rational& p) {
  const auto mode = static_cast<std::uint64_t>((whole(n + 1) * p).floor());  // p <= 1/2, so at most n
  const auto pmf = [n, p](std::uint64_t k, long bits) { return binomial_pmf(n, p, static_cast<Int128>(k), bits); };
  return {.factor = p / (Rational(1) - p), .trials = n, .mode = std::min(mode, n), .pmf = pmf};
}

// Trials in equal parts, as far as that goes: n = m small + rest makes `rest` parts of small + 1 and the others of
// small.
ChainSum split(std::uint64_t n, const Rational& p, const SumPrecision& precision) {
  const std::uint64_t parts = precision.parts(whole(n) * p * (Rational(1) - p));
  if (parts == 1) return ChainSum(ChainTable<std::uint64_t>(chain(n, p), precision.alone));
  std::vector<ChainSum::Part> result;
  result.push_back({ChainTable<UInt128>(chain(n / parts, p), precision.part), parts - n % parts});
  if (n % parts != 0) result.push_back({ChainTable<UInt128>(chain(n / parts + 1, p), precision.part), n % parts});
  return ChainSum(std::move(result));
}

}  // namespace

Binomial::Binomial(std::uint64_t n, const Rational& p, const SumPrecision& precision)
    : offset_(p > Rational(1, 2) ? static_cast<std::int64_t>(n) : 0),
      sign_(p > Rational(1, 2) ? -1 : 1),
      sum_((require(n, p), split(n, p > Rational(1, 2) ? Rational(1) - p : p, precision))) {}

void Binomial::fill(std::span<std::int64_t> out, Source& source) const {
  sum_.fill(out, source);
  for (std::int64_t& value : out) value = offset_ + sign_ * value;
}

}  // namespace dither::random
