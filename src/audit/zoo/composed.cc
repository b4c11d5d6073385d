// Several mechanisms in one output (T-51).
#include "audit/zoo/sparse_vector.h"

namespace dither::audit::zoo {

namespace {

constexpr std::size_t kQueries = 10;

// The same count twenty times at epsilon 1/200: 1/10 in all, in twenty dimensions.
Target laplace_many() {
  const Laplace noise(200);
  return target("zoo.laplace-20", Promise::pure({1, 10}), numbers(20),
                [noise](auto input, auto row, auto& source) {
                  for (double& cell : row) cell = input[0] + noise.draw(source);
                },
                {{{0}, {1}}});
}

// The third and the fourth form of the sparse vector technique side by side, charged once; or two right ones, each charged.
Target parallel(bool right) {
  const Mechanism first = sparse_vector({20, right ? 40 : 20, 1, 1, !right});
  const Mechanism second = sparse_vector({right ? 20 : 40, right ? Rational(40) : Rational(40, 3)});
  return target(twin_name("svt-34-parallel", right), Promise::pure(Rational(right ? 2 : 1, 10)), numbers(2 * kQueries),
                [=](auto input, auto row, auto& source) {
                  first(input, row.first(kQueries), source);
                  second(input, row.subspan(kQueries), source);
                },
                {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}}});
}

// Running totals of noisy answers. One person may move all ten by 1, which costs 10 times 1/10; claimed as if one moved.
Target prefix_sum(bool right) {
  const Laplace noise(10);
  return target(twin_name("prefix-sum", right), Promise::pure(right ? Rational(1) : Rational(1, 10)), numbers(kQueries),
                [noise](auto input, auto row, auto& source) {
                  double total = 0;
                  for (std::size_t i = 0; i < row.size(); ++i) row[i] = total += input[i] + noise.draw(source);
                },
                {{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}});
}

}  // namespace

void add_composed(std::vector<Entry>& to) {
  to.push_back({"zoo.laplace-20",
                "twenty noisy copies of a count, a twentieth each",
                laplace_many,
                false,
                "",
                0.1,
                {},
                "",
                {"T-51"},
                100'000,
                1'000'000});
  plant<parallel>(to, {"svt-34-parallel",
                       "the third and fourth sparse vector together",
                       "two right ones together",
                       kInfinite,
                       {"T-51"},
                       {"stat-dp"},
                       "dp-sniper",
                       2'000'000,
                       16'000'000});
  plant<prefix_sum>(to, {"prefix-sum",
                         "ten answers that one person moves, charged as one",
                         "charged ten times",
                         1.0,
                         {"T-51"},
                         all_but({"dp-sniper-bits", "kernel"}),
                         "dp-sniper",
                         50'000,
                         200'000});
}

}  // namespace dither::audit::zoo
