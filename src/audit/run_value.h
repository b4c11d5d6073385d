// What one run of somebody else's mechanism said, and how it becomes a row of outputs.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "audit/outputs.h"
#include "audit/words.h"

namespace dither::audit {

// A number, or a word: text, true, false, null, and whatever else is no number.
using RunCell = std::variant<double, std::string>;

// How a run ended ("ok", "exit status 3", "not JSON"), and what it said. How a mechanism fails is part of what it says.
struct RunValue {
  std::string status = "ok";
  std::vector<RunCell> cells = {};
};

// The columns of all outputs, learnt from all that were seen: for every place a column of numbers, or of words, or both
// where a mechanism changes its mind; before them one of how runs ended. Then come the parts of the texts of the first
// kMostTexts places of words (text_parts.h), which are made from the columns before them.
//
// Later outputs that do not fit ended "unlike before": they have the columns of the rest, which are absent otherwise, with
// all they said as one word, how many cells there were, the first word, and the first and the last number.
//
// Promise    outputs that differ become rows that differ, but for accidents of 2^-53, so that no leak is lost; the code of
//            a word depends on the word alone (words.h).
// Refuses    outputs of more than kMostPlaces cells (too-long).
class RunTable {
 public:
  // A place that had no more different words than this has no parts: whole words tell as much where all runs of a search
  // were seen. Of programs only some were, so that all places of words have parts.
  explicit RunTable(std::size_t few_words = 0) : few_words_(few_words) {}

  void see(const RunValue& value);
  Shape shape() const;
  const Words& words() const { return words_; }   // what the codes stand for
  std::vector<std::string> column_names() const;  // "the status", "number 2", "word 1"
  std::size_t parts() const;                      // so many columns, the last ones, are parts of texts

  Outputs rows(const std::vector<RunValue>& values);

  static constexpr std::size_t kMostPlaces = 1000;
  static constexpr std::size_t kMostTexts = 8;

 private:
  struct Place {
    bool numbers = false, words = false;
    std::set<std::string> different = {};  // words, until they are no longer few
  };
  std::vector<std::size_t> texts() const;  // the places of words whose parts are looked at
  bool fits(const RunValue& value) const;
  void write_said(const RunValue& value, std::span<double> cells);
  void write_parts(const RunValue& value, std::span<const std::size_t> places, std::span<double> cells);
  void write_rest(const RunValue& value, std::span<double> cells);

  std::size_t few_words_;
  std::vector<Place> places_;
  Words words_;
};

// Refuses what see() refuses.
void require_places(const RunValue& value);

}  // namespace dither::audit
