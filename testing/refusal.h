// What a call refuses.
#pragma once

#include <concepts>
#include <optional>

#include "base/error.h"

namespace dither::testing {

// The code of the error that the call throws, or nothing when it goes through.
template <std::invocable Act>
std::optional<Code> refusal(Act&& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

}  // namespace dither::testing
