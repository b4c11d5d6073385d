#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dither {

namespace {

using Row = std::vector<std::size_t>;

// Levenshtein's distance with swaps of neighbours, three rows of the table at a time. No letter takes part in two swaps.
std::size_t distance(std::string_view a, std::string_view b) {
  Row before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = above[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({row[j] + 1, above[j + 1] + 1, changed});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(above, row);
  }
  return above.back();
}

std::string without_capitals(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

constexpr std::size_t kLongest = 60;

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  typed = typed.substr(0, kLongest);
  return *std::min_element(names.begin(), names.end(), [typed](const std::string& a, const std::string& b) {
    return distance(typed, a) < distance(typed, b);
  });
}

std::optional<std::string> near_enough(std::string_view typed, const std::vector<std::string>& names) {
  const std::string wanted = without_capitals(typed.substr(0, kLongest));
  const std::size_t most = std::max<std::size_t>(2, wanted.size() / 3);
  std::optional<std::string> best;
  std::size_t fewest = most + 1;
  for (const std::string& name : names) {
    const std::size_t mistakes = distance(wanted, without_capitals(name));
    if (mistakes >= fewest || mistakes == std::max(wanted.size(), name.size())) continue;
    best = name;
    fewest = mistakes;
  }
  return best;
}

}  // namespace dither
