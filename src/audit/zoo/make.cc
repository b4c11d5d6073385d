#include "audit/zoo/make.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

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

Channel written_out(const Target& target, const std::vector<Law>& laws) {
  std::set<std::vector<double>> outputs;
  for (const Law& law : laws) {
    for (const auto& [output, likely] : law) outputs.insert(output);
  }
  Channel::Names inputs, names;
  std::vector<std::vector<Rational>> rows;
  Adjacency adjacency;
  for (std::size_t i = 0; i < target.pairs.size(); ++i) {
    inputs.insert(inputs.end(), {target.pairs[i].first, target.pairs[i].second});
    adjacency.pairs.emplace_back(2 * i, 2 * i + 1);
  }
  for (const std::vector<double>& output : outputs) names.push_back(output_name(output));
  for (const Law& law : laws) {
    std::vector<Rational>& row = rows.emplace_back();
    for (const std::vector<double>& output : outputs) row.push_back(law.contains(output) ? law.at(output) : 0);
  }
  return {inputs, names, rows, adjacency};
}

Rational below(double bound) { return Rational::from_double(std::ceil(bound * 0x1p53)) * Rational::power_of_two(-53); }

std::string output_name(std::span<const double> row) { return fmt::format("{}", fmt::join(row, " ")); }

std::vector<std::string_view> all_but(std::initializer_list<std::string_view> blind) {
  std::vector<std::string_view> names = testers();
  std::erase_if(names, [&](std::string_view one) { return std::find(blind.begin(), blind.end(), one) != blind.end(); });
  return names;
}

std::string twin_name(std::string_view name, bool right) {
  return fmt::format("zoo.{}{}", name, right ? ".right" : "");
}

}  // namespace dither::audit::zoo
