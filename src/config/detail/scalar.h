// What a plain word of a file is.
#pragma once

#include <string>
#include <string_view>

#include "config/value.h"

namespace dither::config::detail {

// How a word without quotes is read: `kind` is null, boolean, number or text, unless `complaint` says why the word is
// refused (then `hint` says what to write, and `code` is bad-syntax or out-of-range).
struct Plain {
  Kind kind = Kind::text;
  std::string complaint;
  std::string hint;
  Code code = Code::bad_syntax;
};

Plain read_plain(std::string_view word);

}  // namespace dither::config::detail
