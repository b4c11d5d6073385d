// Mechanisms as Python holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "calculus/makers.h"
#include "calculus/measurement.h"
#include "mechanisms/release_in_pieces.h"

namespace dither::python {

const calculus::Makers& all_makers();

// What a first step stands behind.
struct Input {
  calculus::Domain domain;
  calculus::Metric metric;
};

// What a release is made of: whole numbers of a step, or several such answers.
struct Outcome {
  Rational step = 1;
  bool reals = false;  // the input was reals, so the answer is
  std::vector<Outcome> parts = {};
};
Outcome outcome_of(const calculus::Recipe& recipe, const Input& input);

// k steps as a double: k p / q for a step p / q, right to the last bit while k p is below 2^53.
class ToReal {
 public:
  explicit ToReal(const Rational& step) {
    Rational top = step;
    mpz_set_ui(mpq_denref(top.get()), 1);
    top_ = top.to_double_down();
    bottom_ = (top / step).to_double_down();
  }
  double operator()(Int128 steps) const {
    const auto small = static_cast<std::int64_t>(steps);
    return (small == steps ? static_cast<double>(small) : static_cast<double>(steps)) * top_ / bottom_;
  }

 private:
  double top_, bottom_;
};

struct CountFirst;

// A measurement and what its releases look like. Copies share everything.
struct Mechanism {
  explicit Mechanism(calculus::AnyMeasurement measurement)
      : whole(std::move(measurement)), outcome(outcome_of(whole.recipe(), {whole.input(), whole.from()})) {}

  calculus::AnyMeasurement whole;
  Outcome outcome;
  // Ways to be quick with arrays, made when first asked for, under the interpreter's lock.
  std::shared_ptr<const mechanisms::InPieces> pieces = {};
  std::shared_ptr<const CountFirst> count_first = {};
};

// Cells and tables from Python: None, bool, int, float and str; columns are arrays or lists. In private data what is
// none of these, or what a column's type does not hold, is NULL: no value makes a release fail. What people declare is
// cell_from's, which refuses (wrong-type).
Cell any_cell(const nanobind::handle& value);
Cell cell_from(const nanobind::handle& value);
std::vector<Cell> cells_from(const nanobind::handle& values);
calculus::Table table_from(const calculus::TableDomain& domain, const nanobind::list& columns);

// A released value: arrays of 64-bit integers, or of doubles on the grid; (keys, array) by key; lists of several.
nanobind::object to_python(const calculus::Data& data, const Outcome& outcome);

// Exact numbers of texts; bad-number.
std::vector<Rational> parsed(const std::vector<std::string>& texts);

void add_mechanism_forms(nanobind::module_& core);
void add_mechanism_releases(nanobind::module_& core);

}  // namespace dither::python
