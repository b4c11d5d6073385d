#include "audit/run_value.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "audit/text_parts.h"
#include "base/error.h"

namespace dither::audit {

namespace {

// All as one word, how many cells, the first word, the first and the last number.
constexpr std::array<Reading, 5> kRest = {Reading::word, Reading::number, Reading::word, Reading::number,
                                          Reading::number};

// One NaN is like another: which bits it has is not what was said.
double one_nan(double number) { return std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number; }

std::string word_name(std::size_t place) { return fmt::format("word {}", place + 1); }

}  // namespace

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
    Place& place = places_[i];
    const std::string* word = std::get_if<std::string>(&value.cells[i]);
    (word == nullptr ? place.numbers : place.words) = true;
    if (word != nullptr && place.different.size() <= few_words_) place.different.insert(*word);
  }
}

std::vector<std::size_t> RunTable::texts() const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < places_.size() && places.size() < kMostTexts; ++i) {
    if (places_[i].words && places_[i].different.size() > few_words_) places.push_back(i);
  }
  return places;
}

std::size_t RunTable::parts() const { return texts().size() * kTextParts; }

Shape RunTable::shape() const {
  Shape shape = {Reading::word};
  for (const Place& place : places_) {
    if (place.numbers) shape.push_back(Reading::number);
    if (place.words) shape.push_back(Reading::word);
  }
  shape.insert(shape.end(), kRest.begin(), kRest.end());
  const Shape parts = text_parts_shape();
  for (std::size_t i = 0; i < texts().size(); ++i) shape.insert(shape.end(), parts.begin(), parts.end());
  return shape;
}

std::vector<std::string> RunTable::column_names() const {
  std::vector<std::string> names = {"the status"};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].numbers) names.push_back(fmt::format("number {}", i + 1));
    if (places_[i].words) names.push_back(word_name(i));
  }
  names.insert(names.end(), {"the rest", "the cells of the rest", "the first word of the rest",
                             "the first number of the rest", "the last number of the rest"});
  for (const std::size_t place : texts()) {
    for (std::string& name : text_part_names(word_name(place))) names.push_back(std::move(name));
  }
  return names;
}

bool RunTable::fits(const RunValue& value) const {
  if (value.cells.size() > places_.size()) return false;
  for (std::size_t i = 0; i < value.cells.size(); ++i) {
    if (!(std::holds_alternative<double>(value.cells[i]) ? places_[i].numbers : places_[i].words)) return false;
  }
  return true;
}

void RunTable::write_said(const RunValue& value, std::span<double> cells) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RunCell* said = i < value.cells.size() ? &value.cells[i] : nullptr;
    if (places_[i].numbers) {
      const double* number = said == nullptr ? nullptr : std::get_if<double>(said);
      if (number != nullptr) cells[at] = one_nan(*number);
      ++at;
    }
    if (places_[i].words) {
      const std::string* word = said == nullptr ? nullptr : std::get_if<std::string>(said);
      if (word != nullptr) cells[at] = words_.code(*word);
      ++at;
    }
  }
}

void RunTable::write_parts(const RunValue& value, std::span<const std::size_t> places, std::span<double> cells) {
  for (const std::size_t place : places) {
    const std::string* word = place < value.cells.size() ? std::get_if<std::string>(&value.cells[place]) : nullptr;
    if (word != nullptr) write_text_parts(*word, words_, cells.first(kTextParts));
    cells = cells.subspan(kTextParts);
  }
}

void RunTable::write_rest(const RunValue& value, std::span<double> cells) {
  std::string all = value.status;
  for (const RunCell& cell : value.cells) {
    const double* number = std::get_if<double>(&cell);
    const std::string* word = std::get_if<std::string>(&cell);
    all += number != nullptr ? fmt::format(", {}", *number) : fmt::format(", \"{}\"", *word);
    if (word != nullptr && is_absent(cells[2])) cells[2] = words_.code(*word);
    if (number != nullptr && is_absent(cells[3])) cells[3] = one_nan(*number);
    if (number != nullptr) cells[4] = one_nan(*number);
  }
  cells[0] = words_.code(all);
  cells[1] = static_cast<double>(value.cells.size());
}

Outputs RunTable::rows(const std::vector<RunValue>& values) {
  const std::size_t width = shape().size();
  const std::size_t rest = width - parts() - kRest.size();
  const std::vector<std::size_t> places = texts();
  Outputs outputs(width);
  std::span<double> cells = outputs.add(static_cast<std::int64_t>(values.size()));
  for (const RunValue& value : values) {
    const bool is_like_before = fits(value);
    cells[0] = words_.code(is_like_before ? value.status : "unlike before");
    write_said(value, cells.subspan(1));
    if (!is_like_before) write_rest(value, cells.subspan(rest, kRest.size()));
    write_parts(value, places, cells.subspan(rest + kRest.size(), places.size() * kTextParts));
    cells = cells.subspan(width);
  }
  return outputs;
}

}  // namespace dither::audit
