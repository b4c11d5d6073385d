#include "config/detail/parse.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "config/detail/scalar.h"
#include "config/read.h"

namespace dither::config::detail {

namespace {

std::size_t offset_of(const YAML::Mark& mark) { return mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos); }

// Whether text in quotes has its closing quote (the parser also takes the end of the file, after a line break). Text
// after | or > needs none.
bool is_closed(std::string_view text) {
  const char quote = text.front();
  if (quote != '"' && quote != '\'') return true;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const bool pair = quote == '"' ? text[at] == '\\' : text.substr(at, 2) == "''";  // an escape is two bytes or more
    if (pair)
      ++at;
    else if (text[at] == quote)
      return true;
  }
  return false;
}

// A list or map whose end has not come yet.
struct Open {
  std::size_t offset;
  Position position;  // asked for in the order of the file, which is quick
  bool flow;          // written in brackets
  bool is_map;
  std::optional<Entry> key;  // of a map: the key whose value comes next
  std::vector<Value> items;
  std::vector<Entry> entries;
};

// Turns the parser's events into values. The first mistake is kept until the end of the file: an unclosed bracket shows
// up as a mistake of another kind first, and should be told as what it is.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(Source& source) : source_(source) {}

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { check_properties(mark, "", anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, false);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, true);
  }
  void OnMapEnd() override { close(); }

  // The value, after the last event.
  Value take();

  // What to tell of an error that the parser found.
  Error translate(const YAML::Exception& error);

 private:
  void check_properties(const YAML::Mark& mark, std::string_view tag, YAML::anchor_t anchor);
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style,
            bool is_map);
  void close();
  void refuse_duplicates(const std::vector<Entry>& entries);
  bool wants_key() const { return !open_.empty() && open_.back().is_map && !open_.back().key; }
  bool in_flow() const { return !open_.empty() && open_.back().flow; }
  void add_key(Position at, std::string key);
  void add(Position at, Value::Content content);
  void keep(std::size_t offset, const std::string& message, const std::string& hint, Code code = Code::bad_syntax) {
    if (!problem_) problem_ = source_.error(offset, message, hint, code);
  }
  Value::Content scalar(std::size_t offset, bool plain, const std::string& value);

  Source& source_;
  std::vector<Open> open_;
  std::optional<Value> root_;
  std::optional<Error> problem_;
  bool started_ = false;
};

void Builder::OnDocumentStart(const YAML::Mark& mark) {
  if (!std::exchange(started_, true)) return;
  const std::size_t at = offset_of(mark);
  if (source_.text().substr(std::min(at, source_.text().size())).starts_with("---")) {
    throw source_.error(at, "several documents in one file are not allowed", "keep one and delete the line of dashes");
  }
  throw source_.error(at, "there is more after the end of the value", "delete it, or put all in one list or map");
}

// The tag is "?" for plain words and collections without one, "!" for text in quotes.
void Builder::check_properties(const YAML::Mark& mark, std::string_view tag, YAML::anchor_t anchor) {
  const std::size_t at = offset_of(mark);
  const char first = at < source_.text().size() ? source_.text()[at] : ' ';
  if (anchor != 0 || first == '&' || first == '*') {
    throw source_.error(at, "anchors and aliases are not allowed", "write the value out where it is used");
  }
  if (first == '!' || (tag != "?" && tag != "!")) {
    throw source_.error(at, "tags are not allowed", "delete the tag; text that begins with ! needs quotes");
  }
}

