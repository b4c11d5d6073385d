#include "audit/stability.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/members.h"
#include "base/canonical.h"
#include "calculus/measurement.h"
#include "random/source.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: a judge speaks the language of the court

namespace {

std::string show(const Table& table) {
  std::string text = "{";
  for (const Row& row : table) {
    text += "(";
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : " ") + canonical(row[i]);
    text += ")";
  }
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

// The step, followed by a measurement that hides nothing. It can show no more than the data made up here.
AnyMeasurement in_the_clear(const AnyTransformation& step) {
  static constexpr MeasureRules kNothingHidden = {
      .name = "nothing hidden",
      .zero = [] { return Loss(OtherLoss{0}); },
      .at_most = [](const Loss& a,
                    const Loss& b) { return std::get<OtherLoss>(a).amount <= std::get<OtherLoss>(b).amount; },
      .add =
          [](const Loss& a, const Loss& b) {
            return Loss(OtherLoss{std::get<OtherLoss>(a).amount + std::get<OtherLoss>(b).amount});
          },
      .group = [](const Loss& one, std::uint64_t) { return one; },
  };
  return chain(step, AnyMeasurement({
                         .recipe = {"in-the-clear"},
                         .input = step.output(),
                         .from = step.to(),
                         .measure = Measure(kNothingHidden),
                         .loss = [](const Distance&) { return Loss(OtherLoss{1}); },
                         .events = [](const Distance&) { return std::vector<accounting::Event>(); },
                         .function = [](const Data& data, random::Source&) { return data; },
                     }));
}

class Judge {
 public:
  explicit Judge(const AnyTransformation& step) : step_(step), shown_(in_the_clear(step)) {}

  // Which promise the pair breaks, if any. Counts its ratio when there is one.
  std::optional<std::string> complaint(const Data& x, const Data& y) {
    const std::optional<Distance> d = distance(step_.from(), x, y);
    if (!d) return std::nullopt;
    try {
      const Data u = apply(x), v = apply(y);
      for (const Data* out : {&u, &v}) {
        if (!member(step_.output(), *out)) return "gives what is outside its output domain, " + show(*out);
      }
      const std::optional<Distance> truth = distance(step_.to(), u, v);
      if (!truth) return "no number of steps leads from one output to the other";
      const Distance claim = step_.map(*d);
      if (*d != zero(step_.from())) count(*d, *truth, claim);
      if (at_most(*truth, claim)) return std::nullopt;
      return fmt::format("inputs at {} moved to {}, map says {}", str(*d), str(*truth), str(claim));
    } catch (const std::exception& error) {
      return fmt::format("throws: {}", error.what());
    }
  }

  void judge(const Data& x, const Data& y) {
    if (!complaint(x, y)) return;
    Judge other(step_);  // pairs met while shrinking are not counted
    const auto shows = [&](const BreakingPair& pair) {
      return member(step_.input(), pair.first) && member(step_.input(), pair.second) &&
             other.complaint(pair.first, pair.second).has_value();
    };
    report_.smallest = shrink({x, y}, shows);
    report_.complaint = other.complaint(report_.smallest->first, report_.smallest->second).value_or("");
    report_.first = show(report_.smallest->first);
    report_.second = show(report_.smallest->second);
    report_.counterexample = fmt::format("{} from {}: {}: {} and {}", canonical_json(step_.recipe()),
                                         metric_name(step_.from()), report_.complaint, report_.first, report_.second);
  }

  bool holds() const { return report_.holds(); }

  StabilityReport report() && {
    for (const Rational& ratio : all_.largest) report_.largest_ratio = std::max(report_.largest_ratio, ratio);
    report_.tight = all_.all_one();
    report_.tight_at_one = at_one_.all_one();
    return std::move(report_);
  }

 private:
  Data apply(const Data& x) const { return shown_.release(Private(x), random::Source::this_thread()).value(); }

  void count(const Distance& d, const Distance& truth, const Distance& claim) {
    ++report_.pairs;
    all_.add(truth, claim);
    if (d == one_step(step_.from())) at_one_.add(truth, claim);
  }

  const AnyTransformation& step_;
  AnyMeasurement shown_;
  StabilityReport report_ = {};
  Ratios all_ = {}, at_one_ = {};
};

}  // namespace

StabilityReport check_stability(const AnyTransformation& step, std::uint64_t seed, int pairs,
                                const CancelToken& cancel) {
  Members members(step.input(), step.from(), seed);
  Judge judge(step);
  for (int i = 0; i < pairs && judge.holds(); ++i) {
    cancel.check();
    const Data x = members.member();
    if (!member(step.input(), x)) continue;  // too few rows fit a declared size
    if (i % 4 == 0) judge.judge(x, members.same(x));
    if (!judge.holds()) break;
    const Data y = members.neighbour(x, 1 + i % 3);
    if (member(step.input(), y)) judge.judge(x, y);
  }
  return std::move(judge).report();
}

}  // namespace dither::audit
