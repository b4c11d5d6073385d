// Reading a map key by key, without leaving one unread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value.h"

namespace dither::config {

// Hands out the fields of a map. Each call names a key; at the end finish() refuses every key that nobody asked for.
//
//   Fields fields(value, "a gaussian");
//   fields.expect({"mechanism", "sigma", "times"});
//   const Rational sigma = fields.number("sigma");
//   const std::uint64_t times = fields.optional_whole("times").value_or(1);
//   ...
//   fields.finish();
//
// Refuses  missing-key for a required key that is not there; wrong-type for a value of another type (null included,
//          also where the key is optional); unknown-key, with the nearest right key in the hint.
class Fields {
 public:
  // `what` names the map in messages: "a gaussian". wrong-type when the value is no map; it must outlive the Fields.
  Fields(const Value& map, std::string what);
  ~Fields();  // aborts when neither finish() was called nor an exception is on its way: unread keys are never dropped
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  // Refuses keys that are neither listed here nor asked for before. Optional, and earlier than finish(): a mistyped key
  // is then reported as such, and not as a missing one.
  void expect(const std::vector<std::string>& keys);

  const Value& required(std::string_view key);
  const Value* optional(std::string_view key);  // nullptr when it is not there

  bool boolean(std::string_view key);
  Rational number(std::string_view key);
  std::uint64_t whole(std::string_view key);
  const std::string& text(std::string_view key);
  const std::vector<Value>& list(std::string_view key);

  std::optional<bool> optional_boolean(std::string_view key);
  std::optional<Rational> optional_number(std::string_view key);
  std::optional<std::uint64_t> optional_whole(std::string_view key);
  std::optional<std::string> optional_text(std::string_view key);

  void finish();

 private:
  const Value& map_;
  const std::vector<Entry>& entries_;
  std::string what_;
  std::vector<std::string> asked_;
  int exceptions_;
  bool finished_ = false;
};

}  // namespace dither::config
