// Noise on numbers: at the epsilons that people use, at the ends of what numbers hold, and in several dimensions.
#include <algorithm>
#include <memory>

#include "audit/attacks/views.h"
#include "calculus/combinators.h"
#include "mechanisms/choose_noise.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/laplace.h"
#include "mechanisms/real_gaussian.h"
#include "mechanisms/release_in_pieces.h"
#include "mechanisms/truncated_geometric.h"
#include "random/pmf.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers

namespace {

const CellsDistance kTwoCells{2, 2, 2, 1};

// One number of noise, many at once.
View coordinates(View view) {
  view.coordinates_are_runs = true;
  return view;
}

void add_laplace(Attacks& attacks) {
  for (const char* epsilon : {"0.1", "1", "5"}) {
    const Rational scale = Rational(1) / Rational::parse(epsilon);
    add_view(attacks, {"discrete-laplace", std::string("epsilon ") + epsilon, "stat-dp", 0.03, [scale] {
                         return coordinates(view_of("", mechanisms::make_discrete_laplace({}, scale).any(), Rational(1),
                                                    {numbers({0}, {1})}));
                       }});
  }
  add_view(attacks, {"discrete-laplace", "two of three numbers", "dp-sniper", 0.6, [] {
                       return view_of("", mechanisms::make_discrete_laplace({3}, 2, MetricKind::cells), kTwoCells,
                                      {numbers({5, 5, 5}, {6, 4, 5}), numbers({0, 0, 0}, {1, 1, 0})});
                     }});
  add_view(attacks, {"discrete-laplace", "at the ends of 128 bits", "stat-dp", 0.5, [] {
                       return view_of(
                           "", mechanisms::make_discrete_laplace({1}, 1, MetricKind::linf), Rational(1),
                           {numbers({kInt128Max}, {kInt128Max - 1}), numbers({kInt128Min}, {kInt128Min + 1})});
                     }});
  add_view(attacks,
           {"laplace", "epsilon 1", "stat-dp", 0.8, [] {
              return coordinates(view_of("", mechanisms::make_laplace({}, 1).any(), Rational(1), {numbers({0}, {1})}));
            }});
  add_view(attacks, {"truncated-geometric", "0 to 6 at both ends", "stat-dp", 0.5, [] {
                       const VectorDomain domain{1, 1, bounds(0, 6)};
                       return view_of("", mechanisms::make_truncated_geometric(domain, 1).any(), Rational(1),
                                      {numbers({0}, {1}), numbers({6}, {5}), numbers({3}, {4})});
                     }});
}

FiniteMechanism truncated_geometric(const Rational& scale, long most) {
  constexpr long kBits = 128;
  Channel::Names names;
  std::vector<std::vector<Interval>> rows;
  for (long x = 0; x <= most; ++x) {
    names.push_back(std::to_string(x));
    std::vector<Interval>& row = rows.emplace_back();
    for (long k = 0; k <= most; ++k) {
      const BigInterval exact = random::truncated_geometric_pmf(scale, most, x, k, kBits);
      row.emplace_back(exact.low_double(), exact.high_double());
    }
  }
  const Adjacency one_apart = Adjacency::consecutive(rows.size());
  return {Channel(names, names, rows, one_apart), Promise::pure(Rational(1) / scale)};
}

void add_finite(Attacks& attacks) {
  for (const char* scale : {"1", "10", "1/3"}) {
    add_exact(attacks, "truncated-geometric", std::string("scale ") + scale,
              [scale] { return truncated_geometric(Rational::parse(scale), 40); });
  }
}

void add_gaussian(Attacks& attacks) {
  add_view(attacks,
           {"gaussian", "sigma 1", "dp-sniper", 0.2, [] {
              return coordinates(view_of("", mechanisms::make_gaussian({}, 1).any(), Rational(1), {numbers({0}, {1})}));
            }});
  add_view(
      attacks,
      {"gaussian", "three numbers", "dp-sniper", 0.6, [] {
         return view_of("", mechanisms::make_gaussian({3}, 2).any(), Rational(3), {numbers({0, 0, 0}, {1, -1, 1})});
       }});
  add_view(attacks,
           {"real-gaussian", "rho, sigma 2 on two numbers", "dp-sniper", 4.0, [] {
              return view_of("", mechanisms::make_real_gaussian({2}, 2).any(), Rational(2), {numbers({0, 0}, {1, 1})});
            }});
  add_view(attacks, {"real-gaussian", "mu, sigma 1", "dp-sniper", 2.0, [] {
                       return coordinates(view_of("", mechanisms::make_real_gaussian_gdp({}, 1).any(), Rational(1),
                                                  {numbers({0}, {1})}));
                     }});
  for (const char* delta : {"0", "0.1"}) {  // Laplace noise, and Gaussian
    add_view(attacks, {"best-noise", std::string("epsilon 1, delta ") + delta, "stat-dp", 3.0, [delta] {
                         return view_of("", mechanisms::make_best_noise({2}, kTwoCells, 1, Rational::parse(delta)),
                                        kTwoCells, {numbers({0, 0}, {1, 1}), numbers({3, 4}, {4, 3})});
                       }});
  }
}

// What people read: numbers in steps of 1/1024, a power of two, as doubles. The bits of sums in floating point show
// what was added (T-52); those of a multiple of the step do not.
AnyMeasurement as_doubles(const AnyMeasurement& measurement) {
  return post_process(measurement, "as-doubles", [](const Data& noisy) -> Data {
    Reals all;
    for (const Int128 x : as<Integers>(noisy)) all.push_back(static_cast<double>(x) / 1024);
    return all;
  });
}

void add_bits(Attacks& attacks) {
  const VectorDomain fine{1, Rational(1, 1024)};
  add_view(attacks, {"laplace", "as doubles", "dp-sniper-bits", 1.5, [fine] {
                       return view_of("", as_doubles(mechanisms::make_laplace(fine, 10 * 1024).any()), Rational(1024),
                                      {numbers({0}, {1024})});
                     }});
  add_view(attacks, {"real-gaussian", "as doubles", "dp-sniper-bits", 1.5, [fine] {
                       return view_of("", as_doubles(mechanisms::make_real_gaussian(fine, 10 * 1024).any()),
                                      Rational(1024 * 1024), {numbers({0}, {1024})});
                     }});
}

// The first number of the first piece and of the second, of a vector that is 0 elsewhere.
AnyMeasurement in_two_pieces() {
  constexpr std::size_t kSize = mechanisms::InPieces::kPiece + 1;
  const AnyMeasurement whole = mechanisms::make_discrete_laplace({kSize}, 2).any();
  const auto pieces = std::make_shared<const mechanisms::InPieces>(whole);
  const auto release = [pieces](const Data& two, random::Source&) -> Data {
    Integers exact(kSize, 0), noisy(kSize, 0);
    exact.front() = as<Integers>(two).at(0);
    exact.back() = as<Integers>(two).at(1);
    pieces->release(
        kSize, [&](std::size_t begin, std::size_t end) { return Integers(&exact[begin], &exact[0] + end); },
        [&](std::size_t begin, const Integers& some) { std::copy(some.begin(), some.end(), &noisy[begin]); });
    return Integers{noisy.front(), noisy.back()};
  };
  return AnyMeasurement({.recipe = {"two-pieces"},
                         .input = VectorDomain{2},
                         .from = whole.from(),
                         .measure = whole.measure(),
                         .loss = [whole](const Distance& d) { return whole.loss(d); },
                         .events = [whole](const Distance& d) { return whole.events(d); },
                         .function = release});
}

void add_pieces(Attacks& attacks) {
  add_view(attacks,
           {"in-pieces", "a number of either piece", "dp-sniper", 60.0, [] {
              return view_of("", in_two_pieces(), Rational(2), {numbers({0, 0}, {1, -1}), numbers({0, 0}, {1, 1})});
            }});
}

}  // namespace

void add_noise_attacks(Attacks& attacks) {
  add_laplace(attacks);
  add_finite(attacks);
  add_gaussian(attacks);
  add_bits(attacks);
  add_pieces(attacks);
}

}  // namespace dither::audit
