#include "audit/zoo/make.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dither::audit::zoo {

namespace {

constexpr std::size_t kShown = 12;  // numbers of an input that are put into words

std::string in_words(const Input& input) {
  const std::size_t shown = std::min(kShown, input.size());
  return fmt::format("[{}{}]", fmt::join(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < input.size() ? fmt::format(", ... {} in all", input.size()) : "");
}

Draw draw_of(const Mechanism& mechanism, const Input& input, std::size_t width) {
  return [mechanism, input, width](Outputs& out, std::int64_t runs, random::Source& source) {
    const std::span<double> cells = out.add(runs);
    for (std::size_t at = 0; at < cells.size(); at += width) mechanism(input, cells.subspan(at, width), source);
  };
}

}  // namespace

double Laplace::draw_positive(random::Source& source) const {
  for (;;) {
    const Int128 k = law_.draw(source);
    if (k >= 0) return static_cast<double>(k) * kStep;
  }
}

Shape numbers(std::size_t columns) { return Shape(columns, Reading::number); }

Target target(std::string name, const Promise& promise, const Shape& shape, const Mechanism& mechanism,
              const std::vector<Neighbours>& pairs) {
  Target result{std::move(name), promise, shape, {}};
  for (const Neighbours& pair : pairs) {
    result.pairs.push_back({pair.first_words.empty() ? in_words(pair.first) : pair.first_words,
                            pair.second_words.empty() ? in_words(pair.second) : pair.second_words,
                            draw_of(mechanism, pair.first, shape.size()),
                            draw_of(mechanism, pair.second, shape.size())});
  }
  return result;
}

std::vector<std::string_view> all_but(std::initializer_list<std::string_view> blind) {
  std::vector<std::string_view> names = testers();
  std::erase_if(names, [&](std::string_view one) { return std::find(blind.begin(), blind.end(), one) != blind.end(); });
  return names;
}

std::string twin_name(std::string_view name, bool right) {
  return fmt::format("zoo.{}{}", name, right ? ".right" : "");
}

}  // namespace dither::audit::zoo
