#include "mechanisms/release.h"

#include "random/source.h"

namespace dither::mechanisms {

using calculus::AnyMeasurement;
using calculus::Data;
using calculus::Release;

Release<Data> release(const AnyMeasurement& measurement, const calculus::Private& data) {
  return measurement.release(data, random::Source::this_thread());
}

Release<Data> release(const AnyMeasurement& measurement, std::span<const Secret<Int128>> exact) {
  return measurement.release(exact, random::Source::this_thread());
}

}  // namespace dither::mechanisms
