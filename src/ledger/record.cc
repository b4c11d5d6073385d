#include "ledger/record.h"

namespace dither::ledger {

Digest chained(const Digest& before, std::uint64_t number, std::string_view body) {
  std::string text(before.bytes.begin(), before.bytes.end());
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(number >> shift & 0xFF);
  text += body;
  return sha256(text);
}

Record next_record(const Head& head, std::string body) {
  const std::uint64_t number = head.number + 1;
  const Digest hash = chained(head.hash, number, body);
  return {number, std::move(body), hash};
}

}  // namespace dither::ledger
