// Where quoted fields end that are too long to be held.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/detail/records.h"

namespace dither::engine::detail {

// Whether a field whose closing quote has just passed ends there: the next two bytes are these, fewer at the end of the file.
bool ends_field(std::string_view next_two, char delimiter);

// Looks ahead in a CSV file, on a way of its own that only goes forward: all calls together look at each byte once.
class QuoteScout {
 public:
  // Opens the file at once, so that whether it can be opened later depends on no quote. `looked_at` counts the bytes.
  // Refuses    cannot-read.
  QuoteScout(const std::string& path, char delimiter, std::uint64_t& looked_at)
      : source_(open_bytes(path)), delimiter_(delimiter), looked_at_(looked_at) {}

  struct Closing {
    std::uint64_t after = 0;  // the position after the quote
    bool right = false;       // the field ends there
  };
  // The next quote that is not doubled, of a field whose text begins here: no earlier than what was asked before.
  Closing closing(std::uint64_t text);

 private:
  // The next bytes, so many of them where the file has as many.
  std::string_view peek(std::size_t bytes);

  std::unique_ptr<ByteSource> source_;
  char delimiter_;
  std::uint64_t& looked_at_;
  std::vector<char> buffer_;  // empty until it is needed
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t passed_ = 0;  // bytes of the file before the buffer
};

}  // namespace dither::engine::detail
