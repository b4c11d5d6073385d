#include "engine/detail/bounding_codes.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/bounding_hash.h"

namespace dither::engine::detail {

namespace {

constexpr std::size_t kMostCodes = std::size_t{1} << 30;  // what records hold
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = text.size() * kOdd;
  const char* at = text.data();
  std::size_t left = text.size();
  const auto take = [&](std::uint64_t word) { hash = std::rotl((hash ^ word) * kOdd, 29); };
  for (; left >= 8; at += 8, left -= 8) take(word_of({at, 8}));
  if (left > 0) {
    std::uint64_t rest = 0;
    std::memcpy(&rest, at, left);
    take(rest);
  }
  return (hash ^ (hash >> 31)) * kOdd;
}

}  // namespace

std::string_view word_bytes(const std::uint64_t& word) { return {reinterpret_cast<const char*>(&word), sizeof word}; }

std::uint64_t word_of(std::string_view bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

std::uint64_t real_word(double value) {
  const double one = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value == 0 ? 0.0 : value;
  return std::bit_cast<std::uint64_t>(one);
}

CodeBook::Entry CodeBook::find_or_add(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  const auto at = codes_.find(bytes);
  if (at != codes_.end()) return {at->second, at->first};
  if (bytes_.size() >= kMostCodes) throw std::bad_alloc();
  if (budget_ != nullptr) budget_->take(bytes.size());
  const std::string& stored = bytes_.emplace_back(bytes);
  codes_.emplace(stored, static_cast<std::uint32_t>(bytes_.size()));
  return {static_cast<std::uint32_t>(bytes_.size()), stored};
}

KeyBooks::KeyBooks(const plan::BoundedAggregate& aggregate)
    : columns_(aggregate.keys), combined_(aggregate.keys < 2 ? 0 : aggregate.keys - 1) {
  for (std::size_t i = 0; i < aggregate.keys; ++i) types_.push_back(aggregate.rows->columns()[i].type);
  if (!aggregate.public_keys) return;
  for (const auto& key : *aggregate.public_keys) public_codes_.push_back(code(key));
}

void KeyBooks::limit(BookBudget& budget) {
  for (CodeBook& book : columns_) book.limit(budget);
  for (CodeBook& book : combined_) book.limit(budget);
}

std::vector<std::uint64_t> CodedKeys::digests() const {
  std::vector<std::uint64_t> digests(codes());
  for (std::uint32_t code = 0; code < digests.size(); ++code) {
    if (exists(code)) digests[code] = bytes_digest(canonical(key(code)));
  }
  return digests;
}

std::uint32_t KeyBooks::code(const std::vector<Cell>& key) {
  const auto of_cell = [&](std::size_t i) -> std::uint32_t {
    const Cell& cell = key[i];
    if (cell.index() == 0) return 0;
    if (const auto* text = std::get_if<std::string>(&cell)) return columns_[i].find_or_add(*text).code;
    std::uint64_t word = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) word = static_cast<std::uint64_t>(*whole);
    if (const auto* real = std::get_if<double>(&cell)) word = real_word(*real);
    if (const auto* truth = std::get_if<bool>(&cell)) word = *truth ? 1 : 0;
    return columns_[i].find_or_add(word_bytes(word)).code;
  };
  if (key.empty()) return 0;
  std::uint32_t code = of_cell(0);
  for (std::size_t i = 1; i < key.size(); ++i) {
    code = combined_[i - 1].find_or_add(word_bytes(std::uint64_t{code} << 32 | of_cell(i))).code;
  }
  return code;
}

std::size_t KeyBooks::codes() const {
  if (types_.empty()) return 1;
  return 1 + (combined_.empty() ? columns_[0].size() : combined_.back().size());
}

Cell KeyBooks::cell(std::size_t column, std::uint32_t code) const {
  if (code == 0) return {};
  const std::string& bytes = columns_[column].bytes(code);
  switch (types_[column]) {
    case plan::Type::text:
      return bytes;
    case plan::Type::real:
      return std::bit_cast<double>(word_of(bytes));
    case plan::Type::boolean:
      return word_of(bytes) != 0;
    default:
      return static_cast<std::int64_t>(word_of(bytes));
  }
}

std::vector<Cell> KeyBooks::key(std::uint32_t code) const {
  std::vector<Cell> cells(types_.size());
  for (std::size_t i = types_.size(); i > 1; --i) {
    const std::uint64_t pair = word_of(combined_[i - 2].bytes(code));
    cells[i - 1] = cell(i - 1, static_cast<std::uint32_t>(pair));
    code = static_cast<std::uint32_t>(pair >> 32);
  }
  if (!cells.empty()) cells[0] = cell(0, code);
  return cells;
}

WordCodes::WordCodes(CodeBook& book) : book_(book), table_(64) {}

void WordCodes::expect(std::uint64_t first, std::size_t count) {
  first_ = first;
  direct_.assign(count, 0);
}

std::uint32_t WordCodes::code(std::uint64_t word) {
  const std::uint64_t at = word - first_;
  if (at >= direct_.size()) return look_up(word);
  if (direct_[at] == 0) direct_[at] = book_.find_or_add(word_bytes(word)).code;
  return direct_[at];
}

std::uint32_t WordCodes::look_up(std::uint64_t word) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = static_cast<std::size_t>(((word ^ (word >> 32)) * kOdd) >> 32) & mask;
  while (table_[at].code != 0 && table_[at].word != word) at = (at + 1) & mask;
  if (table_[at].code != 0) return table_[at].code;
  const std::uint32_t code = book_.find_or_add(word_bytes(word)).code;
  table_[at] = {word, code};
  if (++used_ * 2 > table_.size()) grow();
  return code;
}

void WordCodes::grow() {
  std::vector<Entry> old(table_.size() * 4);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.code == 0) continue;
    std::size_t at = static_cast<std::size_t>(((entry.word ^ (entry.word >> 32)) * kOdd) >> 32) & mask;
    while (table_[at].code != 0) at = (at + 1) & mask;
    table_[at] = entry;
  }
}

TextCodes::TextCodes(CodeBook& book) : book_(book), table_(64) {}

std::uint32_t TextCodes::code(std::string_view text) {
  const std::uint64_t hash = text_hash(text);
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at].code != 0; at = (at + 1) & mask) {
    const Entry& entry = table_[at];
    if (entry.hash == hash && std::string_view(entry.bytes, entry.length) == text) return entry.code;
  }
  const CodeBook::Entry found = book_.find_or_add(text);
  table_[at] = {hash, found.bytes.data(), static_cast<std::uint32_t>(text.size()), found.code};
  if (++used_ * 2 > table_.size()) grow();
  return found.code;
}

void TextCodes::grow() {
  std::vector<Entry> old(table_.size() * 4);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.code == 0) continue;
    std::size_t at = entry.hash & mask;
    while (table_[at].code != 0) at = (at + 1) & mask;
    table_[at] = entry;
  }
}

}  // namespace dither::engine::detail
