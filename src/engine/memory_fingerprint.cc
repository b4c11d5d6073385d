#include "engine/memory_fingerprint.h"

#include <fmt/format.h>

#include <algorithm>

namespace dither::engine {
namespace {

constexpr std::string_view kBetween = "; ";
constexpr std::string_view kForm = " in memory, HMAC-SHA-256 of columns ";
constexpr std::string_view kEarlierForm = " in memory, HMAC-SHA-256 ";  // then the digest
constexpr std::string_view kEarlierForMany = " files, SHA-256 of paths, sizes and times of change ";
constexpr std::size_t kDigits = 64;  // of a digest

// Whether it is true of one of the fingerprints.
template <class Holds>
bool any_of(std::string_view noted, const Holds& holds) {
  while (true) {
    const std::size_t end = std::min(noted.find(kBetween), noted.size());
    if (holds(noted.substr(0, end))) return true;
    if (end == noted.size()) return false;
    noted.remove_prefix(end + kBetween.size());
  }
}

// Whether only the digest stands behind this form.
bool has_form(std::string_view one, std::string_view form) {
  return one.size() >= form.size() + kDigits && one.substr(one.size() - form.size() - kDigits, form.size()) == form;
}

}  // namespace

std::string memory_fingerprint(std::string_view table, std::string_view digest) {
  return fmt::format("{}{}{}", table, kForm, digest);
}

bool is_noted(std::string_view one, std::string_view noted) {
  return !one.empty() && any_of(noted, [&](std::string_view part) { return part == one; });
}

bool noted_by_earlier_build(std::string_view noted) {
  return any_of(noted,
                [](std::string_view part) { return has_form(part, kEarlierForm) || has_form(part, kEarlierForMany); });
}

}  // namespace dither::engine
