// The door: private data goes in, releases come out.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "calculus/data.h"

namespace dither::calculus {

class AnyMeasurement;
class AnyTransformation;

// Data that may not be seen. It can be transformed and measured, and nothing else: there is no way to look inside, to
// print, compare or copy it out. Copies share the data.
class Private {
 public:
  explicit Private(Data data) : data_(std::make_shared<const Data>(std::move(data))) {}

 private:
  friend class AnyMeasurement;
  friend class AnyTransformation;
  friend struct CombinatorAccess;  // in calculus/detail: interactive measurements hold private data
  std::shared_ptr<const Data> data_;
};

// A value that was paid for, with what made it: the only thing that leaves (W-02). Only a measurement makes one;
// whatever is computed from it is again one, at no cost (F-23).
template <class T>
class Release {
 public:
  const T& value() const { return value_; }

  // How it was made; loss(d) of it is the certificate, for every distance d of the input.
  const AnyMeasurement& made_by() const { return *made_by_; }

  // Post-processing: f sees the released value alone.
  template <class F>
  auto then(F&& f) const {
    using U = std::decay_t<std::invoke_result_t<F, const T&>>;
    return Release<U>(std::forward<F>(f)(value_), made_by_);
  }

 private:
  friend class AnyMeasurement;
  template <class U>
  friend class Release;
  Release(T value, std::shared_ptr<const AnyMeasurement> made_by)
      : value_(std::move(value)), made_by_(std::move(made_by)) {}

  T value_;
  std::shared_ptr<const AnyMeasurement> made_by_;
};

}  // namespace dither::calculus
