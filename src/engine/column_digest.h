// The values of one column as 32 bytes, whatever library holds them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/int128.h"

namespace dither::engine {

// Takes the values row by row. Not to be shown: whoever guesses the rows could check the guess.
//
// Same       values, however libraries write them: whole numbers of every size, floats and decimals that are whole
//            numbers; halves, singles and doubles; decimals of every scale; dates and the moments of their midnights;
//            moments cut to microseconds; NULLs of every type, NaN, and what no declaration can read.
class ColumnDigest {
 public:
  void add_null();
  void add_boolean(bool value);
  void add_whole(Int128 number);
  void add_real(double number);
  void add_decimal(Int128 number, unsigned scale);  // number / 10^scale
  void add_text(std::string_view text);
  void add_moment(Int128 microseconds);  // since 1970, in UTC

  Digest digest() const { return sha256(text_); }

 private:
  enum class Mark : char;
  void add(const void* bytes, std::size_t count);
  template <class T>
  void add(T bytes) {
    add(&bytes, sizeof bytes);
  }
  void add_number(Mark few, Mark many, Int128 number);

  std::string text_;  // the last piece, behind the digest of those before it
};

}  // namespace dither::engine
