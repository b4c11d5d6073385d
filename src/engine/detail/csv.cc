#include "engine/detail/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "engine/detail/utf8.h"

namespace dither::engine::detail {
namespace {

constexpr char kQuote = '"';
constexpr std::size_t kAnyColumns = SIZE_MAX;

}  // namespace

CsvReader::CsvReader(const std::string& path, char delimiter) : RecordReader(path), delimiter_(delimiter) {
  read_header(path);
}

void CsvReader::read_header(const std::string& path) {
  if (find_record(kAnyColumns) && dropped() == 0) {
    for (const Field& field : fields_) header_.emplace_back(unquoted(field));
    at_ = after_;
  } else {
    throw Error{Code::bad_source, fmt::format("{} has no first line that names its columns", echo(path)),
                "write the names of the columns into the first line, parted as the rows are"};
  }
  if (std::set<std::string>(header_.begin(), header_.end()).size() == header_.size()) return;
  throw Error{Code::bad_source, fmt::format("two columns of {} have the same name", echo(path)),
              "give every column in the first line a name of its own"};
}

bool CsvReader::next(std::vector<std::string_view>& fields) {
  if (!find_record(header_.size())) return false;
  fields.clear();
  for (const Field& field : fields_) fields.push_back(unquoted(field));
  at_ = after_;
  return true;
}

bool CsvReader::find_record(std::size_t columns) {
  for (;;) {
    while (at_ < end_ && byte(at_) == '\n') ++at_;
    if (at_ + 1 < end_ && byte(at_) == '\r' && byte(at_ + 1) == '\n') {
      at_ += 2;
      continue;
    }
    if (at_ == end_ && finished_) return false;
    const Outcome outcome = parse(columns);
    if (outcome == Outcome::complete && is_text()) return true;
    if (outcome == Outcome::needs_more) {
      refill();
    } else if (outcome == Outcome::too_long) {
      drop_long();
    } else if (outcome == Outcome::broken) {
      drop_line();
    } else {
      count_dropped();
      at_ = after_;
    }
  }
}

// A record ends behind its line feed; without one it ends with the file.
CsvReader::Outcome CsvReader::parse(std::size_t columns) {
  fields_.clear();
  const std::size_t limit = this->limit();
  for (cursor_ = at_;; ++cursor_) {
    Field field{cursor_, cursor_, false};
    if (cursor_ < limit && byte(cursor_) == kQuote) {
      const Outcome outcome = quoted(field);
      if (outcome != Outcome::complete) return outcome;
    } else {
      while (cursor_ < limit && byte(cursor_) != delimiter_ && byte(cursor_) != '\n') ++cursor_;
      field.end = cursor_;
      const bool returns = field.end > field.begin && byte(field.end - 1) == '\r';
      if (returns && cursor_ < limit && byte(cursor_) == '\n') --field.end;
    }
    const bool last = cursor_ == end_ && finished_;
    if (cursor_ == limit && !last) return at_limit();
    if (fields_.size() <= columns) fields_.push_back(field);
    if (last || byte(cursor_) == '\n') break;
  }
  after_ = std::min(cursor_ + 1, end_);
  return columns == kAnyColumns || fields_.size() == columns ? Outcome::complete : Outcome::other_width;
}

void CsvReader::drop_long() {
  count_dropped();
  enum class In { start, plain, quotes, behind_quote } in = In::start;
  for (;;) {
    for (; at_ < end_; ++at_) {
      const char c = byte(at_);
      if (in == In::quotes) {
        if (c == kQuote) in = In::behind_quote;
      } else if (c == '\n') {
        ++at_;
        return;
      } else if (c == kQuote && in != In::plain) {
        in = In::quotes;
      } else {
        in = c == delimiter_ ? In::start : In::plain;
      }
    }
    if (finished_) return;
    refill();
  }
}

// From the opening quote to what follows the closing one: a delimiter, an end of line or the end of the file.
CsvReader::Outcome CsvReader::quoted(Field& field) {
  const std::size_t limit = this->limit();
  const bool whole_file = limit == end_ && finished_;
  field.begin = ++cursor_;
  for (;;) {
    const void* found = std::memchr(data() + cursor_, kQuote, limit - cursor_);
    if (found == nullptr) return at_limit();
    cursor_ = static_cast<std::size_t>(static_cast<const char*>(found) - data()) + 1;
    if (cursor_ == limit && !whole_file) return at_limit();
    if (cursor_ == limit || byte(cursor_) != kQuote) break;
    field.doubled = true;
    ++cursor_;
  }
  field.end = cursor_ - 1;
  if (cursor_ == limit) return Outcome::complete;
  if (byte(cursor_) == '\r') {
    if (cursor_ + 1 == limit && !whole_file) return at_limit();
    if (cursor_ + 1 < limit && byte(cursor_ + 1) == '\n') ++cursor_;
  }
  return byte(cursor_) == delimiter_ || byte(cursor_) == '\n' ? Outcome::complete : Outcome::broken;
}

bool CsvReader::is_text() const {
  const std::string_view record(data() + at_, after_ - at_);
  const bool plain = std::none_of(record.begin(), record.end(), [](char c) { return static_cast<signed char>(c) < 0; });
  return plain || is_utf8(record);
}

// In place: the record is not parsed again.
std::string_view CsvReader::unquoted(const Field& field) {
  if (field.begin == field.end) return {};
  char* const begin = data() + field.begin;
  if (!field.doubled) return {begin, field.end - field.begin};
  char* to = begin;
  for (const char* from = begin; from < data() + field.end; ++from) {
    *to++ = *from;
    if (*from == kQuote) ++from;
  }
  return {begin, static_cast<std::size_t>(to - begin)};
}

}  // namespace dither::engine::detail
