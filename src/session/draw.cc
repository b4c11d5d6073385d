#include "session/draw.h"

#include <algorithm>

#include "base/secret.h"
#include "engine/engine.h"
#include "mechanisms/release.h"

namespace dither::session {

using Content = engine::ExactNumbers::Content;

// The only way into exact numbers; they leave it as secrets, or where they are public.
struct ExactAccess {
  static const Content& content(const engine::ExactNumbers& exact) { return *exact.content_; }
};

namespace {

using calculus::Integers;
using calculus::Keyed;

// Positions among the exact keys.
using Places = std::vector<std::size_t>;

void require(bool fits) {
  if (!fits) engine::run_failed();
}

// Whether neighbours have the same number: it may then be shown as it is.
bool stands_still(const Part& part) {
  const calculus::CellsDistance& d = part.distance;
  return d.cells.sign() == 0 || d.l1.sign() == 0 || d.largest.sign() == 0;
}

std::vector<Int128> noisy(const Part& part, const std::vector<Int128>& exact, const Places& places) {
  if (!part.measurement) {
    require(stands_still(part));
    std::vector<Int128> plain;
    for (const std::size_t at : places) plain.push_back(exact[at]);
    return plain;
  }
  std::vector<Secret<Int128>> secrets;
  secrets.reserve(places.size());
  for (const std::size_t at : places) secrets.emplace_back(exact[at]);
  return calculus::as<Integers>(mechanisms::release(*part.measurement, secrets).value());
}

Places all_of(std::size_t keys) {
  Places places(keys);
  for (std::size_t i = 0; i < keys; ++i) places[i] = i;
  return places;
}

// What was chosen, and the noisy numbers that decided.
struct Choice {
  Places places;
  std::vector<Int128> numbers;
};

// A number for the key at each place, in the order of places: keys may be long, and choosing needs none of their bytes.
std::string number_of(std::uint64_t place) {
  std::string bytes(sizeof place, '\0');
  for (std::size_t i = bytes.size(); i > 0; --i, place >>= 8) bytes[i - 1] = static_cast<char>(place);
  return bytes;
}
std::size_t place_of(const std::string& number) {
  std::uint64_t place = 0;
  for (const char byte : number) place = place << 8 | static_cast<unsigned char>(byte);
  return place;
}

void require_ascending(const Content& content) {
  std::string last;
  for (std::size_t i = 0; i < content.size(); ++i) {
    std::string key = canonical(content.key(i));
    require(last < key);
    last = std::move(key);
  }
}

Choice choose(const KeyChoice& keys, const Content& content) {
  require_ascending(content);
  Keyed units;
  for (std::size_t i = 0; i < content.size(); ++i) units.keys.push_back(number_of(i));
  units.values = content.units;
  const calculus::Private data{calculus::Data(std::move(units))};
  const auto shown = mechanisms::release(keys.measurement, data);
  Choice choice;
  const auto& chosen = calculus::as<Keyed>(shown.value());
  for (const std::string& key : chosen.keys) choice.places.push_back(place_of(key));
  choice.numbers = chosen.values;
  return choice;
}

bool same(const std::vector<std::vector<Cell>>& a, const std::vector<std::vector<Cell>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one == other || canonical(one) == canonical(other);  // also -0.0 and NaN
  });
}

void require_shape(const PricedPlan& plan, const Content& content) {
  if (plan.exact.keys == 0) require(content.keys.size() == 1 && content.keys[0].empty());
  if (plan.exact.public_keys) require(same(content.keys, *plan.exact.public_keys));
  require(content.read_key || content.keys.size() == content.size());
  for (const Part& part : plan.parts) {
    require(part.measure < content.numbers.size() && content.numbers[part.measure].size() == content.size());
  }
}

}  // namespace

Released draw(const PricedPlan& plan, const engine::ExactNumbers& exact) {
  const Content& content = ExactAccess::content(exact);
  require_shape(plan, content);
  const Choice choice = plan.keys ? choose(*plan.keys, content) : Choice{all_of(content.size()), {}};
  Released released;
  for (const std::size_t at : choice.places) released.keys.push_back(content.key(at));
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const bool decides = plan.keys && plan.keys->part == i;
    released.parts.push_back(decides ? choice.numbers
                                     : noisy(plan.parts[i], content.numbers[plan.parts[i].measure], choice.places));
  }
  return released;
}

}  // namespace dither::session
