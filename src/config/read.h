// The strict reader of YAML and JSON.
#pragma once

#include <cstddef>
#include <string>

#include "config/value.h"

namespace dither::config {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxDepth = 64;  // lists and maps inside each other

// Reads one document of YAML; JSON is YAML here and follows the same rules. A plain word is text unless it is true,
// false, null or a number ([+-] digits, point, exponent). Whatever readers of YAML disagree about is refused by
// bad-syntax, with file:line:column and what to write instead:
//
//   anchors, aliases, tags, merge keys, directives, several documents, tabs, lone carriage returns, control characters;
//   plain words such as yes, no, on, off, y, n, True, ~, NULL, 010, 0x1f, 0o17, 1_000, 1:30, 2024-01-01, .inf, .nan,
//   and <<; keys that are not text; empty entries between commas; text after the end; bytes that are not UTF-8;
//   NUL, also escaped; more than kMaxDepth levels; more than kMaxFileBytes; an empty file.
//
// duplicate-key for a key given twice in one map, out-of-range for a number with an exponent beyond 10000 or more than
// 10000 digits. `name` stands for the file in messages. About a second for 10 MB.
Value read_text(std::string text, const std::string& name);

// The same for a file; "-" is standard input. cannot-read when it cannot be opened or read.
Value read_file(const std::string& path);

}  // namespace dither::config
