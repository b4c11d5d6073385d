#include "audit/zoo/zoo.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/tester.h"
#include "audit/zoo/make.h"
#include "base/error.h"
#include "base/text.h"

namespace dither::audit::zoo {

namespace {

std::vector<Entry> made() {
  std::vector<Entry> entries;
  for (const auto add :
       {add_laplace, add_noisy_max, add_sparse_vector, add_local, add_coins, add_composed, add_wrong_noise,
        add_wrong_reuse, add_wrong_floats, add_wrong_bounds, add_wrong_sensitivity, add_wrong_sums, add_missing_noise,
        add_wrong_training, add_wrong_keys, add_wrong_choice, add_leaky_outputs, add_blind_spots}) {
    add(entries);
  }
  return entries;
}

}  // namespace

std::span<const Entry> all() {
  static const std::vector<Entry> entries = made();
  return entries;
}

const Entry& entry(std::string_view name) {
  const auto found = std::find_if(all().begin(), all().end(), [&](const Entry& one) { return one.name == name; });
  if (found != all().end()) return *found;
  throw Error(Code::bad_argument, fmt::format("the zoo has no mechanism \"{}\"", echo(name)),
              "`dither verify --planted` lists them");
}

std::vector<std::string_view> testers() {
  std::vector<std::string_view> names;
  for (const Tester& one : all_testers()) names.push_back(one.name);
  names.push_back(tester("likelihood").name);
  return names;
}

}  // namespace dither::audit::zoo
