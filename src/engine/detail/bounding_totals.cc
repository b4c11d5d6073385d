#include "engine/detail/bounding_totals.h"

#include <algorithm>
#include <cstring>

namespace dither::engine::detail {

Totals::~Totals() { ::explicit_bzero(numbers_.data(), numbers_.size() * sizeof(Int128)); }

void Totals::add(const Totals& other) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
}

KeyDigests::KeyDigests(const CodedKeys& books, bool needed) : books_(books), digests_(books.codes()) {
  for (std::uint32_t code = 0; needed && code < digests_.size(); ++code) {
    if (books.exists(code)) digests_[code] = books_.digest(code);
  }
}

bool KeyDigests::differ() const {
  std::vector<std::uint64_t> sorted = digests_;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

std::string KeyDigests::bytes(std::uint32_t code) const { return canonical(books_.key(code)); }

namespace {

// The codes that are answered, in their order.
std::vector<std::uint32_t> answered(const plan::BoundedAggregate& aggregate, const CodedKeys& books,
                                    const Totals& totals) {
  if (aggregate.keys == 0) return {0};
  if (aggregate.public_keys) return {books.public_codes().begin(), books.public_codes().end()};
  std::vector<std::uint32_t> codes;
  std::vector<std::pair<std::string, std::uint32_t>> kept;
  for (std::uint32_t code = 0; code < books.codes(); ++code) {
    if (*totals.of(code) <= 0) continue;
    if (books.ascend())
      codes.push_back(code);
    else
      kept.emplace_back(canonical(books.key(code)), code);
  }
  std::sort(kept.begin(), kept.end());
  for (const auto& [bytes, code] : kept) codes.push_back(code);
  return codes;
}

}  // namespace

ExactNumbers::Content bounding_content(const plan::BoundedAggregate& aggregate, const CodedKeys& books,
                                       const Totals& totals, const std::shared_ptr<const CodedKeys>& sorted) {
  const std::vector<std::uint32_t> codes = answered(aggregate, books, totals);
  const std::size_t measures = aggregate.measures.size();
  ExactNumbers::Content content;
  content.numbers.resize(measures);
  content.histograms.resize(measures);
  if (aggregate.public_keys && aggregate.keys > 0) {
    content.keys = *aggregate.public_keys;
  } else if (sorted) {
    content.read_key = [sorted, codes](std::size_t at) { return sorted->key(codes[at]); };
  } else {
    for (const std::uint32_t code : codes) content.keys.push_back(books.key(code));
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Int128* numbers = totals.of(codes[i]);
    content.units.push_back(numbers[0]);
    for (std::size_t m = 0; m < measures; ++m) content.numbers[m].push_back(numbers[1 + m]);
  }
  return content;
}

}  // namespace dither::engine::detail
