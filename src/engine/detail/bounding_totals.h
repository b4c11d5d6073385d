// Sums over units, by code of the key.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/detail/bounding_codes.h"
#include "engine/detail/bounding_layout.h"
#include "engine/exact_numbers.h"

namespace dither::engine::detail {

// Of every code: how many units kept it, and a number for each measure.
class Totals {
 public:
  Totals(std::size_t codes, std::size_t measures) : stride_(1 + measures), numbers_(codes * stride_) {}
  void start(std::size_t codes) { numbers_.assign(codes * stride_, 0); }
  Totals(const Totals&) = delete;
  Totals& operator=(const Totals&) = delete;
  ~Totals();

  static std::size_t bytes(std::size_t codes, std::size_t measures) { return codes * (1 + measures) * sizeof(Int128); }

  Int128* of(std::uint32_t code) { return numbers_.data() + code * stride_; }  // units, then measures
  const Int128* of(std::uint32_t code) const { return numbers_.data() + code * stride_; }
  void add(const Totals& other);
  std::size_t codes() const { return numbers_.size() / stride_; }
  std::size_t measures() const { return stride_ - 1; }

 private:
  std::size_t stride_;
  std::vector<Int128> numbers_;
};

// Whether arrays by code fit into what a run with this limit has for them, where keys are sorted.
bool codes_fit(std::size_t measures, std::size_t codes, unsigned threads, std::uint64_t memory);

// Whether a unit keeps all its keys, of so many codes; whether it matters what digests these have.
bool all_kept(const plan::BoundedAggregate& aggregate, std::size_t codes);
bool needs_digests(const plan::BoundedAggregate& aggregate, std::size_t codes);

// Digests of keys by code, once all rows were seen.
class KeyDigests {
 public:
  // Of all keys. `needed`: whether keys have to be chosen at all.
  KeyDigests(const CodedKeys& books, bool needed);
  // Of those that renumber() names.
  explicit KeyDigests(const CodedKeys& books) : books_(books) {}
  // Tests give digests that no known keys have.
  KeyDigests(const CodedKeys& books, std::vector<std::uint64_t> digests)
      : books_(books), digests_(std::move(digests)) {}

  // The codes of some items become numbers from 0, in the order of the codes; these are the codes from now on. `digests`: by item, or
  // none where they are not needed.
  void renumber(std::span<std::uint32_t> codes, std::span<const std::uint64_t> digests);
  std::uint32_t original(std::uint32_t code) const { return originals_.empty() ? code : originals_[code]; }

  std::size_t codes() const { return digests_.size(); }
  const std::uint64_t* data() const { return digests_.data(); }
  bool differ() const;                          // each from all others
  std::string bytes(std::uint32_t code) const;  // canonical

 private:
  const CodedKeys& books_;
  std::vector<std::uint64_t> digests_;
  std::vector<std::uint32_t> originals_;  // of codes that were renumbered
  std::vector<std::uint64_t> order_;      // of items: a code and its place
};

ExactNumbers::Content bounding_content(const plan::BoundedAggregate& aggregate, const CodedKeys& books,
                                       const Totals& totals);

}  // namespace dither::engine::detail
