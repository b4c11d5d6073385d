#include "session/draw.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/secret.h"
#include "engine/engine.h"
#include "mechanisms/release.h"
#include "mechanisms/release_in_pieces.h"

namespace dither::session {

using Content = engine::ExactNumbers::Content;
using Row = engine::ExactNumbers::Row;

// The only way into exact numbers; they leave it as secrets, or where they are public.
struct ExactAccess {
  static const Content& content(const engine::ExactNumbers& exact) { return *exact.content_; }
};

namespace {

using calculus::Integers;
using calculus::Keyed;

void require(bool fits) {
  if (!fits) engine::run_failed();
}

// Whether neighbours have the same number: it may then be shown as it is.
bool stands_still(const Part& part) {
  const calculus::CellsDistance& d = part.distance;
  return d.cells.sign() == 0 || d.l1.sign() == 0 || d.largest.sign() == 0;
}

// The exact numbers of a part, key after key, on their way to its noise.
class Exact {
 public:
  explicit Exact(const Part& part) : part_(part) { require(part.measurement || stands_still(part)); }

  void add(Int128 number) {
    if (part_.measurement)
      secrets_.emplace_back(number);
    else
      plain_.push_back(number);
  }
  std::vector<Int128> noisy() {
    if (!part_.measurement) return std::move(plain_);
    return calculus::as<Integers>(mechanisms::release(*part_.measurement, secrets_).value());
  }

 private:
  const Part& part_;
  std::vector<Secret<Int128>> secrets_;
  std::vector<Int128> plain_;
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

// Takes private keys in their order, and decides about so many at a time: about each by itself, so that all pieces together have
// the law of one release. However many keys there are, it holds those of a piece and those that were chosen.
class Choosing {
 public:
  using Take = std::function<void(const Row&)>;
  Choosing(const KeyChoice& keys, Take take) : keys_(keys), take_(std::move(take)) {
    require(mechanisms::treats_keys_alone(keys.measurement.recipe()));
  }
  Choosing(const Choosing&) = delete;
  Choosing& operator=(const Choosing&) = delete;
  ~Choosing() { forget(); }

  void add(const Row& row) {
    std::string key = canonical(row.key);
    require(last_ < key);
    last_ = std::move(key);
    piece_.push_back(row);
    if (piece_.size() == kPiece) release();
  }
  void release() {
    Keyed units;
    for (std::size_t i = 0; i < piece_.size(); ++i) {
      units.keys.push_back(number_of(i));
      units.values.push_back(piece_[i].units);
    }
    const calculus::Private data{calculus::Data(std::move(units))};
    const auto shown = mechanisms::release(keys_.measurement, data);
    const auto& chosen = calculus::as<Keyed>(shown.value());
    for (const std::string& key : chosen.keys) take_(piece_.at(place_of(key)));
    numbers_.insert(numbers_.end(), chosen.values.begin(), chosen.values.end());
    forget();
  }
  const std::vector<Int128>& numbers() const { return numbers_; }  // noisy: those that decided

 private:
  static constexpr std::size_t kPiece = 4096;

  void forget() {
    for (Row& row : piece_) {
      dither::detail::zeroise(&row.units, sizeof row.units);
      dither::detail::zeroise(row.numbers.data(), row.numbers.size() * sizeof(Int128));
    }
    piece_.clear();
  }

  const KeyChoice& keys_;
  Take take_;
  std::string last_;
  std::vector<Row> piece_;
  std::vector<Int128> numbers_;
};

bool same(const std::vector<std::vector<Cell>>& a, const std::vector<std::vector<Cell>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one == other || canonical(one) == canonical(other);  // also -0.0 and NaN
  });
}

void require_shape(const PricedPlan& plan, const Content& content) {
  for (const Part& part : plan.parts) require(part.measure < content.numbers.size());
  if (content.open) return require(plan.keys.has_value());
  if (plan.exact.keys == 0) require(content.keys.size() == 1 && content.keys[0].empty());
  if (plan.exact.public_keys) require(same(content.keys, *plan.exact.public_keys));
  require(content.keys.size() == content.size());
  for (const Part& part : plan.parts) require(content.numbers[part.measure].size() == content.size());
}

}  // namespace

Released draw(const PricedPlan& plan, const engine::ExactNumbers& exact) {
  const Content& content = ExactAccess::content(exact);
  require_shape(plan, content);
  Released released;
  std::vector<Exact> parts(plan.parts.begin(), plan.parts.end());
  const auto take = [&](const Row& row) {
    released.keys.push_back(row.key);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].add(row.numbers.at(plan.parts[i].measure));
  };
  std::optional<Choosing> choosing;
  if (plan.keys) {
    choosing.emplace(*plan.keys, take);
    content.each([&](const Row& row) { choosing->add(row); });
    choosing->release();
  } else {
    content.each(take);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool decides = plan.keys && plan.keys->part == i;
    released.parts.push_back(decides ? choosing->numbers() : parts[i].noisy());
  }
  return released;
}

}  // namespace dither::session
