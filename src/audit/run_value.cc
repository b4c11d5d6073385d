#include "audit/run_value.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace dither::audit {

void require_places(const RunValue& value) {
  if (value.cells.size() <= RunTable::kMostPlaces) return;
  throw Error{Code::too_long,
              fmt::format("an output has {} cells, more than {}", value.cells.size(), RunTable::kMostPlaces),
              "give each output as a few numbers: a test of so many needs more runs than anybody can make"};
}

void RunTable::see(const RunValue& value) {
  require_places(value);
  if (value.cells.size() > places_.size()) places_.resize(value.cells.size());
  for (std::size_t i = 0; i < value.cells.size(); ++i) {
    (std::holds_alternative<double>(value.cells[i]) ? places_[i].numbers : places_[i].words) = true;
  }
}

Shape RunTable::shape() const {
  Shape shape = {Reading::word};
  for (const Place& place : places_) {
    if (place.numbers) shape.push_back(Reading::number);
    if (place.words) shape.push_back(Reading::word);
  }
  return shape;
}

std::string RunTable::column_name(std::size_t column) const {
  if (column == 0) return "the status";
  std::size_t at = 1;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].numbers && at++ == column) return fmt::format("number {}", i + 1);
    if (places_[i].words && at++ == column) return fmt::format("word {}", i + 1);
  }
  return "";
}

bool RunTable::fits(const RunValue& value) const {
  if (value.cells.size() > places_.size()) return false;
  for (std::size_t i = 0; i < value.cells.size(); ++i) {
    if (!(std::holds_alternative<double>(value.cells[i]) ? places_[i].numbers : places_[i].words)) return false;
  }
  return true;
}

Outputs RunTable::rows(const std::vector<RunValue>& values) {
  const std::size_t width = shape().size();
  Outputs outputs(width);
  const std::span<double> cells = outputs.add(static_cast<std::int64_t>(values.size()));
  for (std::size_t run = 0; run < values.size(); ++run) {
    double* cell = cells.data() + run * width;
    *cell++ = words_.code(fits(values[run]) ? values[run].status : "unlike before");
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const RunCell* said = i < values[run].cells.size() ? &values[run].cells[i] : nullptr;
      if (places_[i].numbers) {
        const double* number = said == nullptr ? nullptr : std::get_if<double>(said);
        // One NaN is like another: which bits it has is not what was said.
        if (number != nullptr) *cell = std::isnan(*number) ? std::numeric_limits<double>::quiet_NaN() : *number;
        ++cell;
      }
      if (places_[i].words) {
        const std::string* word = said == nullptr ? nullptr : std::get_if<std::string>(said);
        if (word != nullptr) *cell = words_.code(*word);
        ++cell;
      }
    }
  }
  return outputs;
}

}  // namespace dither::audit
