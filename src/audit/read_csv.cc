#include "audit/read_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace dither::audit {

namespace {

// One pass over the text.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : rest_(text), name_(name) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  // The next line's cells; false at the end of the text.
  bool next(std::vector<std::string>& cells) {
    if (rest_.empty()) return false;
    cells = {};
    do cells.push_back(cell());
    while (took(","));
    if (!took("\r\n") && !took("\n") && !rest_.empty()) refuse("text after a closing quote");
    ++line_;
    return true;
  }

 private:
  bool took(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }

  std::string cell() {
    if (took("\"")) return quoted();
    std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
    if (end < rest_.size() && end > 0 && rest_[end] == '\n' && rest_[end - 1] == '\r') --end;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return checked(text);
  }

  std::string quoted() {
    std::string text;
    for (;;) {
      const std::size_t end = rest_.find('"');
      if (end == std::string_view::npos) refuse("a quote is not closed");
      text += checked(rest_.substr(0, end));
      rest_.remove_prefix(end + 1);
      if (!took("\"")) return text;
      text += '"';
    }
  }

  std::string checked(std::string_view text) const {
    for (std::string_view left = text; !left.empty();) {
      if (static_cast<signed char>(left.front()) > 0) {
        left.remove_prefix(1);
        continue;
      }
      const Character next = first_character(left);
      if (!next.valid || next.code == 0) refuse("bytes that are no text in UTF-8");
      left.remove_prefix(next.bytes);
    }
    return std::string(text);
  }

  [[noreturn]] void refuse(const char* what) const {
    throw Error{Code::bad_syntax, fmt::format("{}:{}: {}", echo(name_), line_, what),
                "give a CSV file in UTF-8: a row for each run, commas between cells"};
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t line_ = 1;
};

}  // namespace

void read_csv(std::string_view text, const std::string& name,
              const std::function<void(std::vector<std::string>&& cells)>& row) {
  Reader reader(text, name);
  std::vector<std::string> cells;
  while (reader.next(cells)) row(std::move(cells));
}

}  // namespace dither::audit
