// The text of a file before it is parsed: checked, and able to tell places.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/value.h"

namespace dither::config::detail {

// Refuses (bad-syntax) what no parser should see: bytes that are not UTF-8, control characters, tabs, lone carriage
// returns, line breaks that only some readers know, directives, files beyond the limit. A byte order mark is skipped.
class Source {
 public:
  Source(std::string text, const std::string& name);

  // What the parser reads. Offsets below count its bytes. It is the file, but for one thing: where the file is JSON,
  // pairs of surrogates such as \ud83d\ude00 in its strings are written as one \U0001f600, which YAML knows.
  std::string_view text() const { return joined_.empty() ? std::string_view(original_) : joined_; }

  // The place of an offset; beyond the end it is the end. Quick when offsets grow from call to call.
  Position position(std::size_t offset);

  Error error(std::size_t offset, const std::string& message, const std::string& hint, Code code = Code::bad_syntax);

  const std::shared_ptr<const std::string>& name() const { return name_; }

 private:
  void check_characters();
  void check_directives();
  Error error_in_original(std::size_t offset, const std::string& message, const std::string& hint, Code code);
  Position position_in_original(std::size_t offset);

  std::shared_ptr<const std::string> name_;
  std::string original_;
  std::string joined_;              // empty when it equals the original
  std::vector<std::size_t> joins_;  // where in joined_ a pair was written two bytes shorter, ascending
  std::size_t cursor_ = 0;          // an offset in the original, and its place
  Position at_;
};

// A text that begins like JSON, with surrogate pairs of its double-quoted strings joined; `joins` receives where.
// Other texts come back as they are.
std::string join_surrogates(std::string_view text, std::vector<std::size_t>& joins);

}  // namespace dither::config::detail
