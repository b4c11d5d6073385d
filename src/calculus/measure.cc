#include "calculus/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "accounting/group.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::calculus {

using accounting::ApproximateDp;
using accounting::ConcentratedDp;
using accounting::GaussianDp;
using accounting::OrderBound;
using accounting::ProfilePoint;
using accounting::RenyiTable;
using accounting::TradeoffCurve;

namespace {

// The loss as the alternative that the measure uses.
template <class T>
const T& in(const Loss& loss) {
  if (const T* found = std::get_if<T>(&loss)) return *found;
  throw Error{Code::mixed_metrics, fmt::format("the loss {} belongs to another measure", str(loss)),
              "compare and add losses of one measure; cast the measurement first"};
}

[[noreturn]] void no_group_rule(std::string_view measure) {
  throw Error{Code::no_theorem, fmt::format("no rule for inputs several steps apart is known for {}", measure),
              "state the measurement for that distance itself, or in a measure that has such a rule"};
}

void require_group(std::uint64_t k) {
  if (k == 0) throw Error{Code::bad_count, "a group of 0 steps", "give 1 or more"};
}

// Pure and approximate DP: epsilons and deltas add, a delta of 1 says nothing more.
Loss approximate_zero() { return ApproximateDp{0, 0}; }
bool approximate_at_most(const Loss& a, const Loss& b) {
  const auto &x = in<ApproximateDp>(a), &y = in<ApproximateDp>(b);
  return x.epsilon <= y.epsilon && x.delta <= y.delta;
}
Loss approximate_add(const Loss& a, const Loss& b) {
  const auto &x = in<ApproximateDp>(a), &y = in<ApproximateDp>(b);
  return ApproximateDp{x.epsilon + y.epsilon, std::min(Rational(1), x.delta + y.delta)};
}
Loss approximate_group(const Loss& one, std::uint64_t k) {
  const auto& x = in<ApproximateDp>(one);
  const Rational epsilon = accounting::group_epsilon(x.epsilon, k);
  if (x.delta.sign() == 0 || k == 1) return ApproximateDp{epsilon, x.delta};
  const double largest = x.epsilon.to_double_up();  // an epsilon beyond the doubles proves nothing with a delta
  if (!std::isfinite(largest)) return ApproximateDp{epsilon, 1};
  const double delta = accounting::group_delta_up(largest, x.delta.to_double_up(), k);
  return ApproximateDp{epsilon, Rational::from_double(delta)};
}

// Pure DP is what has no delta at all: a loss with one belongs to `approximate`.
const Loss& in_pure(const Loss& loss) {
  if (in<ApproximateDp>(loss).delta.sign() == 0) return loss;
  throw Error{Code::mixed_metrics, fmt::format("the loss {} is not pure: it has a delta", str(loss)),
              "cast the measurement to the measure \"approximate\" first"};
}
bool pure_at_most(const Loss& a, const Loss& b) { return approximate_at_most(in_pure(a), in_pure(b)); }
Loss pure_add(const Loss& a, const Loss& b) { return approximate_add(in_pure(a), in_pure(b)); }
Loss pure_group(const Loss& one, std::uint64_t k) { return approximate_group(in_pure(one), k); }

Loss concentrated_zero() { return ConcentratedDp{0, 0}; }
bool concentrated_at_most(const Loss& a, const Loss& b) {
  const auto &x = in<ConcentratedDp>(a), &y = in<ConcentratedDp>(b);
  return x.rho <= y.rho && x.delta <= y.delta;
}
Loss concentrated_add(const Loss& a, const Loss& b) {
  const auto &x = in<ConcentratedDp>(a), &y = in<ConcentratedDp>(b);
  return ConcentratedDp{x.rho + y.rho, std::min(Rational(1), x.delta + y.delta)};
}
Loss concentrated_group(const Loss& one, std::uint64_t k) {
  const auto& x = in<ConcentratedDp>(one);
  if (x.delta.sign() > 0 && k > 1) no_group_rule("approximate zCDP");
  return ConcentratedDp{accounting::group_rho(x.rho, k), x.delta};
}

// Divergence grows with the order: 0 at the largest order that a double can be is 0 everywhere.
Loss renyi_zero() { return RenyiTable{{{std::numeric_limits<double>::max(), 0}}}; }
// The least bound at this order or above; infinity where the table says nothing.
double divergence(const RenyiTable& table, double order) {
  double least = std::numeric_limits<double>::infinity();
  for (const OrderBound& bound : table.bounds) {
    if (bound.order >= order) least = std::min(least, bound.epsilon);
  }
  return least;
}
bool renyi_at_most(const Loss& a, const Loss& b) {
  const auto &x = in<RenyiTable>(a), &y = in<RenyiTable>(b);
  return x.delta <= y.delta && std::all_of(y.bounds.begin(), y.bounds.end(), [&](const OrderBound& bound) {
           return divergence(x, bound.order) <= bound.epsilon;
         });
}
Loss renyi_add(const Loss& a, const Loss& b) {
  const auto &x = in<RenyiTable>(a), &y = in<RenyiTable>(b);
  std::set<double> orders;
  for (const RenyiTable* table : {&x, &y}) {
    for (const OrderBound& bound : table->bounds) orders.insert(bound.order);
  }
  RenyiTable sum{{}, std::min(1.0, add_up(x.delta, y.delta))};
  for (const double order : orders) {
    const double both = add_up(divergence(x, order), divergence(y, order));
    if (std::isfinite(both)) sum.bounds.push_back({order, both});
  }
  if (sum.bounds.empty()) {
    throw Error{Code::no_theorem, "two Renyi curves have no order in common", "state both at the same orders"};
  }
  return sum;
}
Loss renyi_group(const Loss& one, std::uint64_t k) {
  require_group(k);
  if (k > 1) no_group_rule("Renyi DP");
  return one;
}

Loss gaussian_zero() { return GaussianDp{0}; }
bool gaussian_at_most(const Loss& a, const Loss& b) {
  return in<GaussianDp>(a).squared_mu <= in<GaussianDp>(b).squared_mu;
}
Loss gaussian_add(const Loss& a, const Loss& b) {
  return GaussianDp{in<GaussianDp>(a).squared_mu + in<GaussianDp>(b).squared_mu};
}
Loss gaussian_group(const Loss& one, std::uint64_t k) {
  return GaussianDp{accounting::group_squared_mu(in<GaussianDp>(one).squared_mu, k)};
}

// Lines below a trade-off function: each says (epsilon, delta)-DP. No line at all proves nothing; the zero is (0, 0).
constexpr std::size_t kMostLines = 1000;
[[noreturn]] void too_many_lines() {
  throw Error{Code::bad_count, fmt::format("a sum of trade-off curves has more than {} lines", kMostLines),
              "let an accountant compose the events instead"};
}
Loss tradeoff_zero() { return TradeoffCurve{{{0, 0}}}; }
bool tradeoff_at_most(const Loss& a, const Loss& b) {
  const auto& lines = in<TradeoffCurve>(a).lines;
  const auto& wanted = in<TradeoffCurve>(b).lines;
  return std::all_of(wanted.begin(), wanted.end(), [&](const ProfilePoint& line) {
    return std::any_of(lines.begin(), lines.end(), [&](const ProfilePoint& known) {
      return known.epsilon <= line.epsilon && known.delta <= line.delta;
    });
  });
}
Loss tradeoff_add(const Loss& a, const Loss& b) {
  const auto &left = in<TradeoffCurve>(a).lines, &right = in<TradeoffCurve>(b).lines;
  if (left.size() > kMostLines || right.size() > kMostLines) too_many_lines();
  std::vector<ProfilePoint> all;
  for (const ProfilePoint& x : left) {
    for (const ProfilePoint& y : right) {
      all.push_back({add_up(x.epsilon, y.epsilon), std::min(1.0, add_up(x.delta, y.delta))});
    }
  }
  // Keep the lines that are better than all with a smaller epsilon.
  std::sort(all.begin(), all.end(), [](const ProfilePoint& x, const ProfilePoint& y) {
    return std::tie(x.epsilon, x.delta) < std::tie(y.epsilon, y.delta);
  });
  TradeoffCurve sum;
  for (const ProfilePoint& line : all) {
    if (sum.lines.empty() || line.delta < sum.lines.back().delta) sum.lines.push_back(line);
  }
  if (sum.lines.size() > kMostLines) too_many_lines();
  return sum;
}
Loss tradeoff_group(const Loss& one, std::uint64_t k) {
  require_group(k);
  if (k == 1) return one;
  TradeoffCurve grouped;
  for (const ProfilePoint& line : in<TradeoffCurve>(one).lines) {
    const Rational epsilon = accounting::group_epsilon(Rational::from_double(line.epsilon), k);
    grouped.lines.push_back({epsilon.to_double_up(), accounting::group_delta_up(line.epsilon, line.delta, k)});
  }
  return grouped;
}

constexpr MeasureRules kPure = {"pure", approximate_zero, pure_at_most, pure_add, pure_group};
constexpr MeasureRules kApproximate = {"approximate", approximate_zero, approximate_at_most, approximate_add,
                                       approximate_group};
constexpr MeasureRules kConcentrated = {"concentrated", concentrated_zero, concentrated_at_most, concentrated_add,
                                        concentrated_group};
constexpr MeasureRules kRenyi = {"renyi", renyi_zero, renyi_at_most, renyi_add, renyi_group};
constexpr MeasureRules kGaussian = {"gaussian", gaussian_zero, gaussian_at_most, gaussian_add, gaussian_group};
constexpr MeasureRules kTradeoff = {"tradeoff", tradeoff_zero, tradeoff_at_most, tradeoff_add, tradeoff_group};
constexpr std::array kBuiltIn = {&kPure, &kApproximate, &kConcentrated, &kRenyi, &kGaussian, &kTradeoff};

}  // namespace

