// Where something stands in the typed text, and refusals that say so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace dither::sql {

// An Error whose message begins with its place.
class PlacedError : public Error {
  using Error::Error;
};

// The typed text. Offsets are bytes of it; what is shown are lines and columns from 1, columns in characters.
class Text {
 public:
  explicit Text(std::string_view typed) : typed_(typed) {}

  std::string_view typed() const { return typed_; }
  std::string place(std::size_t offset) const;  // "3:14"

  [[noreturn]] void refuse(Code code, std::size_t offset, const std::string& message, std::string hint) const;

  // Runs a step; what it refuses without a place gets this one.
  template <typename Step>
  decltype(auto) at(std::size_t offset, Step&& step) const {
    try {
      return std::forward<Step>(step)();
    } catch (const PlacedError&) {
      throw;
    } catch (const Error& error) {
      refuse(error.code(), offset, error.what(), error.hint());
    }
  }

 private:
  std::string_view typed_;
};

// A name for a hint, as SQL writes it: in double quotes where PostgreSQL would read something else without them; cut when long.
std::string quoted(std::string_view name);

}  // namespace dither::sql
