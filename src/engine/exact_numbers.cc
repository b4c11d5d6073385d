#include "engine/exact_numbers.h"

#include "base/secret.h"

namespace dither::engine {
namespace {

template <class T>
void wipe(std::vector<T>& values) {
  dither::detail::zeroise(values.data(), values.size() * sizeof(T));
}

void wipe(std::vector<Cell>& key) {
  for (Cell& cell : key) {
    if (auto* text = std::get_if<std::string>(&cell)) dither::detail::zeroise(text->data(), text->size());
    cell = Cell{};
  }
}

void wipe(ExactNumbers::Content& content) {
  for (std::vector<Cell>& key : content.keys) wipe(key);
  wipe(content.units);
  for (std::vector<Int128>& numbers : content.numbers) wipe(numbers);
  for (auto& by_key : content.histograms) {
    for (std::vector<ExactNumbers::Bin>& bins : by_key) wipe(bins);
  }
}

// A row that leaves nothing behind.
struct WipedRow : ExactNumbers::Row {
  WipedRow() = default;
  WipedRow(const WipedRow&) = delete;
  WipedRow& operator=(const WipedRow&) = delete;
  ~WipedRow() {
    wipe(key);
    wipe(numbers);
    dither::detail::zeroise(&units, sizeof units);
  }
};

}  // namespace

void ExactNumbers::Content::each(const std::function<void(const Row&)>& use) const {
  WipedRow row;
  if (open) {
    for (const std::unique_ptr<Rows> rows = open(); rows->next(row);) use(row);
    return;
  }
  row.numbers.resize(numbers.size());
  for (std::size_t i = 0; i < size(); ++i) {
    row.key = keys[i];
    row.units = units[i];
    for (std::size_t m = 0; m < numbers.size(); ++m) row.numbers[m] = numbers[m].empty() ? 0 : numbers[m][i];
    use(row);
  }
}

ExactNumbers& ExactNumbers::operator=(ExactNumbers&& other) noexcept {
  std::swap(content_, other.content_);
  return *this;
}

ExactNumbers::~ExactNumbers() {
  if (content_) wipe(*content_);
}

}  // namespace dither::engine
