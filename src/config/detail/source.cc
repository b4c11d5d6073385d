#include "config/detail/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/read.h"

namespace dither::config::detail {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Complaint {
  std::string message, hint;
};

// What is wrong with a character; nothing to say gives an empty message.
Complaint complaint_about(const Character& c, char next) {
  if (!c.valid) return {"a byte that is not UTF-8", "save the file as UTF-8"};
  if (c.code == 0) return {"a NUL character", "delete it; if every second one is NUL, save the file as UTF-8"};
  if (c.code == '\t') return {"a tab", "write spaces; inside double quotes write \\t"};
  if (c.code == '\r' && next != '\n') return {"a carriage return without a line feed", "end lines with a line feed"};
  const bool breaks_lines = c.code == 0x85 || c.code == 0x2028 || c.code == 0x2029;
  const bool control = (c.code < 0x20 && c.code != '\n' && c.code != '\r') || (c.code >= 0x7F && c.code < 0xA0);
  const bool no_character = c.code == 0xFEFF || (c.code & 0xFFFE) == 0xFFFE;
  if (!breaks_lines && !control && !no_character) return {};
  return {fmt::format("the control character U+{:04X}", static_cast<unsigned>(c.code)),
          fmt::format("delete it; inside double quotes write \\u{:04x}", static_cast<unsigned>(c.code))};
}

// The first byte that is neither blank nor in a comment.
std::size_t first_content(std::string_view text) {
  std::size_t at = text.find_first_not_of(" \r\n");
  while (at < text.size() && text[at] == '#') {
    at = text.find_first_not_of(" \r\n", std::min(text.find('\n', at), text.size()));
  }
  return std::min(at, text.size());
}

}  // namespace

Source::Source(std::string text, const std::string& name)
    : name_(std::make_shared<const std::string>(printable(name))), original_(std::move(text)) {
  if (original_.size() > kMaxFileBytes) {
    throw Error{Code::bad_syntax, fmt::format("{}: the file has more than {} MiB", *name_, kMaxFileBytes >> 20),
                "split it into smaller files"};
  }
  if (original_.starts_with(kByteOrderMark)) original_.erase(0, kByteOrderMark.size());
  check_characters();
  check_directives();
  std::string joined = join_surrogates(original_, joins_);
  if (!joins_.empty()) joined_ = std::move(joined);
}

void Source::check_characters() {
  const std::string_view all = original_;
  for (std::size_t at = 0; at < all.size();) {
    const auto byte = static_cast<unsigned char>(all[at]);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    const Character c = first_character(all.substr(at));
    const Complaint complaint = complaint_about(c, at + 1 < all.size() ? all[at + 1] : '\0');
    if (!complaint.message.empty()) {
      throw error_in_original(at, complaint.message + " is not allowed", complaint.hint, Code::bad_syntax);
    }
    at += c.bytes;
  }
}

void Source::check_directives() {
  const std::size_t at = first_content(original_);
  if (at == original_.size() || original_[at] != '%') return;
  throw error_in_original(at, "directives are not allowed", "delete the line; text that begins with % needs quotes",
                          Code::bad_syntax);
}

Position Source::position(std::size_t offset) {
  const auto before = std::lower_bound(joins_.begin(), joins_.end(), offset) - joins_.begin();
  return position_in_original(offset + 2 * static_cast<std::size_t>(before));
}

Position Source::position_in_original(std::size_t offset) {
  offset = std::min(offset, original_.size());
  if (offset < cursor_) {
    cursor_ = 0;
    at_ = {};
  }
  for (; cursor_ < offset; ++cursor_) {
    const auto byte = static_cast<unsigned char>(original_[cursor_]);
    if (byte == '\n') {
      at_ = {at_.line + 1, 1};
    } else if ((byte & 0xC0) != 0x80) {  // one column a character
      ++at_.column;
    }
  }
  return at_;
}

Error Source::error(std::size_t offset, const std::string& message, const std::string& hint, Code code) {
  const Position at = position(offset);
  return Error{code, fmt::format("{}:{}:{}: {}", *name_, at.line, at.column, message), hint};
}

Error Source::error_in_original(std::size_t offset, const std::string& message, const std::string& hint, Code code) {
  const Position at = position_in_original(offset);
  return Error{code, fmt::format("{}:{}:{}: {}", *name_, at.line, at.column, message), hint};
}

}  // namespace dither::config::detail
