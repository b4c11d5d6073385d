// Sums over units, by code of the key.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "engine/detail/bounding_codes.h"
#include "engine/detail/bounding_layout.h"
#include "engine/exact_numbers.h"

namespace dither::engine::detail {

// Of every code: how many units kept it, and a number for each measure.
class Totals {
 public:
  Totals(std::size_t codes, std::size_t measures) : stride_(1 + measures), numbers_(codes * stride_) {}
  Totals(const Totals&) = delete;
  Totals& operator=(const Totals&) = delete;
  ~Totals();

  static std::size_t bytes(std::size_t codes, std::size_t measures) { return codes * (1 + measures) * sizeof(Int128); }

  Int128* of(std::uint32_t code) { return numbers_.data() + code * stride_; }  // units, then measures
  const Int128* of(std::uint32_t code) const { return numbers_.data() + code * stride_; }
  void add(const Totals& other);

 private:
  std::size_t stride_;
  std::vector<Int128> numbers_;
};

// Digests of keys by code, once all rows were seen.
class KeyDigests {
 public:
  // `needed`: whether keys have to be chosen at all.
  KeyDigests(const CodedKeys& books, bool needed);
  // Tests give digests that no known keys have.
  KeyDigests(const CodedKeys& books, std::vector<std::uint64_t> digests)
      : books_(books), digests_(std::move(digests)) {}

  std::size_t codes() const { return digests_.size(); }
  const std::uint64_t* data() const { return digests_.data(); }
  bool differ() const;                          // each from all others
  std::string bytes(std::uint32_t code) const;  // canonical

 private:
  const CodedKeys& books_;
  std::vector<std::uint64_t> digests_;
};

// `sorted`: the same keys, where they stay in their file.
ExactNumbers::Content bounding_content(const plan::BoundedAggregate& aggregate, const CodedKeys& books,
                                       const Totals& totals, const std::shared_ptr<const CodedKeys>& sorted = {});

}  // namespace dither::engine::detail
