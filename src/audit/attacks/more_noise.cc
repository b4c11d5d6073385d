// Other laws of noise, noise that several parties add, and samples of rows.
#include "audit/attacks/views.h"
#include "calculus/counting.h"
#include "mechanisms/binomial.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/distributed.h"
#include "mechanisms/k_norm.h"
#include "mechanisms/poisson_rows.h"
#include "mechanisms/skellam.h"
#include "mechanisms/staircase.h"
#include "random/pmf.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers

namespace {

void add_parties(Attacks& attacks) {
  const mechanisms::Parties parties{3, 1};
  const std::vector<DataPair> pairs = {numbers({0, 0, 0}, {1, 0, 0}), numbers({5, -2, 1}, {5, -2, 2})};
  add_view(attacks, {"distributed-binomial", "three parties, one colluding", "stat-dp", 1.5, [parties, pairs] {
                       return view_of("", mechanisms::make_distributed_binomial({3}, parties, 40, Rational(1, 2)).any(),
                                      Rational(1), pairs);
                     }});
  add_view(attacks, {"distributed-skellam", "three parties, one colluding", "stat-dp", 1.5, [parties, pairs] {
                       return view_of("", mechanisms::make_distributed_skellam({3}, parties, 8, Rational(1, 2)).any(),
                                      Rational(1), pairs);
                     }});
  add_view(attacks,
           {"distributed-laplace", "three parties, none colluding", "stat-dp", 2.0, [pairs] {
              return view_of("", mechanisms::make_distributed_laplace({3}, {3, 0}, 1).any(), Rational(1), pairs);
            }});
}

// 0 to 8, and every number that noise can make of them.
FiniteMechanism binomial(std::uint64_t trials, const Rational& epsilon) {
  constexpr long kBits = 128;
  constexpr long kMost = 8;
  const auto most = kMost + static_cast<long>(trials);
  Channel::Names inputs, outputs;
  for (long k = 0; k <= most; ++k) outputs.push_back(std::to_string(k - static_cast<long>(trials / 2)));
  std::vector<std::vector<Interval>> rows;
  for (long x = 0; x <= kMost; ++x) {
    inputs.push_back(std::to_string(x));
    std::vector<Interval>& row = rows.emplace_back();
    for (long k = 0; k <= most; ++k) {
      const BigInterval exact = random::binomial_pmf(trials, Rational(1, 2), k - x, kBits);
      row.emplace_back(exact.low_double(), exact.high_double());
    }
  }
  const Adjacency one_apart = Adjacency::consecutive(rows.size());
  return {Channel(inputs, outputs, rows, one_apart),
          Promise::approximate(epsilon, mechanisms::binomial_delta(trials, epsilon, 1))};
}

}  // namespace

void add_more_noise_attacks(Attacks& attacks) {
  add_view(attacks, {"binomial", "40 trials", "stat-dp", 0.6, [] {
                       return view_of("", mechanisms::make_binomial({1}, 40, Rational(1, 2)).any(), Rational(1),
                                      {numbers({0}, {1})});
                     }});
  for (const char* epsilon : {"1/2", "0", "2"}) {
    add_exact(attacks, "binomial", std::string("40 trials, epsilon ") + epsilon,
              [epsilon] { return binomial(40, Rational::parse(epsilon)); });
  }
  add_view(attacks, {"skellam", "variance 8", "stat-dp", 0.6, [] {
                       return view_of("", mechanisms::make_skellam({1}, 8, Rational(1, 2)).any(), Rational(1),
                                      {numbers({0}, {1})});
                     }});
  add_view(attacks, {"staircase", "sensitivity 4, first stair 2", "stat-dp", 1.0, [] {
                       return view_of("", mechanisms::make_staircase({1}, {1, 4, 2}).any(), Rational(4),
                                      {numbers({0}, {4}), numbers({0}, {1}), numbers({0}, {3})});
                     }});
  add_view(attacks, {"k-norm", "prefix sums of three", "dp-sniper", 60.0, [] {
                       const mechanisms::IntegerMatrix prefixes = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
                       return view_of("", mechanisms::make_k_norm({3}, prefixes, 1).any(), Rational(1),
                                      {numbers({0, 0, 0}, {1, 0, 0}), numbers({2, 2, 2}, {2, 2, 3})});
                     }});
  add_parties(attacks);
  add_view(attacks, {"sampled", "a count of half the rows", "stat-dp", 1.5, [] {
                       const TableDomain rows{{{"x", CellType::integer}}};
                       const auto count = chain(make_count(rows, {MetricKind::symmetric}),
                                                mechanisms::make_discrete_laplace({1}, Rational(1, 2)).any());
                       const auto one = std::int64_t{1};
                       return view_of("", mechanisms::make_sampled(count, Rational(1, 2)), Rational(1),
                                      {{"no row", "one row", Table{}, Table{{one}}},
                                       {"two rows", "three rows", Table{{one}, {one}}, Table{{one}, {one}, {one}}}});
                     }});
}

}  // namespace dither::audit