Measure Measure::pure() { return Measure(kPure); }
Measure Measure::approximate() { return Measure(kApproximate); }
Measure Measure::concentrated() { return Measure(kConcentrated); }
Measure Measure::renyi() { return Measure(kRenyi); }
Measure Measure::gaussian() { return Measure(kGaussian); }
Measure Measure::tradeoff() { return Measure(kTradeoff); }

Measure measure_from(std::string_view name) {
  std::string known;
  for (const MeasureRules* rules : kBuiltIn) {
    if (rules->name == name) return Measure(*rules);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", rules->name);
  }
  throw Error{Code::unknown_measure, fmt::format("there is no measure \"{}\"", name), "write one of: " + known};
}

double epsilon_up(const Loss& loss, double delta) {
  return std::visit(
      [&]<class T>(const T& one) -> double {
        if constexpr (std::is_same_v<T, OtherLoss>) {
          throw Error{Code::no_theorem, "a user's own measure says nothing about epsilon",
                      "ask for the loss in that measure"};
        } else {
          return accounting::epsilon_up(accounting::Curve(one), delta);
        }
      },
      loss);
}

namespace {

struct Words {
  std::string operator()(const ApproximateDp& loss) const {
    return loss.delta.sign() == 0 ? fmt::format("epsilon {}", loss.epsilon.str())
                                  : fmt::format("epsilon {}, delta {}", loss.epsilon.str(), loss.delta.str());
  }
  std::string operator()(const ConcentratedDp& loss) const {
    return loss.delta.sign() == 0 ? fmt::format("rho {}", loss.rho.str())
                                  : fmt::format("rho {}, delta {}", loss.rho.str(), loss.delta.str());
  }
  std::string operator()(const RenyiTable& loss) const {
    return fmt::format("a Renyi curve at {} orders", loss.bounds.size());
  }
  std::string operator()(const GaussianDp& loss) const { return fmt::format("mu squared {}", loss.squared_mu.str()); }
  std::string operator()(const TradeoffCurve& loss) const {
    return fmt::format("a trade-off curve of {} lines", loss.lines.size());
  }
  std::string operator()(const OtherLoss& loss) const { return fmt::format("amount {}", loss.amount.str()); }
};

}  // namespace

std::string str(const Loss& loss) { return std::visit(Words{}, loss); }

Loss pure(const Rational& epsilon) { return ApproximateDp{epsilon, 0}; }
Loss approximate(const Rational& epsilon, const Rational& delta) { return ApproximateDp{epsilon, delta}; }
Loss concentrated(const Rational& rho, const Rational& delta) { return ConcentratedDp{rho, delta}; }

}  // namespace dither::calculus
