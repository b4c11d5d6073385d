#include "text_column.h"

namespace dither::python {

namespace {

constexpr std::size_t kEnd = sizeof(std::int64_t);

void append(std::string& text, char32_t code) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      add(0xE0 | (code >> 12));
    } else {
      add(0xF0 | (code >> 18));
      add(0x80 | ((code >> 12) & 0x3F));
    }
    add(0x80 | ((code >> 6) & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

}  // namespace

TextColumn::TextColumn(const std::string& name, std::int64_t rows)
    : column_(name, "U", rows), ends_(ArrowColumn::zeros((static_cast<std::size_t>(rows) + 1) * kEnd)) {}

void TextColumn::add(std::string_view text) {
  text_ += text;
  const auto end = static_cast<std::int64_t>(text_.size());
  std::memcpy(ends_.get() + static_cast<std::size_t>(++written_) * kEnd, &end, kEnd);
}

void TextColumn::add_null() {
  column_.set_null(written_);
  add("");
}

void TextColumn::add_wide(const std::byte* characters, std::size_t length) {
  std::u32string wide(length, U'\0');
  std::memcpy(wide.data(), characters, length * sizeof(char32_t));
  while (!wide.empty() && wide.back() == U'\0') wide.pop_back();
  std::string text;
  for (const char32_t code : wide) {
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return add_null();
    append(text, code);
  }
  add(text);
}

ArrowColumn TextColumn::column() && {
  Bytes text = ArrowColumn::room(text_.size());
  std::memcpy(text.get(), text_.data(), text_.size());
  column_.add(std::move(ends_));
  column_.add(std::move(text));
  return std::move(column_);
}

}  // namespace dither::python
