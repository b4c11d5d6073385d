#include "audit/words.h"

#include <cstdint>

namespace dither::audit {

namespace {

std::uint64_t hash(const std::string& text) {
  std::uint64_t sum = 0x6A09'E667'F3BC'C908;
  const auto stir = [&](std::uint64_t next) {
    sum = (sum ^ next) * 0x9E37'79B9'7F4A'7C15;
    sum ^= sum >> 32;
  };
  for (const char c : text) stir(static_cast<unsigned char>(c));
  stir(text.size() + 256);
  stir(257);
  return sum;
}

}  // namespace

Words::Words(const std::vector<std::string>& in_order) {
  for (std::size_t i = 0; i < in_order.size(); ++i) dictionary_->texts.emplace(static_cast<double>(i), in_order[i]);
}

double Words::code(const std::string& word) {
  const auto code = static_cast<double>(hash(word) >> 11);
  const std::lock_guard lock(dictionary_->mutex);
  if (dictionary_->texts.size() < kMostKept) dictionary_->texts.try_emplace(code, word);
  return code;
}

std::optional<std::string> Words::text(double code) const {
  const std::lock_guard lock(dictionary_->mutex);
  const auto found = dictionary_->texts.find(code);
  if (found == dictionary_->texts.end()) return std::nullopt;
  return found->second;
}

}  // namespace dither::audit
