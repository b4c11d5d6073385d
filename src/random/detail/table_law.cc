#include "random/detail/table_law.h"

#include <algorithm>
#include <cmath>

namespace dither::random::detail {

template <typename Word>
BasicTableLaw<Word>::BasicTableLaw(std::vector<Word> weights, const Precision& precision, Exact exact)
    : weights_(std::move(weights)),
      precision_(precision),
      table_(weights_, precision.table_bits),
      exact_(std::move(exact)) {}

template <typename Word>
void BasicTableLaw<Word>::fill(std::span<std::uint64_t> out, Source& source) const {
  std::vector<std::size_t> again;  // the fallback draws from the same source, so it waits until the block is used
  const typename BasicAliasTable<Word>::View table(table_);
  const std::uint64_t residual = table_.residual();
  const int high = high_bits(), low = low_bits();
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t count = std::min(out.size() - done, Source::kBlockBytes / sizeof(Word));
    source.with_bytes(sizeof(Word) * count, [&](const std::uint8_t* bytes) {
      for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t words[sizeof(Word) / 8];
        std::memcpy(words, bytes + sizeof(Word) * i, sizeof(Word));
        Word x = words[0] >> (64 - high);
        if constexpr (kWide) x = x << low | words[1] >> (64 - low);
        const std::uint64_t index = table.look_up(x);
        out[done + i] = index;
        if (index == residual) [[unlikely]]
          again.push_back(done + i);
      }
    });
    done += count;
  }
  for (std::size_t i : again) out[i] = exact_ ? draw_left_over(source) : draw(source);
}

template <typename Word>
double BasicTableLaw<Word>::fallback_probability() const {
  return !exact_ ? 0 : std::ldexp(static_cast<double>(table_.residual_weight()), -precision_.table_bits);
}

template class BasicTableLaw<std::uint64_t>;
template class BasicTableLaw<UInt128>;

}  // namespace dither::random::detail
