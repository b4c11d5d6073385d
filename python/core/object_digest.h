// The digest of a column of Python objects: of what they are, whatever the column is declared to be.
#pragma once

#include <nanobind/nanobind.h>

#include "engine/column_digest.h"

namespace dither::python {

class ObjectDigest {
 public:
  // content_value(object) is asked for objects that are neither None, text nor a float. It gives None, a text, a float or
  // a boolean; (high, low, scale) for the number (high * 2^64 + low) / 10^scale; (microseconds,) for a moment.
  explicit ObjectDigest(nanobind::object content_value) : content_value_(std::move(content_value)) {}

  // An object that has no value, whatever it raises, is NULL.
  void add(nanobind::handle object);

  Digest digest() const { return digest_.digest(); }

 private:
  // Whether it is of these: otherwise nothing was added.
  bool add_common(nanobind::handle object);
  void add_tuple(nanobind::handle tuple);

  nanobind::object content_value_;
  engine::ColumnDigest digest_;
};

}  // namespace dither::python
