#include "cli/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "random/random.h"

namespace dither::cli {

namespace {

using random::RealLaw;
using random::Source;

constexpr Int128 kTwoTo63 = Int128{1} << 63;

// Samplers that fill 64-bit numbers.
template <typename Sampler>
Draws narrow(Sampler sampler, std::function<random::Moments()> exact) {
  Draws draws;
  draws.narrow = [shared = std::make_shared<const Sampler>(std::move(sampler))](
                     std::span<std::int64_t> out, Source& source) { shared->fill(out, source); };
  draws.exact = std::move(exact);
  return draws;
}

// Samplers with both forms.
template <typename Sampler>
Draws narrow_or_wide(const Sampler& sampler, bool fits, std::function<random::Moments()> exact) {
  if (fits) return narrow(sampler, std::move(exact));
  Draws draws;
  draws.wide = [sampler](std::span<Int128> out, Source& source) { sampler.fill(out, source); };
  draws.fits_int64 = false;
  draws.exact = std::move(exact);
  return draws;
}

// Samplers that draw one number at a time.
Draws one_by_one(std::function<Int128(Source&)> draw, bool fits, std::function<random::Moments()> exact) {
  Draws draws;
  draws.wide = [draw = std::move(draw)](std::span<Int128> out, Source& source) {
    for (Int128& x : out) x = draw(source);
  };
  draws.fits_int64 = fits;
  draws.exact = std::move(exact);
  return draws;
}

Draws discrete_laplace(const Parameters& given) {
  const Rational scale = given.number("scale");
  const bool fits = scale <= Rational::power_of_two(52);
  return narrow_or_wide(random::DiscreteLaplace(scale), fits,
                        [scale] { return random::discrete_laplace_moments(scale); });
}

Draws discrete_gaussian(const Parameters& given) {
  const Rational sigma = given.number("sigma");
  const bool fits = sigma <= Rational::power_of_two(52);
  return narrow_or_wide(random::DiscreteGaussian(sigma), fits,
                        [sigma] { return random::discrete_gaussian_moments(sigma); });
}

Draws geometric(const Parameters& given) {
  const Rational success = given.number("success");
  const bool fits = success >= Rational::power_of_two(-52);
  return narrow_or_wide(random::Geometric(success), fits, [success] { return random::geometric_moments(success); });
}

Draws truncated_geometric(const Parameters& given) {
  const Rational scale = given.number("scale");
  const Int128 upper = given.whole("upper", kInt128Max);
  const Int128 value = given.whole("value", upper);
  const random::TruncatedGeometric sampler(scale, upper);
  return one_by_one([=](Source& source) { return sampler.draw(value, source); }, upper < kTwoTo63,
                    [=] { return random::truncated_geometric_moments(scale, upper, value); });
}

Draws binomial(const Parameters& given) {
  const Int128 trials = given.whole("trials", Int128{random::Binomial::kMaxTrials});
  const Rational success = given.number("success");
  return narrow(random::Binomial(static_cast<std::uint64_t>(trials), success),
                [=] { return random::binomial_moments(trials, success); });
}

Draws poisson(const Parameters& given) {
  const Rational rate = given.number("rate");
  return narrow(random::Poisson(rate), [rate] { return random::poisson_moments(rate); });
}

Draws skellam(const Parameters& given) {
  const Rational plus = given.number("rate-plus");
  const Rational minus = given.number("rate-minus");
  return narrow(random::Skellam(plus, minus), [=] { return random::skellam_moments(plus, minus); });
}

Draws uniform(const Parameters& given) {
  const Int128 below = given.whole("below", kInt128Max);
  if (below == 0) {
    throw Error{Code::bad_count, "below is 0, but a number below it needs below >= 1", "give 1 or more"};
  }
  return one_by_one(
      [below](Source& source) -> Int128 {
        if (below > kTwoTo63)
          return static_cast<Int128>(random::uniform_below_wide(static_cast<UInt128>(below), source));
        return static_cast<Int128>(random::uniform_below(static_cast<std::uint64_t>(below), source));
      },
      below <= kTwoTo63, [below] { return random::uniform_moments(below); });
}

Draws coin(const random::Bernoulli& sampler, double p) {
  return one_by_one([sampler](Source& source) { return Int128{sampler.draw(source)}; }, true,
                    [p] {
                      return random::choice_moments({1 - p, p});
                    });
}

Draws bernoulli(const Parameters& given) {
  const Rational success = given.number("success");
  return coin(random::Bernoulli::with_probability(success), success.to_double_down());
}

Draws bernoulli_exp(const Parameters& given) {
  const Rational exponent = given.number("exponent");
  return coin(random::Bernoulli::with_exp_of_minus(exponent), std::exp(-exponent.to_double_down()));
}

Draws categorical(const Parameters& given) {
  const std::vector<Rational> weights = given.list("weights");
  const auto sampler = std::make_shared<const random::Categorical>(weights);
  const Rational largest = *std::max_element(weights.begin(), weights.end());
  std::vector<double> ratios;
  for (const Rational& weight : weights) ratios.push_back((weight / largest).to_double_down());
  return one_by_one([sampler](Source& source) { return static_cast<Int128>(sampler->draw(source)); }, true,
                    [ratios] { return random::choice_moments(ratios); });
}

Draws weighted_choice(const Parameters& given) {
  const std::vector<Int128> scores = given.whole_list("scores", kInt128Min, kInt128Max);
  const Rational rate = given.number("rate");
  std::vector<std::uint64_t> weights;
  for (const Int128 weight : given.whole_list("weights", 0, kTwoTo63 + (kTwoTo63 - 1))) {
    weights.push_back(static_cast<std::uint64_t>(weight));
  }
  const auto sampler = std::make_shared<const random::WeightedChoice>(weights, scores, rate);
  const Rational best(*std::max_element(scores.begin(), scores.end()));
  std::vector<double> ratios;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ratios.push_back(static_cast<double>(weights[i]) *
                     std::exp((rate * (Rational(scores[i]) - best)).to_double_down()));
  }
  return one_by_one([sampler](Source& source) { return static_cast<Int128>(sampler->draw(source)); }, true,
                    [ratios] { return random::choice_moments(ratios); });
}

Draws on_grid(const RealLaw& law, const Parameters& given) {
  return real_draws(law, given.number("scale"), given.number("grid"));
}

Draws beta(const Parameters& given) {
  return on_grid(RealLaw::beta(given.number("alpha"), given.number("beta")), given);
}
Draws cauchy(const Parameters& given) { return on_grid(RealLaw::cauchy(), given); }
Draws exponential(const Parameters& given) { return on_grid(RealLaw::exponential(), given); }
Draws gamma(const Parameters& given) { return on_grid(RealLaw::gamma(given.number("shape")), given); }
Draws laplace(const Parameters& given) { return on_grid(RealLaw::laplace(), given); }
Draws log_normal(const Parameters& given) {
  return on_grid(RealLaw::log_normal(given.number("mu"), given.number("sigma")), given);
}
Draws normal(const Parameters& given) { return on_grid(RealLaw::normal(), given); }
Draws student_t(const Parameters& given) { return on_grid(RealLaw::student_t(given.number("degrees")), given); }

}  // namespace

