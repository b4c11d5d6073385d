#include "testing/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "calculus/detail/access.h"
#include "calculus/detail/cells.h"
#include "testing/calculus_access.h"
#include "testing/members.h"
#include "testing/seed.h"

namespace dither::testing {

using namespace calculus;  // NOLINT: a judge speaks the language of the court

namespace {

std::string show(const Table& table) {
  std::string text = "{";
  for (const Row& row : table) text += fmt::format("({})", fmt::join(calculus::detail::spelled(row), " "));
  return text + "}";
}

std::string show(const Data& data) {
  if (const auto* one = std::get_if<Table>(&data)) return show(*one);
  std::string text;
  if (const auto* several = std::get_if<Tables>(&data)) {
    for (const Table& one : *several) text += show(one);
  } else if (const auto* whole = std::get_if<Integers>(&data)) {
    for (const Int128 x : *whole) text += to_string(x) + " ";
  } else if (const auto* reals = std::get_if<Reals>(&data)) {
    for (const double x : *reals) text += fmt::format("{} ", x);
  } else if (const auto* keyed = std::get_if<Keyed>(&data)) {
    for (std::size_t i = 0; i < keyed->keys.size(); ++i)
      text += keyed->keys[i] + "=" + to_string(keyed->values[i]) + " ";
  }
  return "[" + text + "]";
}

// One number, or the four of cells.
std::vector<Rational> numbers(const Distance& distance) {
  if (const auto* one = std::get_if<Rational>(&distance)) return {*one};
  const CellsDistance& four = cells_of(distance);
  return {four.cells, four.l1, four.l2_squared, four.largest};
}

// Keeps the largest ratio of each number.
struct Ratios {
  std::vector<Rational> largest;

  void add(const Distance& truth, const Distance& claim) {
    const std::vector<Rational> x = numbers(truth), y = numbers(claim);
    largest.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Rational ratio = y[i].sign() > 0 ? x[i] / y[i] : Rational(x[i].sign() > 0 ? 2 : 1);
      largest[i] = std::max(largest[i], ratio);
    }
  }
  bool all_one() const {
    return !largest.empty() && std::all_of(largest.begin(), largest.end(), [](const Rational& r) { return r >= 1; });
  }
};

struct Judge {
  const AnyTransformation& step;
  StabilityReport report = {};
  Ratios all = {}, at_one = {};

  void broken(std::string_view promise, const Data& x, const Data& y) {
    if (report.counterexample) return;
    report.counterexample = fmt::format("{} from {}: {}: {} and {}", canonical_json(step.recipe()),
                                        metric_name(step.from()), promise, show(x), show(y));
  }

  void judge(const Data& x, const Data& y) {
    const std::optional<Distance> d = distance(step.from(), x, y);
    if (!d) return;
    try {
      const Data u = apply(step, x), v = apply(step, y);
      for (const Data* out : {&u, &v}) {
        if (!member(step.output(), *out)) broken("gives what is outside its output domain, " + show(*out), x, y);
      }
      const Distance claim = step.map(*d);
      const std::optional<Distance> truth = distance(step.to(), u, v);
      if (!truth) {
        broken("no number of steps leads from one output to the other", x, y);
        return;
      }
      if (!at_most(*truth, claim)) {
        broken(fmt::format("inputs at {} moved to {}, map says {}", str(*d), str(*truth), str(claim)), x, y);
      }
      if (*d == zero(step.from())) return;
      ++report.pairs;
      all.add(*truth, claim);
      if (*d == one_step(step.from())) at_one.add(*truth, claim);
    } catch (const std::exception& error) {
      broken(fmt::format("throws: {}", error.what()), x, y);
    }
  }
};

AnyTransformation::Parts parts_of(const AnyTransformation& step) { return CombinatorAccess::parts(step); }

}  // namespace

int stability_pairs() { return std::getenv("DITHER_NIGHTLY") != nullptr ? 100'000 : 1500; }

StabilityReport check_stability(const AnyTransformation& step, std::uint64_t seed, int pairs) {
  Members members(step.input(), step.from(), seed);
  Judge judge{step};
  for (int i = 0; i < pairs && judge.report.holds(); ++i) {
    const Data x = members.member();
    if (!member(step.input(), x)) continue;  // too few rows fit a declared size
    if (i % 4 == 0) judge.judge(x, members.same(x));
    const Data y = members.neighbour(x, 1 + i % 3);
    if (member(step.input(), y)) judge.judge(x, y);
  }
  for (const Rational& ratio : judge.all.largest) {
    judge.report.largest_ratio = std::max(judge.report.largest_ratio, ratio);
  }
  judge.report.tight = judge.all.all_one();
  judge.report.tight_at_one = judge.at_one.all_one();
  return judge.report;
}

bool is_caught(const AnyTransformation& planted) { return !check_stability(planted, run_seed()).holds(); }

AnyTransformation with_map(const AnyTransformation& step, AnyTransformation::Map map) {
  return with_metric(step, step.to(), std::move(map));
}

AnyTransformation with_metric(const AnyTransformation& step, const Metric& to, AnyTransformation::Map map) {
  AnyTransformation::Parts parts = parts_of(step);
  parts.to = to;
  parts.map = std::move(map);
  return AnyTransformation(std::move(parts));
}

AnyTransformation with_function(const AnyTransformation& step, AnyTransformation::Function function) {
  AnyTransformation::Parts parts = parts_of(step);
  parts.function = std::move(function);
  return AnyTransformation(std::move(parts));
}

}  // namespace dither::testing
