#include "calculus/measurement.h"

#include <fmt/format.h>

#include <cassert>

#include "base/error.h"
#include "calculus/detail/access.h"
#include "calculus/detail/fit.h"
#include "calculus/detail/losses.h"
#include "calculus/local_bound.h"

namespace dither::calculus {

namespace {

[[noreturn]] void refuse_release(const Recipe& recipe, std::string_view why) {
  throw Error{Code::wrong_type, fmt::format("{} {}", recipe.name, why),
              "release from a LocalBound exactly when the measurement is made for one"};
}

// Overwrites the numbers when it goes, also when something is thrown.
struct Wiped {
  Data data = Integers();
  Integers& values = std::get<Integers>(data);
  Wiped() = default;
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;
  ~Wiped() { dither::detail::zeroise(values.data(), values.size() * sizeof(Int128)); }
};

}  // namespace

AnyMeasurement::AnyMeasurement(Parts parts) {
  require_domain(parts.input);
  if (parts.bounded) {
    parts.function = [recipe = parts.recipe](const Data&, random::Source&) -> Data {
      refuse_release(recipe, "takes its noise from a local bound, but was given none");
    };
  }
  parts_ = std::make_shared<const Parts>(std::move(parts));
}

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
  require_shape(input(), *data.data_);
  assert(member(input(), *data.data_));
  return {parts_->function(*data.data_, source), std::make_shared<const AnyMeasurement>(*this)};
}

Release<Data> AnyMeasurement::release(std::span<const Secret<Int128>> exact, random::Source& source) const {
  const SecretKey key;
  Wiped opened;
  opened.values.reserve(exact.size());
  for (const Secret<Int128>& value : exact) opened.values.push_back(value.open(key));
  require_shape(input(), opened.data);
  return {parts_->function(opened.data, source), std::make_shared<const AnyMeasurement>(*this)};
}

Release<Data> AnyMeasurement::release(const LocalBound& bound, random::Source& source) const {
  if (!parts_->bounded) refuse_release(recipe(), "takes no local bound, but was given one");
  detail::require_fit({"the local bound", bound.metric(), bound.domain()}, {recipe().name, from(), input()});
  if (bound.about() != parts_->bounded->about || bound.norm() != parts_->bounded->norm) {
    throw Error{Code::no_theorem,
                fmt::format("{} needs a bound on {} in {}, not on {} in {}", recipe().name, parts_->bounded->about.name,
                            metric_name(parts_->bounded->norm), bound.about().name, metric_name(bound.norm())),
                "bound the function that the measurement releases"};
  }
  const std::optional<Rational>& needed = parts_->bounded->smoothness;
  if (needed && (!bound.smoothness() || *bound.smoothness() > *needed)) {
    throw Error{Code::no_theorem,
                fmt::format("{} needs a bound of smoothness {} or less", recipe().name, needed->str()),
                "make the bound with smooth_bound and that smoothness"};
  }
  return {parts_->bounded->function(*bound.data_.data_, bound.bound_.open(SecretKey()), source),
          std::make_shared<const AnyMeasurement>(*this)};
}

std::optional<ErrorBar> AnyMeasurement::error(Int128 released) const {
  if (!parts_->error) return std::nullopt;
  return parts_->error(released);
}

AnyMeasurement chain(const AnyTransformation& first, const AnyMeasurement& second) {
  detail::require_plain(second);
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
