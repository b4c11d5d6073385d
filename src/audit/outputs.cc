#include "audit/outputs.h"

#include <algorithm>
#include <bit>

namespace dither::audit {

namespace {

constexpr std::uint64_t kAbsent = 0x7FF8'0000'0000'0D17;  // a quiet NaN that no arithmetic makes

}  // namespace

double absent() { return std::bit_cast<double>(kAbsent); }

bool is_absent(double cell) { return std::bit_cast<std::uint64_t>(cell) == kAbsent; }

std::span<double> Outputs::add(std::int64_t runs) {
  const std::size_t before = cells_.size();
  cells_.resize(before + static_cast<std::size_t>(runs) * width_, absent());
  return {cells_.data() + before, cells_.size() - before};
}

void Outputs::append(const Outputs& more) { cells_.insert(cells_.end(), more.cells_.begin(), more.cells_.end()); }

bool same(std::span<const double> a, std::span<const double> b) {
  const auto equal_bits = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal_bits);
}

}  // namespace dither::audit
