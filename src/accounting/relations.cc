#include "accounting/relations.h"

#include <fmt/format.h>

#include "accounting/group.h"
#include "base/error.h"

namespace dither::accounting {

namespace {

enum class Way { unchanged, two_steps };

Way way(Neighbours from, Neighbours to, NullRecord null_record) {
  if (from == to || from == Neighbours::both) return Way::unchanged;
  if (from == Neighbours::add_remove) return Way::two_steps;
  if (null_record == NullRecord::allowed) return Way::unchanged;
  throw Error{Code::no_theorem,
              fmt::format("a guarantee for replace-one says nothing about {}: it needs a record that stands for nobody",
                          neighbours_name(to)),
              "allow a null record, or give the guarantee for add-remove"};
}

}  // namespace

ApproximateDp with_neighbours(const ApproximateDp& guarantee, Neighbours from, Neighbours to, NullRecord null_record) {
  if (way(from, to, null_record) == Way::unchanged) return guarantee;
  const double delta = group_delta_up(guarantee.epsilon.to_double_up(), guarantee.delta.to_double_up(), 2);
  return {group_epsilon(guarantee.epsilon, 2), Rational::from_double(delta)};
}

ConcentratedDp with_neighbours(const ConcentratedDp& guarantee, Neighbours from, Neighbours to,
                               NullRecord null_record) {
  if (way(from, to, null_record) == Way::unchanged) return guarantee;
  if (guarantee.delta.sign() == 0) return {group_rho(guarantee.rho, 2), 0};
  throw Error{Code::no_theorem, "delta-approximate zCDP from add-remove to another relation: no theorem is known here",
              "convert to (epsilon, delta) first"};
}

}  // namespace dither::accounting
