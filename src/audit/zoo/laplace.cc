// Laplace and its relatives on counts and histograms, as published audits tried them (T-51).
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "audit/zoo/make.h"
#include "random/geometric.h"

namespace dither::audit::zoo {

namespace {

constexpr double kMost = 5;  // people that a truncated count may be about

// One count, epsilon 1/10: where every tester must find 1/10 and no more.
Target laplace() {
  const Laplace noise(10);
  return target("zoo.laplace", Promise::pure({1, 10}), numbers(1),
                [noise](auto input, auto row, auto& source) { row[0] = input[0] + noise.draw(source); }, {{{0}, {1}}});
}

// Balcer and Vadhan's sampler for computers without real numbers: ratio 2^k / (2^k + 1) between neighbouring answers, cut
// off at 0 and n. It is ln(1 + 2^-k)-private. With k = ceil(ln(2 / epsilon)), base e where base two is meant, k is 3.
Target truncated_geometric(bool right) {
  const random::Geometric half(Rational(1, right ? 17 : 9));  // k = 4 or 3; two of them make the two-sided law
  return target(twin_name("truncated-geometric", right), Promise::pure({1, 10}), numbers(1),
                [half](auto input, auto row, auto& source) {
                  const double noise = static_cast<double>(half.draw(source)) - static_cast<double>(half.draw(source));
                  row[0] = std::clamp(input[0] + noise, 0.0, kMost);
                },
                {{{2}, {3}}});
}

Channel truncated_geometric_channel(bool right) {
  const Rational ratio = Rational(1) + Rational(1, right ? 16 : 8);
  const auto law = [&](int own) {
    Law made;
    for (int answer = 0; answer <= kMost; ++answer) {
      const bool end = answer == 0 || answer == kMost;  // what lies beyond is there
      made[{static_cast<double>(answer)}] =
          (end ? ratio : ratio - 1) / (ratio + 1) / pow(ratio, static_cast<unsigned>(std::abs(answer - own)));
    }
    return made;
  };
  return written_out(truncated_geometric(right), {law(2), law(3)});
}

// Five cells of a histogram, one record added. The planted one has scale epsilon instead of 1 / epsilon.
Target histogram(bool right) {
  const Laplace noise(right ? Rational(10) : Rational(1, 10));
  return target(right ? "zoo.noisy-hist-1" : "zoo.noisy-hist-2", Promise::pure({1, 10}), numbers(5),
                [noise](auto input, auto row, auto& source) {
                  for (std::size_t i = 0; i < row.size(); ++i) row[i] = input[i] + noise.draw(source);
                },
                {{{1, 1, 1, 1, 1}, {2, 1, 1, 1, 1}}});
}

}  // namespace

void add_laplace(std::vector<Entry>& to) {
  to.push_back(
      {"zoo.laplace", "a count with Laplace noise", laplace, false, "", 0.1, {}, "", {"T-51"}, 100'000, 1'000'000});
  plant<truncated_geometric, truncated_geometric_channel>(to,
                                                          {"truncated-geometric",
                                                           "k from a natural logarithm where base two is meant",
                                                           "k from the binary logarithm",
                                                           std::log(1.125),
                                                           {"T-51"},
                                                           all_but({"kernel"}),
                                                           "",
                                                           200'000,
                                                           4'000'000},
                                                          std::log(17.0 / 16));
  to.push_back({"zoo.noisy-hist-1",
                "scale 1 / epsilon in every cell",
                [] { return histogram(true); },
                false,
                "zoo.noisy-hist-2",
                0.1,
                {},
                "",
                {"T-51"},
                100'000,
                1'000'000});
  to.push_back({"zoo.noisy-hist-2",
                "scale epsilon instead of 1 / epsilon",
                [] { return histogram(false); },
                true,
                "zoo.noisy-hist-1",
                10,
                all_but({}),
                "stat-dp",
                {"T-51", "W-69"}});
}

}  // namespace dither::audit::zoo
