#include "mechanisms/release_in_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.h"
#include "calculus/all_makers.h"
#include "mechanisms/all_makers.h"
#include "mechanisms/forms.h"
#include "mechanisms/release.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

bool each(std::span<const Form> forms, const std::string& name) {
  return std::any_of(forms.begin(), forms.end(), [&](const Form& form) { return form.each && form.name == name; });
}

Makers all_makers() {
  Makers makers;
  calculus::add_makers(makers);
  mechanisms::add_makers(makers);
  return makers;
}

std::optional<std::uint64_t> dimension(const Domain& domain) {
  if (const auto* vector = std::get_if<VectorDomain>(&domain)) return vector->dimension;
  return std::get<RealsDomain>(domain).dimension;
}

AnyMeasurement remade(const AnyMeasurement& whole, std::size_t size) {
  static const Makers makers = all_makers();
  Domain domain = whole.input();
  if (auto* vector = std::get_if<VectorDomain>(&domain)) vector->dimension = size;
  if (auto* reals = std::get_if<RealsDomain>(&domain)) reals->dimension = size;
  return make_measurement(whole.recipe(), domain, whole.from(), makers);
}

const AnyMeasurement& accepted(const AnyMeasurement& whole) {
  if (InPieces::possible(whole.recipe())) return whole;
  throw Error{Code::no_theorem, fmt::format("{} does not treat every number on its own", whole.recipe().name),
              "release the whole vector at once"};
}

}  // namespace

bool InPieces::possible(const Recipe& recipe) {
  if (recipe.name != "chain") return each(forms(), recipe.name) || each(calculus::forms(), recipe.name);
  return std::all_of(recipe.parts.begin(), recipe.parts.end(), [](const auto& part) { return possible(*part); });
}

InPieces::InPieces(const AnyMeasurement& whole) : whole_(accepted(whole)), piece_(of_size(kPiece)) {}

// Where no size is declared the measurement itself takes all.
AnyMeasurement InPieces::of_size(std::size_t size) const {
  return dimension(whole_.input()) ? remade(whole_, size) : whole_;
}

bool treats_keys_alone(const calculus::Recipe& recipe) {
  const auto& name = recipe.name;
  return name == "laplace-threshold" || name == "gaussian-threshold" || name == "partition-selection";
}

void InPieces::release(std::size_t size, const Exact& exact, const Take& take) const {
  if (dimension(whole_.input()).value_or(size) != size) {
    throw Error{Code::wrong_type,
                fmt::format("this takes {}, but was given {} numbers", describe(whole_.input()), size),
                "give as many numbers as were declared"};
  }
  std::optional<AnyMeasurement> rest;  // of what is left behind whole pieces: no grid is made for no numbers
  if (size % kPiece != 0) rest = of_size(size % kPiece);
  const auto one = [&](std::size_t begin) {
    const std::size_t end = std::min(size, begin + kPiece);
    const auto released = mechanisms::release(end - begin == kPiece ? piece_ : *rest, Private(exact(begin, end)));
    take(begin, as<Integers>(released.value()));
  };
  constexpr std::size_t kOfAThread = 1 << 17, kMostThreads = 8;
  const std::size_t cores = std::min<std::size_t>(kMostThreads, std::max(1U, std::thread::hardware_concurrency()));
  const std::size_t threads = std::clamp<std::size_t>(size / kOfAThread, 1, cores);
  const auto share = [&](std::size_t first) {
    for (std::size_t begin = first * kPiece; begin < size; begin += threads * kPiece) one(begin);
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, share, i));
  share(0);
  for (std::future<void>& other : others) other.get();
}

}  // namespace dither::mechanisms
