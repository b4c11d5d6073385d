#include "calculus/measurement.h"

#include <cassert>

#include "calculus/detail/access.h"
#include "calculus/detail/fit.h"

namespace dither::calculus {

Loss AnyMeasurement::loss(const Distance& d) const {
  require_distance(from(), d);
  if (d == zero(from())) return measure().zero();
  return parts_->loss(d);
}

std::vector<accounting::Event> AnyMeasurement::events(const Distance& d) const {
  require_distance(from(), d);
  if (d == zero(from())) return {};
  return parts_->events(d);
}

Release<Data> AnyMeasurement::release(const Private& data, random::Source& source) const {
  assert(member(input(), *data.data_));
  return {parts_->function(*data.data_, source), std::make_shared<const AnyMeasurement>(*this)};
}

Release<Data> AnyMeasurement::release(std::span<const Secret<Int128>> exact, random::Source& source) const {
  const SecretKey key;
  Data opened = Integers();
  Integers& values = std::get<Integers>(opened);
  values.reserve(exact.size());
  for (const Secret<Int128>& value : exact) values.push_back(value.open(key));
  Data released = parts_->function(opened, source);
  dither::detail::zeroise(values.data(), values.size() * sizeof(Int128));
  return {std::move(released), std::make_shared<const AnyMeasurement>(*this)};
}

std::optional<ErrorBar> AnyMeasurement::error(Int128 released) const {
  if (!parts_->error) return std::nullopt;
  return parts_->error(released);
}

AnyMeasurement chain(const AnyTransformation& first, const AnyMeasurement& second) {
  detail::require_fit({first.recipe().name, first.to(), first.output()},
                      {second.recipe().name, second.from(), second.input()});
  return AnyMeasurement({
      .recipe = detail::chained(first.recipe(), second.recipe()),
      .input = first.input(),
      .from = first.from(),
      .measure = second.measure(),
      .loss = [first, second](const Distance& d) { return second.loss(first.map(d)); },
      .events = [first, second](const Distance& d) { return second.events(first.map(d)); },
      .function =
          [first, second](const Data& data, random::Source& source) {
            return CombinatorAccess::parts(second).function(CombinatorAccess::parts(first).function(data), source);
          },
      .error = CombinatorAccess::parts(second).error,
  });
}

}  // namespace dither::calculus
