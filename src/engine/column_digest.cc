#include "engine/column_digest.h"

#include <algorithm>
#include <cmath>

namespace dither::engine {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;  // bytes

std::string_view view_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()};
}

}  // namespace

// What a value is; behind it stands the value. What is the same number has the same.
enum class ColumnDigest::Mark : char { null, boolean, whole, wide, real, fraction, text, moment, wide_moment };

// A long text in pieces: each is hashed behind the digest of those before it.
void ColumnDigest::add(const void* bytes, std::size_t count) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    if (text_.size() == kPiece) text_ = view_of(sha256(text_));
    const std::size_t now = std::min(count, kPiece - text_.size());
    text_.append(from, now);
    from += now;
    count -= now;
  }
}

void ColumnDigest::add_null() { add(Mark::null); }

void ColumnDigest::add_boolean(bool value) {
  add(Mark::boolean);
  add<char>(value ? 1 : 0);
}

void ColumnDigest::add_number(Mark few, Mark many, Int128 number) {
  const auto small = static_cast<std::int64_t>(number);
  add(small == number ? few : many);
  return small == number ? add(small) : add(number);
}

void ColumnDigest::add_whole(Int128 number) { add_number(Mark::whole, Mark::wide, number); }

void ColumnDigest::add_real(double number) {
  if (std::isnan(number)) return add_null();  // pandas writes NULL so
  const bool in_range = number >= -0x1p127 && number < 0x1p127;
  const bool is_whole = in_range && std::trunc(number) == number && !(number == 0 && std::signbit(number));
  if (is_whole) return add_whole(static_cast<Int128>(number));
  add(Mark::real);
  add(number);
}

void ColumnDigest::add_decimal(Int128 number, unsigned scale) {
  if (number == 0) scale = 0;
  for (; scale > 0 && number % 10 == 0; --scale) number /= 10;
  if (scale == 0) return add_whole(number);
  add(Mark::fraction);
  add(scale);
  add(number);
}

void ColumnDigest::add_text(std::string_view text) {
  add(Mark::text);
  add(std::uint64_t{text.size()});
  add(text.data(), text.size());
}

void ColumnDigest::add_moment(Int128 microseconds) { add_number(Mark::moment, Mark::wide_moment, microseconds); }

}  // namespace dither::engine
