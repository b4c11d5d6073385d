#include "config/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"

namespace dither::config {

namespace {

std::string quoted(std::string_view key) { return fmt::format("\"{}\"", key); }

bool holds(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

Fields::Fields(const Value& map, std::string what)
    : map_(map), entries_(map.map(what)), what_(std::move(what)), exceptions_(std::uncaught_exceptions()) {}

Fields::~Fields() {
  if (!finished_ && std::uncaught_exceptions() <= exceptions_) std::abort();
}

void Fields::expect(const std::vector<std::string>& keys) {
  std::vector<std::string> right = keys;
  right.insert(right.end(), asked_.begin(), asked_.end());
  for (const Entry& entry : entries_) {
    if (holds(right, entry.key)) continue;
    throw error_at(entry, Code::unknown_key, fmt::format("\"{}\" is not a key of {}", echo(entry.key), what_),
                   right.empty() ? "delete it" : fmt::format("write {}", nearest(entry.key, right)));
  }
}

const Value* Fields::optional(std::string_view key) {
  if (!holds(asked_, key)) asked_.emplace_back(key);
  return map_.find(key);
}

const Value& Fields::required(std::string_view key) {
  if (const Value* value = optional(key)) return *value;
  throw error_at(map_, Code::missing_key, fmt::format("{} needs \"{}\"", what_, key),
                 fmt::format("add the key `{}:` and its value", key));
}

bool Fields::boolean(std::string_view key) { return required(key).boolean(quoted(key)); }
Rational Fields::number(std::string_view key) { return required(key).number(quoted(key)); }
std::uint64_t Fields::whole(std::string_view key) { return required(key).whole(quoted(key)); }
const std::string& Fields::text(std::string_view key) { return required(key).text(quoted(key)); }
const std::vector<Value>& Fields::list(std::string_view key) { return required(key).list(quoted(key)); }

std::optional<bool> Fields::optional_boolean(std::string_view key) {
  const Value* value = optional(key);
  return value ? std::optional(value->boolean(quoted(key))) : std::nullopt;
}

std::optional<Rational> Fields::optional_number(std::string_view key) {
  const Value* value = optional(key);
  return value ? std::optional(value->number(quoted(key))) : std::nullopt;
}

std::optional<std::uint64_t> Fields::optional_whole(std::string_view key) {
  const Value* value = optional(key);
  return value ? std::optional(value->whole(quoted(key))) : std::nullopt;
}

std::optional<std::string> Fields::optional_text(std::string_view key) {
  const Value* value = optional(key);
  return value ? std::optional(value->text(quoted(key))) : std::nullopt;
}

void Fields::finish() {
  finished_ = true;
  expect({});
}

}  // namespace dither::config
