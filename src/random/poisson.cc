#include "random/poisson.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "random/pmf.h"

namespace dither::random {

namespace {

using detail::Chain;
using detail::ChainSum;
using detail::ChainTable;
using detail::SumPrecision;

ChainSum split(const Rational& lambda, const SumPrecision& precision) {
  if (lambda < 0 || lambda > Rational::power_of_two(40)) {
    throw Error{Code::bad_scale, "lambda is " + lambda.str() + ", but Poisson draws need 0 <= lambda <= 2^40",
                "give a mean from 0 to 2^40"};
  }
  const std::uint64_t parts = precision.parts(lambda);
  const Rational mean = lambda / Rational(static_cast<Int128>(parts));
  const auto pmf = [mean](std::uint64_t k, long bits) { return poisson_pmf(mean, static_cast<Int128>(k), bits); };
  const Chain chain{.factor = mean, .trials = {}, .mode = static_cast<std::uint64_t>(mean.floor()), .pmf = pmf};
  if (parts == 1) return ChainSum(ChainTable<std::uint64_t>(chain, precision.alone));
  return ChainSum({{ChainTable<UInt128>(chain, precision.part), parts}});
}

}  // namespace

Poisson::Poisson(const Rational& lambda, const SumPrecision& precision) : sum_(split(lambda, precision)) {}

void Skellam::fill(std::span<std::int64_t> out, Source& source) const {
  plus_.fill(out, source);
  std::array<std::int64_t, 512> minus;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, minus.size());
    minus_.fill(std::span(minus).first(count), source);
    for (std::size_t i = 0; i < count; ++i) out[done + i] -= minus[i];
    done += count;
  }
}

}  // namespace dither::random
