#include "engine/detail/quote_scout.h"

#include <algorithm>
#include <cstring>

namespace dither::engine::detail {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

bool ends_field(std::string_view next_two, char delimiter) {
  return next_two.empty() || next_two[0] == delimiter || next_two[0] == '\n' || next_two == "\r\n";
}

std::string_view QuoteScout::peek(std::size_t bytes) {
  while (end_ - at_ < bytes) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    passed_ += at_;
    end_ -= at_;
    at_ = 0;
    const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) break;
    end_ += got;
  }
  return {buffer_.data() + at_, std::min(bytes, end_ - at_)};
}

QuoteScout::Closing QuoteScout::closing(std::uint64_t text) {
  buffer_.resize(kBuffer);
  if (text > passed_ + end_) {
    source_->seek(text);
    passed_ = text;
    at_ = end_ = 0;
  } else {
    at_ = text - passed_;
  }
  bool open = false;  // an odd number of quotes has just passed
  for (;; ++at_, ++looked_at_) {
    const std::string_view next = peek(1);
    if (open && next != "\"") return {passed_ + at_, ends_field(peek(2), delimiter_)};
    if (next.empty()) return {passed_ + at_, false};
    open = next == "\"" && !open;
  }
}

}  // namespace dither::engine::detail
