#include "accounting/neighbours.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace dither::accounting {
namespace {

using Name = std::pair<Neighbours, std::string_view>;
constexpr std::array kNames{Name{Neighbours::add_remove, "add-remove"}, Name{Neighbours::replace_one, "replace-one"},
                            Name{Neighbours::both, "both"}};

}  // namespace

std::string_view neighbours_name(Neighbours neighbours) { return kNames[static_cast<std::size_t>(neighbours)].second; }

Neighbours neighbours_from(std::string_view name) {
  for (const Name& known : kNames) {
    if (known.second == name) return known.first;
  }
  throw Error{Code::unknown_neighbours, fmt::format("\"{}\" is not a neighbour relation", name),
              "write add-remove, replace-one or both"};
}

}  // namespace dither::accounting
