#include "base/canonical.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace dither {

namespace {

struct Spelling {
  std::string operator()(std::monostate) const { return "n"; }
  std::string operator()(bool value) const { return value ? "b1" : "b0"; }
  std::string operator()(std::int64_t value) const { return 'i' + std::to_string(value); }
  std::string operator()(double value) const {
    const double one = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value == 0 ? 0.0 : value;
    return fmt::format("r{:016x}", std::bit_cast<std::uint64_t>(one));
  }
  std::string operator()(const std::string& value) const { return 't' + value; }
};

}  // namespace

std::string canonical(const Cell& cell) { return std::visit(Spelling{}, cell); }

std::string canonical(std::span<const Cell> cells) {
  if (cells.size() == 1) return canonical(cells[0]);
  std::string result = "l";
  for (const Cell& cell : cells) {
    const std::string one = canonical(cell);
    result += fmt::format("{}:{}", one.size(), one);
  }
  return result;
}

}  // namespace dither
