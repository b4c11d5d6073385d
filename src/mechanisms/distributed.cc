#include "mechanisms/distributed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/accuracy.h"
#include "base/error.h"
#include "mechanisms/binomial.h"
#include "mechanisms/detail/noise.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/skellam.h"
#include "random/binomial.h"
#include "random/moments.h"
#include "random/poisson.h"
#include "random/uniform.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr std::uint64_t kMostParties = std::uint64_t{1} << 20;
constexpr Int128 kMostValue = Int128{1} << 100;
const VectorDomain kTotal{.dimension = 1};

Rational whole(std::uint64_t x) { return Rational(static_cast<Int128>(x)); }

std::uint64_t honest(const Parties& parties) {
  if (parties.all > kMostParties || parties.colluding >= parties.all) {
    throw Error{Code::bad_count, fmt::format("{} of {} parties may collude", parties.colluding, parties.all),
                "give 1 to 2^20 parties, of which at least one is honest"};
  }
  return parties.all - parties.colluding;
}

void require_domain(const VectorDomain& domain, const Parties& parties) {
  if (domain.dimension == parties.all) return;
  throw Error{Code::bad_count, fmt::format("there are {} parties, and the domain has another dimension", parties.all),
              "declare one number for each party"};
}

Recipe recipe(std::string_view law, const Parties& parties, Recipe::Parameters parameters) {
  Recipe made{fmt::format("distributed-{}", law),
              {{"parties", whole(parties.all)}, {"colluding", whole(parties.colluding)}}};
  made.parameters.insert(made.parameters.end(), parameters.begin(), parameters.end());
  return made;
}

// What each party sends is its number and its share; what is seen is the sum. 2^20 numbers of 2^100 stay in 128 bits.
template <class Share>
AnyMeasurement::Function sum_of_shares(Share share) {
  return [share](const Data& data, random::Source& source) -> Data {
    Int128 sum = 0;
    Int128 noise = 0;
    for (const Int128 value : as<Integers>(data)) {
      sum += std::clamp(value, -kMostValue, kMostValue);
      noise = add_saturating(noise, share(source));
    }
    return Integers{add_saturating(sum, noise)};
  };
}

// The loss of the honest parties' noise and the error of everybody's.
AnyMeasurement distributed(Recipe made, const VectorDomain& domain, const AnyMeasurement& of_honest,
                           AnyMeasurement::ErrorFunction error, AnyMeasurement::Function function) {
  return AnyMeasurement({
      .recipe = std::move(made),
      .input = domain,
      .from = {MetricKind::l1},
      .measure = of_honest.measure(),
      .loss = [of_honest](const Distance& d) { return of_honest.loss(d); },
      .events = [of_honest](const Distance& d) { return of_honest.events(d); },
      .function = std::move(function),
      .error = std::move(error),
  });
}

AnyMeasurement::ErrorFunction error_of(const AnyMeasurement& total) {
  return [total](Int128 released) { return *total.error(released); };
}

}  // namespace

std::uint64_t trials_of_each(const Parties& parties, std::uint64_t trials) {
  return 2 * static_cast<std::uint64_t>((whole(trials) / whole(2 * honest(parties))).ceil());
}

Rational variance_of_each(const Parties& parties, const Rational& variance) {
  return variance / whole(honest(parties));
}

PolyaShare::PolyaShare(std::uint64_t shares, const Rational& scale) : shares_(shares), two_sided_(scale) {
  if (shares < 1 || shares > kMostParties) {
    throw Error{Code::bad_count, fmt::format("{} shares", shares), "give 1 to 2^20 shares"};
  }
  if (scale > 100'000) {
    throw Error{Code::bad_scale, fmt::format("the scale is {}, and shares take about as many rounds", scale.str()),
                "use a coarser grid, so that the scale is at most 10^5, or Skellam shares"};
  }
}

