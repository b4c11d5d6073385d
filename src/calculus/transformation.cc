#include "calculus/transformation.h"

#include <cassert>

#include "calculus/detail/access.h"
#include "calculus/detail/fit.h"

namespace dither::calculus {

AnyTransformation::AnyTransformation(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {
  require_domain(parts_->input);
  require_domain(parts_->output);
}

bool AnyTransformation::check(const Distance& d_in, const Distance& d_out) const {
  require_distance(to(), d_out);
  return at_most(map(d_in), d_out);
}

Distance AnyTransformation::map(const Distance& d) const {
  require_distance(from(), d);
  if (d == zero(from())) return zero(to());
  return parts_->map(d);
}

Private AnyTransformation::operator()(const Private& data) const {
  require_shape(input(), *data.data_);
  assert(member(input(), *data.data_));
  return Private(parts_->function(*data.data_));
}

AnyTransformation chain(const AnyTransformation& first, const AnyTransformation& second) {
  detail::require_fit({first.recipe().name, first.to(), first.output()},
                      {second.recipe().name, second.from(), second.input()});
  return AnyTransformation({
      .recipe = detail::chained(first.recipe(), second.recipe()),
      .input = first.input(),
      .output = second.output(),
      .from = first.from(),
      .to = second.to(),
      .map = [first, second](const Distance& d) { return second.map(first.map(d)); },
      .function =
          [first, second](const Data& data) {
            return CombinatorAccess::parts(second).function(CombinatorAccess::parts(first).function(data));
          },
  });
}

}  // namespace dither::calculus
