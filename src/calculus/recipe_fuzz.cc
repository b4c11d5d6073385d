// Any text given to the readers of recipes, domains and plans is read or refused by an Error; what is read prints as the
// very same text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "calculus/domain_json.h"
#include "calculus/plan_json.h"

namespace {

using namespace dither::calculus;  // NOLINT: the names of this room

void require(bool holds) {
  if (!holds) std::abort();
}

template <typename Body>
void refused_or_fine(Body body) {
  try {
    body();
  } catch (const dither::Error& error) {
    require(!error.hint().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  refused_or_fine([&] { require(canonical_json(recipe_from_json(text)) == text); });
  refused_or_fine([&] { require(canonical_json(domain_from_json(text)) == text); });
  const Makers nobody;
  refused_or_fine([&] { measurement_from_json(text, nobody); });
  return 0;
}
