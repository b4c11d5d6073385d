#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "config/detail/source.h"

namespace dither::config::detail {

namespace {

constexpr std::size_t kEscapeBytes = 6;  // \ud83d

// The half of a pair that stands at an offset as \uXXXX, if it lies in first..first + 0x3ff.
std::optional<char32_t> half_at(std::string_view text, std::size_t at, unsigned first) {
  if (text.substr(std::min(at, text.size()), 2) != "\\u" || text.size() < at + kEscapeBytes) return std::nullopt;
  unsigned code = 0;
  const char* end = text.data() + at + kEscapeBytes;
  const auto [stop, error] = std::from_chars(end - 4, end, code, 16);
  if (stop != end || code < first || code >= first + 0x400) return std::nullopt;
  return code - first;
}

bool ends_plain(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (std::string_view(",[]{}").find(c) != std::string_view::npos) return true;
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  return c == ':' && std::string_view(" \r\n,[]{}").find(next) != std::string_view::npos;
}

// Walks over a text in brackets and copies it, one token at a time.
class Joiner {
 public:
  Joiner(std::string_view text, std::vector<std::size_t>& joins) : text_(text), joins_(joins) {}

  std::string run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"')
        double_quoted();
      else if (c == '\'')
        up_to(text_.find('\'', at_ + 1));
      else if (c == '#')
        up_to(text_.find('\n', at_));
      else if (c == ' ' || c == '\r' || c == '\n' || c == ':' || ends_plain(text_, at_))
        up_to(at_);
      else
        plain();
    }
    return std::move(out_);
  }

 private:
  void up_to(std::size_t last) {  // the last byte to copy
    const std::size_t end = std::min(last, text_.size() - 1) + 1;
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void double_quoted() {
    up_to(at_);
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\')
        escape();
      else
        up_to(at_);
    }
    if (at_ < text_.size()) up_to(at_);
  }

  void escape() {
    const auto high = half_at(text_, at_, 0xD800);
    const auto low = high ? half_at(text_, at_ + kEscapeBytes, 0xDC00) : std::nullopt;
    if (!low) return up_to(at_ + 1);
    joins_.push_back(out_.size());
    out_ += fmt::format("\\U{:08x}", 0x10000u + (static_cast<unsigned>(*high) << 10) + static_cast<unsigned>(*low));
    at_ += 2 * kEscapeBytes;
  }

  void plain() {
    while (at_ < text_.size() && !ends_plain(text_, at_) && !(text_[at_] == '#' && text_[at_ - 1] <= ' ')) up_to(at_);
  }

  std::string_view text_;
  std::vector<std::size_t>& joins_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string join_surrogates(std::string_view text, std::vector<std::size_t>& joins) {
  const std::size_t first = std::min(text.find_first_not_of(" \r\n"), text.size());
  const bool json = first < text.size() && std::string_view("[{\"").find(text[first]) != std::string_view::npos;
  const bool has_pairs = text.find("\\ud") != std::string_view::npos || text.find("\\uD") != std::string_view::npos;
  return json && has_pairs ? Joiner(text, joins).run() : std::string(text);
}

}  // namespace dither::config::detail
