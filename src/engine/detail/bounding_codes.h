// Keys as small numbers: every distinct key gets a code as it comes.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/detail/duckdb_api.h"
#include "plan/bounded_aggregate.h"

namespace dither::engine::detail {

// Keys are more than their share of the memory: they are sorted on disk instead (on_disk_keys.h).
class KeysDoNotFit : public std::exception {
 public:
  const char* what() const noexcept override { return "too many keys for the memory"; }
};

// What the books of one run hold together.
class BookBudget {
 public:
  // `each`: bytes that a key takes beside its own, wherever it is known.
  BookBudget(std::uint64_t bytes, std::uint64_t each) : left_(static_cast<std::int64_t>(bytes)), each_(each) {}
  // Throws KeysDoNotFit.
  void take(std::size_t bytes) {
    if ((left_ -= static_cast<std::int64_t>(bytes + each_)) < 0) throw KeysDoNotFit();
  }

 private:
  std::atomic<std::int64_t> left_;
  std::uint64_t each_;
};

// Distinct byte strings, numbered from 1. Threads share it; what it gives stays where it is.
class CodeBook {
 public:
  void limit(BookBudget& budget) { budget_ = &budget; }  // of what is added from now on
  struct Entry {
    std::uint32_t code;
    std::string_view bytes;
  };
  Entry find_or_add(std::string_view bytes);
  std::size_t size() const { return bytes_.size(); }                               // after the scan
  const std::string& bytes(std::uint32_t code) const { return bytes_[code - 1]; }  // after the scan

 private:
  BookBudget* budget_ = nullptr;
  std::mutex mutex_;
  std::unordered_map<std::string_view, std::uint32_t> codes_;
  std::deque<std::string> bytes_;
};

// The keys of a run by code, once all rows were seen.
class CodedKeys {
 public:
  virtual ~CodedKeys() = default;
  // Of the public keys, in their order.
  virtual std::span<const std::uint32_t> public_codes() const = 0;
  virtual std::size_t codes() const = 0;  // all codes are below it
  virtual std::vector<Cell> key(std::uint32_t code) const = 0;
  // Whether a code below codes() is really one.
  virtual bool exists(std::uint32_t code) const = 0;
  virtual std::vector<std::uint64_t> digests() const;  // by code
};

// The books of all columns of a key, and of their combinations: column 0 with column 1, both with column 2, and so on.
class KeyBooks : public CodedKeys {
 public:
  explicit KeyBooks(const plan::BoundedAggregate& aggregate);
  void limit(BookBudget& budget);  // keys that are listed in public take nothing of it

  std::uint32_t code(const std::vector<Cell>& key);
  std::span<const std::uint32_t> public_codes() const override { return public_codes_; }
  std::size_t codes() const override;
  std::vector<Cell> key(std::uint32_t code) const override;
  // 0 is no code where keys have several columns.
  bool exists(std::uint32_t code) const override { return types_.size() < 2 || code > 0; }

  std::span<const plan::Type> types() const { return types_; }
  CodeBook& column(std::size_t i) { return columns_[i]; }
  CodeBook& combined(std::size_t i) { return combined_[i]; }  // of columns 0 to i + 1

 private:
  Cell cell(std::size_t column, std::uint32_t code) const;

  std::vector<plan::Type> types_;
  std::deque<CodeBook> columns_, combined_;
  std::vector<std::uint32_t> public_codes_;
};

// What one thread remembers of a book of 64-bit words.
class WordCodes {
 public:
  explicit WordCodes(CodeBook& book);

  // Words from `first` on are found without hashing, and those that have a code already are told.
  void expect(std::uint64_t first, std::size_t count);
  void tell(std::uint64_t word, std::uint32_t code) { direct_[word - first_] = code; }
  bool expects() const { return !direct_.empty(); }

  // 0 where it is not among the expected or not met yet.
  std::uint32_t quick(std::uint64_t word) const {
    const std::uint64_t at = word - first_;
    return at < direct_.size() ? direct_[at] : 0;
  }
  std::uint32_t code(std::uint64_t word);

 private:
  struct Entry {
    std::uint64_t word;
    std::uint32_t code;  // 0: free
  };
  std::uint32_t look_up(std::uint64_t word);
  void grow();

  CodeBook& book_;
  std::uint64_t first_ = 0;
  std::vector<std::uint32_t> direct_;
  std::vector<Entry> table_;
  std::size_t used_ = 0;
};

// The same of a book of texts.
class TextCodes {
 public:
  explicit TextCodes(CodeBook& book);
  std::uint32_t code(std::string_view text);

 private:
  struct Entry {
    std::uint64_t hash;
    const char* bytes;
    std::uint32_t length, code;  // code 0: free
  };
  void grow();

  CodeBook& book_;
  std::vector<Entry> table_;
  std::size_t used_ = 0;
};

// 8 bytes of a word, and back.
std::string_view word_bytes(const std::uint64_t& word);
std::uint64_t word_of(std::string_view bytes);
// The bits of a real number by which two are the same: one zero, one NaN.
std::uint64_t real_word(double value);

}  // namespace dither::engine::detail
