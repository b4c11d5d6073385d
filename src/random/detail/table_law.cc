#include "random/detail/table_law.h"

#include <algorithm>
#include <cmath>

namespace dither::random::detail {

TableLaw::TableLaw(std::vector<std::uint64_t> weights, const Precision& precision, Exact exact)
    : weights_(std::move(weights)),
      precision_(precision),
      table_(weights_, precision.table_bits),
      exact_(std::move(exact)) {}

void TableLaw::fill(std::span<std::uint64_t> out, Source& source) const {
  std::vector<std::size_t> again;  // the fallback draws from the same source, so it waits until the block is used
  const AliasTable::View table(table_);
  const std::uint64_t residual = table_.residual();
  const int unused_bits = 64 - precision_.table_bits;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, Source::kBlockBytes / 8);
    source.with_bytes(8 * count, [&](const std::uint8_t* bytes) {
      for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t x;
        std::memcpy(&x, bytes + 8 * i, 8);
        const std::uint64_t index = table.look_up(x >> unused_bits);
        out[done + i] = index;
        if (index == residual) [[unlikely]]
          again.push_back(done + i);
      }
    });
    done += count;
  }
  for (std::size_t i : again) out[i] = exact_ ? draw_left_over(source) : draw(source);
}

double TableLaw::left_over() const {
  return std::ldexp(static_cast<double>(table_.residual_weight()), -precision_.table_bits);
}

}  // namespace dither::random::detail