// Also called where there is nothing at all; the mark is then that of whatever comes next.
void Builder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (anchor != 0) check_properties(mark, "", anchor);
  const std::size_t at = offset_of(mark);
  const std::string_view text = source_.text().substr(std::min(at, source_.text().size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \r\n,:]}"));
  if (word == "~" || word == "null" || word == "Null" || word == "NULL") {
    OnScalar(mark, "?", anchor, std::string(word));
  } else if (open_.empty()) {
    if (!word.empty() && word != "---" && word != "...") keep(at, "a value is missing before this", "delete it");
  } else if (wants_key()) {
    keep(at, "a key is missing", "write `key: value`, with the colon in the line of its key");
    add_key(source_.position(at), "");
  } else if (in_flow()) {
    keep(at, "a value is missing", "write a value, with a space after the colon; or delete the comma");
    add(open_.back().position, std::monostate{});
  } else if (open_.back().is_map) {
    add(open_.back().key->position, std::monostate{});  // nothing stands where its key stands
  } else {
    const std::size_t dash = source_.text().rfind('-', at == 0 ? 0 : at - 1);
    throw source_.error(dash, "an entry of a list is empty", "write a value behind the dash, or delete the dash");
  }
}

void Builder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       const std::string& value) {
  check_properties(mark, tag, anchor);
  const std::size_t at = offset_of(mark);
  Value::Content content = scalar(at, tag == "?", value);
  if (!wants_key()) return add(source_.position(at), std::move(content));
  if (!std::holds_alternative<std::string>(content)) {
    keep(at, fmt::format("the key {} is not text", echo(value)), fmt::format("write \"{}\"", echo(value)));
  }
  add_key(source_.position(at), value);
}

Value::Content Builder::scalar(std::size_t offset, bool plain, const std::string& value) {
  if (value.find('\0') != std::string::npos) {
    keep(offset, "text with a NUL character is not allowed", "delete the \\0");
  }
  if (!plain) {
    if (!is_closed(source_.text().substr(offset)))
      keep(offset, "the quotes that open here are not closed", "close them");
    return value;
  }
  const Plain word = read_plain(value);
  if (!word.complaint.empty()) keep(offset, word.complaint, word.hint, word.code);
  if (in_flow() && value.find('"') != std::string::npos) {
    keep(offset, fmt::format("a quote inside plain text: {}", echo(value)),
         "a comma may be missing; otherwise put all of the text in quotes");
  }
  switch (word.kind) {
    case Kind::null:
      return std::monostate{};
    case Kind::boolean:
      return value == "true";
    case Kind::number:
      return Value::Number{value};
    default:
      return value;
  }
}

void Builder::add_key(Position at, std::string key) {
  open_.back().key = Entry{std::move(key), at, Value(std::monostate{}, at, source_.name())};
}

void Builder::add(Position at, Value::Content content) {
  Value value(std::move(content), at, source_.name());
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (Open& top = open_.back(); top.is_map) {
    top.key->value = std::move(value);
    top.entries.push_back(std::move(*top.key));
    top.key.reset();
  } else {
    top.items.push_back(std::move(value));
  }
}

void Builder::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                   YAML::EmitterStyle::value style, bool is_map) {
  check_properties(mark, tag, anchor);
  const std::size_t at = offset_of(mark);
  if (open_.size() == kMaxDepth) {
    throw source_.error(at, fmt::format("more than {} lists and maps inside each other", kMaxDepth),
                        "write it flatter");
  }
  open_.push_back({at, source_.position(at), style == YAML::EmitterStyle::Flow, is_map, std::nullopt, {}, {}});
}

void Builder::close() {
  Open top = std::move(open_.back());
  open_.pop_back();
  if (wants_key()) {
    keep(top.offset, "a list or map cannot be a key", "write a word before the colon");
    return add_key(top.position, "");
  }
  if (!top.is_map) return add(top.position, std::move(top.items));
  if (!problem_) refuse_duplicates(top.entries);
  add(top.position, std::move(top.entries));
}

void Builder::refuse_duplicates(const std::vector<Entry>& entries) {
  std::vector<const Entry*> sorted;
  sorted.reserve(entries.size());
  for (const Entry& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return std::tie(a->key, a) < std::tie(b->key, b); });
  const Entry* first_again = nullptr;
  const Entry* before = nullptr;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const bool again = sorted[i]->key == sorted[i - 1]->key;
    if (!again || (first_again && first_again < sorted[i])) continue;
    first_again = sorted[i];
    before = sorted[i - 1];
  }
  if (!first_again) return;
  throw error_at(*first_again, Code::duplicate_key,
                 fmt::format("\"{}\" was given before, in line {}", echo(first_again->key), before->position.line),
                 "delete one of the two");
}

