#include "engine/exact_numbers.h"

#include "base/secret.h"

namespace dither::engine {
namespace {

template <class T>
void wipe(std::vector<T>& values) {
  dither::detail::zeroise(values.data(), values.size() * sizeof(T));
}

void wipe(ExactNumbers::Content& content) {
  for (std::vector<Cell>& key : content.keys) {
    for (Cell& cell : key) {
      if (auto* text = std::get_if<std::string>(&cell)) dither::detail::zeroise(text->data(), text->size());
      cell = Cell{};
    }
  }
  wipe(content.units);
  for (std::vector<Int128>& numbers : content.numbers) wipe(numbers);
  for (auto& by_key : content.histograms) {
    for (std::vector<ExactNumbers::Bin>& bins : by_key) wipe(bins);
  }
}

}  // namespace

ExactNumbers& ExactNumbers::operator=(ExactNumbers&& other) noexcept {
  std::swap(content_, other.content_);
  return *this;
}

ExactNumbers::~ExactNumbers() {
  if (content_) wipe(*content_);
}

}  // namespace dither::engine