std::span<const Law> all_laws() {
  static const std::array laws = {
      Law{"discrete-laplace", {"scale"}, "P(k) ~ exp(-|k| / scale), k any integer", discrete_laplace},
      Law{"discrete-gaussian", {"sigma"}, "P(k) ~ exp(-k^2 / (2 sigma^2)), k any integer", discrete_gaussian},
      Law{"geometric", {"success"}, "failures before the first success", geometric},
      Law{"truncated-geometric",
          {"scale", "upper", "value"},
          "value + discrete Laplace noise, cut to 0 .. upper",
          truncated_geometric},
      Law{"binomial", {"trials", "success"}, "successes in so many trials", binomial},
      Law{"poisson", {"rate"}, "P(k) ~ rate^k / k!, k >= 0", poisson},
      Law{"skellam", {"rate-plus", "rate-minus"}, "difference of two Poisson numbers", skellam},
      Law{"uniform", {"below"}, "0 .. below-1, all equally likely", uniform},
      Law{"bernoulli", {"success"}, "1 with probability success, otherwise 0", bernoulli},
      Law{"bernoulli-exp", {"exponent"}, "1 with probability exp(-exponent), otherwise 0", bernoulli_exp},
      Law{"categorical", {"weights"}, "index i from 0 on, P(i) ~ weight i", categorical},
      Law{"weighted-choice",
          {"weights", "scores", "rate"},
          "index i from 0 on, P(i) ~ weight i exp(rate score i)",
          weighted_choice},
      Law{"exponential", {"scale", "grid"}, "scale * Z, Z exponential, rounded to the grid", exponential},
      Law{"laplace", {"scale", "grid"}, "scale * Z, Z Laplace, rounded to the grid", laplace},
      Law{"normal", {"scale", "grid"}, "scale * Z, Z standard normal, rounded to the grid", normal},
      Law{"cauchy", {"scale", "grid"}, "scale * Z, Z Cauchy, rounded to the grid", cauchy},
      Law{"student-t", {"degrees", "scale", "grid"}, "scale * Z, Z Student's t, rounded to the grid", student_t},
      Law{"log-normal",
          {"mu", "sigma", "scale", "grid"},
          "scale * exp(mu + sigma Z), Z normal, rounded to the grid",
          log_normal},
      Law{"gamma", {"shape", "scale", "grid"}, "scale * Z, Z gamma, rounded to the grid", gamma},
      Law{"beta", {"alpha", "beta", "scale", "grid"}, "scale * Z, Z beta, rounded to the grid", beta},
  };
  return laws;
}

const Law& find_law(const std::string& name) {
  std::vector<std::string> names;
  for (const Law& law : all_laws()) {
    if (law.name == name) return law;
    names.push_back(law.name);
  }
  throw Error{Code::unknown_law, fmt::format("--law is \"{}\", but there is no such law", echo(name)),
              fmt::format("did you mean {}? `dither noise --list` shows all", nearest(name, names))};
}

Draws make_draws(const Law& law, const Parameters& parameters) {
  try {
    return law.make(parameters);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with("--")) throw;
    throw Error{error.code(), fmt::format("{}: {}", parameters.str(), message), error.hint()};
  }
}

}  // namespace dither::cli
