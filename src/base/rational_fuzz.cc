// Any text given to the number readers is read or refused by an Error; what is read prints as text that reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/int128.h"
#include "base/rational.h"

namespace {

using dither::Int128;
using dither::Rational;

constexpr std::size_t kMaxDigits = 10'000;  // longer numbers print, but are refused as input

void require(bool holds) {
  if (!holds) std::abort();
}

void rational_round_trip(std::string_view text) {
  const Rational value = Rational::parse(text);
  require(value - value == Rational(0));
  require(value.to_double_down() <= value.to_double_up());
  if (const std::string printed = value.str(); printed.size() <= kMaxDigits) require(Rational::parse(printed) == value);
}

void int128_round_trip(std::string_view text) {
  const Int128 value = dither::parse_int128(text);
  require(dither::parse_int128(dither::to_string(value)) == value);
  require(Rational(value) == Rational::parse(text));
  require(Rational(value).floor() == value);
}

template <typename Body>
void refused_or_fine(Body body) {
  try {
    body();
  } catch (const dither::Error& error) {
    require(error.code() == dither::Code::bad_number || error.code() == dither::Code::out_of_range);
    require(!error.hint().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  refused_or_fine([&] { rational_round_trip(text); });
  refused_or_fine([&] { int128_round_trip(text); });
  return 0;
}