Value Builder::take() {
  if (problem_) throw Error(*problem_);
  if (!root_) throw source_.error(0, "the file is empty", "write what should be read; an empty map is {}");
  return std::move(*root_);
}

struct Wording {
  std::string_view theirs, message, hint;
};

namespace theirs = YAML::ErrorMsg;

constexpr std::string_view kIndentHint =
    "begin the keys (or the dashes) of one block in the same column, and quote text that contains a colon";
constexpr std::string_view kEscapeHint = "write a backslash as \\\\, or use single quotes";
constexpr std::string_view kBracketHint = "close every bracket, and put a comma between entries";

const std::array<Wording, 15> kWordings = {
    Wording{theirs::END_OF_MAP, "this does not fit the map that it stands in", kIndentHint},
    {theirs::END_OF_SEQ, "this does not fit the list that it stands in", kIndentHint},
    {theirs::MAP_KEY, "a key cannot stand here", kIndentHint},
    {theirs::MAP_VALUE, "a colon cannot stand here", kIndentHint},
    {theirs::BLOCK_ENTRY, "the dash of a list entry cannot stand here", kIndentHint},
    {theirs::END_OF_MAP_FLOW, "a comma or } is missing before this", kBracketHint},
    {theirs::END_OF_SEQ_FLOW, "a comma or ] is missing before this", kBracketHint},
    {theirs::FLOW_END, "this bracket closes nothing", kBracketHint},
    {theirs::EOF_IN_SCALAR, "the file ends inside quotes", "close the quotes"},
    {theirs::DOC_IN_SCALAR, "a document marker stands inside quotes", "close the quotes"},
    {theirs::UNKNOWN_TOKEN, "no value can begin with this character", "put the text in quotes"},
    {theirs::INVALID_HEX, "an escape needs hexadecimal digits", kEscapeHint},
    {theirs::INVALID_ESCAPE, "there is no such escape", kEscapeHint},
    {theirs::INVALID_UNICODE, "an escape that is no character", "write the character itself, or \\U and 8 digits"},
    {theirs::CHAR_IN_BLOCK, "only a line break can follow the | or > of a text block", "put the text in the next line"},
};

Error Builder::translate(const YAML::Exception& error) {
  const std::size_t at = std::min(offset_of(error.mark), source_.text().size());
  const bool in_brackets = error.msg == theirs::END_OF_MAP_FLOW || error.msg == theirs::END_OF_SEQ_FLOW;
  const bool at_end = source_.text().find_first_not_of(" \r\n", at) == std::string_view::npos;
  const auto opened = std::find_if(open_.rbegin(), open_.rend(), [](const Open& open) { return open.flow; });
  if (in_brackets && at_end && opened != open_.rend()) {
    const char bracket = source_.text()[opened->offset];
    return source_.error(opened->offset, fmt::format("the {} that opens here is not closed", bracket), "close it");
  }
  if (problem_) return *problem_;
  if (error.msg.find("anchor") != std::string::npos || error.msg.find("alias") != std::string::npos) {
    return source_.error(at, "anchors and aliases are not allowed", "write the value out where it is used");
  }
  if (error.msg.find("tag") != std::string::npos) {
    return source_.error(at, "tags are not allowed", "delete the tag; text that begins with ! needs quotes");
  }
  for (const Wording& wording : kWordings) {
    if (error.msg.starts_with(wording.theirs)) {
      return source_.error(at, std::string(wording.message), std::string(wording.hint));
    }
  }
  return source_.error(at, fmt::format("this is not YAML: {}", printable(error.msg)), "quote text that is not a word");
}

}  // namespace

Value parse(Source& source) {
  std::istringstream stream{std::string(source.text())};
  Builder builder(source);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw builder.translate(error);
  }
  return builder.take();
}

}  // namespace dither::config::detail
