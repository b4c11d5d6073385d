#include "audit/detail/frequent.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace dither::audit::detail {

namespace {

struct Counted {
  std::size_t times;
  std::uint64_t lot;
  double value;
};

std::uint64_t lot_of(double value) {
  std::uint64_t x = std::bit_cast<std::uint64_t>(value) + 0xB7E1'5162'8AED'2A6A;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  return x ^ (x >> 29);
}

}  // namespace

std::vector<double> most_frequent(std::vector<double> values, std::size_t most) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double x) { return std::isnan(x); }), values.end());
  std::sort(values.begin(), values.end());
  std::vector<Counted> all;
  for (auto from = values.begin(); from != values.end();) {
    const auto to = std::upper_bound(from, values.end(), *from);
    all.push_back({static_cast<std::size_t>(to - from), lot_of(*from), *from});
    from = to;
  }
  if (all.size() > most) {
    std::sort(all.begin(), all.end(), [](const Counted& a, const Counted& b) {
      return a.times != b.times ? a.times > b.times : a.lot < b.lot;
    });
    all.resize(most);
    while (!all.empty() && all.back().times < 2) all.pop_back();
  }
  std::vector<double> chosen;
  for (const Counted& one : all) chosen.push_back(one.value);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace dither::audit::detail
