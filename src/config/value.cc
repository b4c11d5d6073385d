#include "config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"

namespace dither::config {

namespace {

bool is_whole_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "-1/3": whole numbers around one slash.
bool is_fraction(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto slash = text.find('/');
  return slash != std::string_view::npos && is_whole_number(text.substr(0, slash)) &&
         is_whole_number(text.substr(slash + 1));
}

std::string describe(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      return "empty";
    case Kind::boolean:
      return value.boolean("") ? "true" : "false";
    case Kind::number:
      return fmt::format("the number {}", echo(value.written()));
    case Kind::text:
      return fmt::format("the text \"{}\"", echo(value.written()));
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map";
  }
  std::abort();
}

}  // namespace

Value::Value(Content content, Position position, std::shared_ptr<const std::string> file)
    : content_(std::move(content)), position_(position), file_(std::move(file)) {}

std::string Value::where(Position position) const {
  return fmt::format("{}:{}:{}", *file_, position.line, position.column);
}

bool Value::boolean(std::string_view what) const {
  if (const bool* content = std::get_if<bool>(&content_)) return *content;
  wrong_type(what, "true or false", "write true or false, without quotes");
}

Rational Value::number(std::string_view what) const {
  const bool can_be = kind() == Kind::number || (kind() == Kind::text && is_fraction(written()));
  if (!can_be) wrong_type(what, "a number", "write a number such as 10, 0.5 or 1e-6, without quotes");
  try {
    return Rational::parse(written());
  } catch (const Error& error) {  // a fraction with too many digits, or over 0
    throw error_at(*this, error.code(), fmt::format("{}: {}", what, error.what()), error.hint());
  }
}

std::uint64_t Value::whole(std::string_view what) const {
  const std::string hint = "write a whole number such as 3 or 10000";
  if (kind() != Kind::number) wrong_type(what, "a whole number", hint);
  const Rational value = number(what);
  if (!value.is_integer() || value.sign() < 0) wrong_type(what, "a whole number, 0 or more", hint);
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  if (value > Rational(static_cast<Int128>(largest))) {
    throw error_at(*this, Code::out_of_range, fmt::format("{} is {}, beyond {}", what, echo(written()), largest),
                   "write a smaller number");
  }
  return static_cast<std::uint64_t>(value.floor());
}

const std::string& Value::text(std::string_view what) const {
  if (const auto* content = std::get_if<std::string>(&content_)) return *content;
  wrong_type(what, "text", "put the text in quotes");
}

const std::vector<Value>& Value::list(std::string_view what) const {
  if (const auto* content = std::get_if<std::vector<Value>>(&content_)) return *content;
  wrong_type(what, "a list", "write a list such as [1, 2, 3], or one entry a line, each after a dash");
}

const std::vector<Entry>& Value::map(std::string_view what) const {
  if (const auto* content = std::get_if<std::vector<Entry>>(&content_)) return *content;
  wrong_type(what, "a map", "write a map such as {key: value}, or one `key: value` a line");
}

const Value* Value::find(std::string_view key) const {
  if (kind() != Kind::map) return nullptr;
  const auto& entries = std::get<std::vector<Entry>>(content_);
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return at == entries.end() ? nullptr : &at->value;
}

std::string_view Value::written() const {
  if (const auto* number = std::get_if<Number>(&content_)) return number->written;
  if (const auto* content = std::get_if<std::string>(&content_)) return *content;
  return {};
}

void Value::wrong_type(std::string_view what, std::string_view needed, const std::string& hint) const {
  throw error_at(*this, Code::wrong_type, fmt::format("{} must be {}, not {}", what, needed, describe(*this)), hint);
}

Error error_at(const Value& value, Code code, const std::string& message, const std::string& hint) {
  return Error{code, fmt::format("{}: {}", value.where(), message), hint};
}

Error error_at(const Entry& key, Code code, const std::string& message, const std::string& hint) {
  return Error{code, fmt::format("{}: {}", key.value.where(key.position), message), hint};
}

}  // namespace dither::config
