#include "accounting/selection.h"

#include <fmt/format.h>

#include <algorithm>

#include "accounting/detail/atoms.h"
#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "accounting/native_atoms.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {

Step bounded_range_pair(const Rational& range, std::size_t cells) {
  detail::require_epsilon(range);
  if (cells < 2 || cells > 1'000'000) {
    throw Error{Code::bad_count, fmt::format("{} cells, but there must be 2 to 10^6", cells), "use about a thousand"};
  }
  if (range == 0) return {no_loss(), no_loss(), 1};
  const auto exact = [](const Rational& x) { return BigInterval(x, detail::kBits); };
  const Rational width = 2 * range / Rational(static_cast<long>(cells));
  // Masses c e^(z/2), and half of that at both ends, sum to 1: with r = e^(width/2) and n cells,
  // c e^(range/2) (1 - r^-n)(1 + 1/r) / (2 (1 - 1/r)) = 1. Counted from the top, where masses are largest.
  const BigInterval step = exp(exact(-width / 2));
  const BigInterval top = exact(2) * (-expm1(exact(-width / 2))) / (-expm1(exact(-range)) * (exact(1) + step));
  std::vector<LossAtom> atoms;
  BigInterval mass = top;
  for (std::size_t k = 0; k <= cells; ++k) {
    const bool end = k == 0 || k == cells;
    const Rational loss = range - width * Rational(static_cast<long>(k));
    atoms.push_back({detail::rounded(exact(loss)), detail::rounded(end ? mass * exact(Rational(1, 2)) : mass)});
    mass = mass * step;
  }
  return {detail::atom_loss(std::move(atoms), 0), no_loss(), 1};
}

Rational bounded_range_rho(const Rational& range) {
  detail::require_epsilon(range);
  return range * range / 8;
}

// The two-point law with losses t and t - range has moment
//   [e^((a-1) t) (1 - e^(-a range)) - e^(a t) (e^-range - e^(-a range))] / (1 - e^-range),
// largest at e^t = (a - 1)/a e^range (1 - e^(-a range)) / (1 - e^(-(a-1) range)), where it is
//   e^((a-1) t) (1 - e^(-a range)) / (a (1 - e^-range)).
double bounded_range_rdp(const Rational& range, double order) {
  detail::require_epsilon(range);
  detail::require_order(order);
  if (range == 0) return 0;
  const double eta = range.to_double_up();
  const double eta_down = range.to_double_down();
  const double less = sub_up(order, 1);
  const double less_down = sub_down(order, 1);
  const double loss_of_all = log1mexp_up(-mul_up(order, eta));
  const double t = add_up(add_up(eta, log_up(div_up(less, order))),
                          sub_up(loss_of_all, log1mexp_down(-mul_down(less_down, eta_down))));
  const double moment =
      sub_up(sub_up(add_up(mul_up(less, std::max(t, 0.0)), loss_of_all), log_down(order)), log1mexp_down(-eta_down));
  const double exact = div_up(std::max(moment, 0.0), less_down);
  const double simple = (Rational::from_double(order) * bounded_range_rho(range)).to_double_up();
  return std::min({exact, simple, eta});
}

Step pure_selection_pair(const Rational& epsilon) { return {lazy_response(epsilon, 1), no_loss(), 1}; }

}  // namespace dither::accounting
