#include "base/error.h"

#include <array>
#include <cstdlib>

namespace dither {

namespace {

constexpr std::array kCodes = {
    Code::bad_argument, Code::bad_bracket,      Code::bad_count,    Code::bad_grid,
    Code::bad_number,   Code::bad_probability,  Code::bad_scale,    Code::bad_weights,
    Code::cannot_write, Code::division_by_zero, Code::out_of_range, Code::unknown_law,
};

}  // namespace

std::string_view code_name(Code code) {
  switch (code) {  // no default: the compiler reports a code without a word
    case Code::bad_argument:
      return "bad-argument";
    case Code::bad_bracket:
      return "bad-bracket";
    case Code::bad_count:
      return "bad-count";
    case Code::bad_grid:
      return "bad-grid";
    case Code::bad_number:
      return "bad-number";
    case Code::bad_probability:
      return "bad-probability";
    case Code::bad_scale:
      return "bad-scale";
    case Code::bad_weights:
      return "bad-weights";
    case Code::cannot_write:
      return "cannot-write";
    case Code::division_by_zero:
      return "division-by-zero";
    case Code::out_of_range:
      return "out-of-range";
    case Code::unknown_law:
      return "unknown-law";
  }
  std::abort();
}

std::span<const Code> all_codes() { return kCodes; }

std::string Error::str() const {
  return "error: " + std::string(code_name(code_)) + ": " + what() + "\nhint:  " + hint_;
}

}  // namespace dither
