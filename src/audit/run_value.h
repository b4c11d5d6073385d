// What one run of somebody else's mechanism said, and how it becomes a row of outputs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "audit/outputs.h"

namespace dither::audit {

// A number, or a word: text, true, false, null, and whatever else is no number.
using RunCell = std::variant<double, std::string>;

// How a run ended ("ok", "exit status 3", "not JSON"), and what it said. How a mechanism fails is part of what it says.
struct RunValue {
  std::string status = "ok";
  std::vector<RunCell> cells = {};
};

// The columns of all outputs, learnt from all that were seen: for every place a column of numbers, or of words, or both
// where a mechanism changes its mind; before them one of how runs ended. Later outputs that do not fit into them ended
// "unlike before".
//
// Promise    outputs that differ become rows that differ, so that no leak is lost; the code of a word says nothing about
//            where it came from.
// Refuses    outputs of more than kMostPlaces cells and more than kMostWords words (too-long).
class RunTable {
 public:
  void see(const RunValue& value);
  Shape shape() const;
  // What the codes stand for; complete when all rows are made.
  const std::vector<std::string>& words() const { return words_; }
  std::string column_name(std::size_t column) const;  // "number 2", "word 1", "status"

  Outputs rows(const std::vector<RunValue>& values);

  static constexpr std::size_t kMostPlaces = 1000;
  static constexpr std::size_t kMostWords = 1'000'000;

 private:
  struct Place {
    bool numbers = false, words = false;
  };
  double code(const std::string& word);
  bool fits(const RunValue& value) const;

  std::vector<Place> places_;
  std::map<std::string, double> codes_;
  std::vector<std::string> words_;
};

}  // namespace dither::audit
