#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dither {

namespace {

// Levenshtein's distance, one row of the table at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, changed}));
    }
  }
  return row.back();
}

constexpr std::size_t kLongest = 60;

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  typed = typed.substr(0, kLongest);
  return *std::min_element(names.begin(), names.end(), [typed](const std::string& a, const std::string& b) {
    return distance(typed, a) < distance(typed, b);
  });
}

}  // namespace dither
