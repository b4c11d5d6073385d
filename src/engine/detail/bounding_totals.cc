#include "engine/detail/bounding_totals.h"

#include <algorithm>
#include <cstring>

namespace dither::engine::detail {

Totals::~Totals() { ::explicit_bzero(numbers_.data(), numbers_.size() * sizeof(Int128)); }

void Totals::add(const Totals& other) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
}

// Of a key its digest and totals, and in each thread its place; totals of each thread have a limit of their own.
bool codes_fit(std::size_t measures, std::size_t codes, unsigned threads, std::uint64_t memory) {
  const std::uint64_t of_a_key = Totals::bytes(1, measures) + sizeof(std::uint64_t) + threads * sizeof(std::uint32_t);
  return codes <= memory / 16 / of_a_key;
}

bool all_kept(const plan::BoundedAggregate& aggregate, std::size_t codes) {
  return aggregate.keys == 0 || aggregate.keys_per_unit >= codes;
}

bool needs_digests(const plan::BoundedAggregate& aggregate, std::size_t codes) {
  return !all_kept(aggregate, codes) || (aggregate.rows_per_unit && aggregate.keys > 0);
}

KeyDigests::KeyDigests(const CodedKeys& books, bool needed)
    : books_(books), digests_(needed ? books.digests() : std::vector<std::uint64_t>(books.codes())) {}

void KeyDigests::renumber(std::span<std::uint32_t> codes, std::span<const std::uint64_t> digests) {
  order_.resize(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) order_[i] = std::uint64_t{codes[i]} << 32 | i;
  std::sort(order_.begin(), order_.end());
  originals_.clear();
  digests_.clear();
  for (const std::uint64_t one : order_) {
    const auto code = static_cast<std::uint32_t>(one >> 32);
    const auto item = static_cast<std::uint32_t>(one);
    if (originals_.empty() || originals_.back() != code) {
      originals_.push_back(code);
      digests_.push_back(digests.empty() ? 0 : digests[item]);
    }
    codes[item] = static_cast<std::uint32_t>(originals_.size() - 1);
  }
}

bool KeyDigests::differ() const {
  std::vector<std::uint64_t> sorted = digests_;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

std::string KeyDigests::bytes(std::uint32_t code) const { return canonical(books_.key(original(code))); }

namespace {

// The codes that are answered, in their order.
std::vector<std::uint32_t> answered(const plan::BoundedAggregate& aggregate, const CodedKeys& books,
                                    const Totals& totals) {
  if (aggregate.keys == 0) return {0};
  if (aggregate.public_keys) return {books.public_codes().begin(), books.public_codes().end()};
  std::vector<std::pair<std::string, std::uint32_t>> kept;
  for (std::uint32_t code = 0; code < books.codes(); ++code) {
    if (*totals.of(code) > 0) kept.emplace_back(canonical(books.key(code)), code);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<std::uint32_t> codes;
  for (const auto& [bytes, code] : kept) codes.push_back(code);
  return codes;
}

}  // namespace

ExactNumbers::Content bounding_content(const plan::BoundedAggregate& aggregate, const CodedKeys& books,
                                       const Totals& totals) {
  const std::vector<std::uint32_t> codes = answered(aggregate, books, totals);
  const std::size_t measures = aggregate.measures.size();
  ExactNumbers::Content content;
  content.numbers.resize(measures);
  content.histograms.resize(measures);
  if (aggregate.public_keys && aggregate.keys > 0) {
    content.keys = *aggregate.public_keys;
  } else {
    for (const std::uint32_t code : codes) content.keys.push_back(books.key(code));
  }
  for (const std::uint32_t code : codes) {
    const Int128* numbers = totals.of(code);
    content.units.push_back(numbers[0]);
    for (std::size_t m = 0; m < measures; ++m) content.numbers[m].push_back(numbers[1 + m]);
  }
  return content;
}

}  // namespace dither::engine::detail
