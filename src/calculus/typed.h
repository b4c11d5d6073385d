// The same transformations and measurements with metric and measure as types: what does not fit does not compile.
//
//   Transformation<Symmetric, L1> count = ...;     Measurement<L1, Pure> noise = ...;
//   Measurement<Symmetric, Pure> private_count = chain(count, noise);
//
// These are views: each holds the run-time value and nothing else, and `any()` gives it back.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "calculus/measurement.h"

namespace dither::calculus {

// A distance in the sense of M. One cannot be made from another's.
template <class M>
struct In {
  Rational value;
  explicit In(const Rational& distance) : value(distance) {}
  Distance any() const { return value; }
  auto operator<=>(const In&) const = default;
};

// Metrics. L2 distances are squares; a distance of Cells is four numbers.
struct Symmetric {
  static constexpr MetricKind kind = MetricKind::symmetric;
  using Distance = In<Symmetric>;
};
struct ChangeOne {
  static constexpr MetricKind kind = MetricKind::change_one;
  using Distance = In<ChangeOne>;
};
struct InsertDelete {
  static constexpr MetricKind kind = MetricKind::insert_delete;
  using Distance = In<InsertDelete>;
};
struct Hamming {
  static constexpr MetricKind kind = MetricKind::hamming;
  using Distance = In<Hamming>;
};
struct Discrete {
  static constexpr MetricKind kind = MetricKind::discrete;
  using Distance = In<Discrete>;
};
struct UnitsAdded {
  static constexpr MetricKind kind = MetricKind::units_added;
  using Distance = In<UnitsAdded>;
};
struct UnitsReplaced {
  static constexpr MetricKind kind = MetricKind::units_replaced;
  using Distance = In<UnitsReplaced>;
};
struct UnitsChanged {
  static constexpr MetricKind kind = MetricKind::units_changed;
  using Distance = In<UnitsChanged>;
};
struct L1 {
  static constexpr MetricKind kind = MetricKind::l1;
  using Distance = In<L1>;
};
struct L2 {
  static constexpr MetricKind kind = MetricKind::l2;
  struct Distance : In<L2> {
    static Distance of(const Rational& length) { return Distance(length * length); }
    static Distance of_square(const Rational& square) { return Distance(square); }
    const Rational& squared() const { return value; }

   private:
    explicit Distance(const Rational& square) : In<L2>(square) {}
  };
};
struct Linf {
  static constexpr MetricKind kind = MetricKind::linf;
  using Distance = In<Linf>;
};
struct Cells {
  static constexpr MetricKind kind = MetricKind::cells;
  struct Distance {
    CellsDistance value;
    calculus::Distance any() const { return value; }
  };
};

// Measures.
struct Pure {
  static Measure measure() { return Measure::pure(); }
};
struct Approximate {
  static Measure measure() { return Measure::approximate(); }
};
struct Zcdp {
  static Measure measure() { return Measure::concentrated(); }
};
struct Renyi {
  static Measure measure() { return Measure::renyi(); }
};
struct Gdp {
  static Measure measure() { return Measure::gaussian(); }
};

namespace detail {
// The check behind every view: what the run-time value says must be what the type says.
template <class M>
void require_metric(const Metric& metric) {
  if (metric == Metric{M::kind}) return;
  throw Error{Code::mixed_metrics,
              fmt::format("distances here are in {}, not in {}", metric_name(metric), metric_name({M::kind})),
              "view it by its own metric"};
}
}  // namespace detail

template <class From, class To>
class Transformation {
 public:
  explicit Transformation(AnyTransformation any) : any_(std::move(any)) {
    detail::require_metric<From>(any_.from());
    detail::require_metric<To>(any_.to());
  }
  const AnyTransformation& any() const { return any_; }
  Distance map(const typename From::Distance& d) const { return any_.map(d.any()); }
  Private operator()(const Private& data) const { return any_(data); }

 private:
  AnyTransformation any_;
};

template <class From, class M>
class Measurement {
 public:
  explicit Measurement(AnyMeasurement any) : any_(std::move(any)) {
    detail::require_metric<From>(any_.from());
    if (any_.measure() == M::measure()) return;
    throw Error{Code::mixed_metrics,
                fmt::format("losses here are in {}, not in {}", any_.measure().name(), M::measure().name()),
                "view it by its own measure, or cast it"};
  }
  const AnyMeasurement& any() const { return any_; }
  Loss loss(const typename From::Distance& d) const { return any_.loss(d.any()); }
  Release<Data> release(const Private& data, random::Source& source) const { return any_.release(data, source); }

 private:
  AnyMeasurement any_;
};

template <class A, class B, class C>
Transformation<A, C> chain(const Transformation<A, B>& first, const Transformation<B, C>& second) {
  return Transformation<A, C>(chain(first.any(), second.any()));
}
template <class A, class B, class M>
Measurement<A, M> chain(const Transformation<A, B>& first, const Measurement<B, M>& second) {
  return Measurement<A, M>(chain(first.any(), second.any()));
}
template <class First, class Second, class Third, class... Rest>
auto chain(const First& first, const Second& second, const Third& third, const Rest&... rest) {
  return chain(chain(first, second), third, rest...);
}

}  // namespace dither::calculus