bool PolyaShare::kept(Int128 k, random::Source& source) const {
  const auto n = static_cast<Int128>(shares_);
  for (Int128 j = 1; j <= k; ++j) {  // a coin of probability (j - 1 + 1/n) / j
    if (static_cast<Int128>(random::uniform_below_wide(static_cast<UInt128>(j * n), source)) > (j - 1) * n)
      return false;
  }
  return true;
}

Int128 PolyaShare::one_sided(random::Source& source) const {
  for (;;) {
    const Int128 k = two_sided_.draw(source);  // geometric where it is not negative
    if (k >= 0 && kept(k, source)) return k;
  }
}

Measurement<L1, Approximate> make_distributed_binomial(const VectorDomain& domain, const Parties& parties,
                                                       std::uint64_t trials, const Rational& epsilon) {
  const std::uint64_t enough = honest(parties);
  require_domain(domain, parties);
  // Each share is centred by itself, so each must have a middle, not only their sum.
  if (trials % 2 != 0 || trials > kMostTrials) {
    throw Error{Code::bad_count, fmt::format("each party has {} trials, but it must be even and at most 10^8", trials),
                "give an even number, or let trials_of_each find it"};
  }
  const AnyMeasurement of_honest = make_binomial(kTotal, trials * enough, epsilon).any();
  const AnyMeasurement of_all = make_binomial(kTotal, trials * parties.all, epsilon).any();
  const auto share = [noise = random::Binomial(trials, Rational(1, 2)), trials](random::Source& source) {
    return Int128{noise.draw(source)} - static_cast<Int128>(trials / 2);
  };
  return Measurement<L1, Approximate>(
      distributed(recipe("binomial", parties, {{"trials", whole(trials)}, {"epsilon", epsilon}}), domain, of_honest,
                  error_of(of_all), sum_of_shares(share)));
}

Measurement<L1, Approximate> make_distributed_skellam(const VectorDomain& domain, const Parties& parties,
                                                      const Rational& variance, const Rational& epsilon) {
  const std::uint64_t enough = honest(parties);
  require_domain(domain, parties);
  const AnyMeasurement of_honest = make_skellam(kTotal, variance * whole(enough), epsilon).any();
  const AnyMeasurement of_all = make_skellam(kTotal, variance * whole(parties.all), epsilon).any();
  const auto share = [noise = random::Skellam(variance / 2, variance / 2)](random::Source& source) {
    return Int128{noise.draw(source)};
  };
  return Measurement<L1, Approximate>(
      distributed(recipe("skellam", parties, {{"variance", variance}, {"epsilon", epsilon}}), domain, of_honest,
                  error_of(of_all), sum_of_shares(share)));
}

Measurement<L1, Pure> make_distributed_laplace(const VectorDomain& domain, const Parties& parties,
                                               const Rational& scale) {
  const std::uint64_t enough = honest(parties);
  require_domain(domain, parties);
  const AnyMeasurement of_honest = make_discrete_laplace(kTotal, scale).any();
  const PolyaShare noise(enough, scale);
  // The shares of all fall into ceil(all / honest) groups of at most `honest`: each sum is a discrete Laplace number,
  // or the sum of fewer shares, which is nearer to 0 (a symmetric unimodal law loses mass around 0 when a symmetric
  // number is added). None of them is off by more than `each` with probability 95%. Of many groups Chebyshev knows more.
  const std::uint64_t groups = (parties.all + enough - 1) / enough;
  const std::uint64_t each = accounting::discrete_laplace_error(scale.to_double_up(), {groups, 0.05});
  const double variance = *random::discrete_laplace_moments(scale).variance *
                          (static_cast<double>(parties.all) / static_cast<double>(enough));
  const auto chebyshev = static_cast<std::uint64_t>(std::ceil(std::sqrt(variance / 0.05) * (1 + 1e-9)));
  const std::uint64_t radius = std::min(groups * each, chebyshev);
  return Measurement<L1, Pure>(distributed(recipe("laplace", parties, {{"scale", scale}}), domain, of_honest,
                                           detail::symmetric_error(std::sqrt(variance), radius),
                                           sum_of_shares([noise](random::Source& s) { return noise.draw(s); })));
}

}  // namespace dither::mechanisms
