#include "mechanisms/detail/events.h"

namespace dither::mechanisms::detail {

using accounting::Event;
using calculus::Distance;

namespace {

// `times` of one number's event; nothing when no number can move by a whole step.
template <class M>
std::vector<Event> one_by_one(const M& mechanism, const EachMoves& each) {
  if (each.largest == 0 || each.cells == 0) return {};
  return {{{}, mechanism, each.cells}};
}

Rational total(const EachMoves& each) { return Rational(static_cast<Int128>(each.cells)) * Rational(each.largest); }

}  // namespace

std::vector<Event> discrete_laplace_events(const Rational& scale, const Reach& reach, const Distance& d) {
  const Rational l1 = reach.l1(d);
  const auto each = reach.each(d);
  if (each && total(*each) <= l1) return one_by_one(accounting::DiscreteLaplace{scale, each->largest}, *each);
  return {{{}, accounting::BlackBox{l1 / scale}}};
}

std::vector<Event> laplace_events(const Rational& scale, const Reach& reach, const Distance& d) {
  const Rational l1 = reach.l1(d);
  const auto each = reach.each(d);
  if (each && total(*each) <= l1) return one_by_one(accounting::Laplace{scale, each->largest}, *each);
  return {{{}, accounting::BlackBox{l1 / scale}}};
}

std::vector<Event> discrete_gaussian_events(const Rational& sigma, const Reach& reach, const Distance& d) {
  const Rational square = reach.l2_squared(d);
  const auto each = reach.each(d);
  const bool computed = sigma <= Rational(1'000'000'000'000'000L);  // beyond, the law of the loss is not
  if (computed && each && total(*each) * Rational(each->largest) <= square) {
    return one_by_one(accounting::DiscreteGaussian{sigma, each->largest}, *each);
  }
  return {{{}, accounting::Zcdp{square / (2 * sigma * sigma)}}};
}

std::vector<Event> gaussian_events(const Rational& sigma, const Reach& reach, const Distance& d) {
  const Rational square = reach.l2_squared(d);
  if (square.sign() == 0) return {};
  return {{{}, accounting::Gaussian{sigma, root_up(square)}}};
}

}  // namespace dither::mechanisms::detail
