#include "engine/detail/text_growth.h"

#include <algorithm>
#include <array>
#include <vector>

#include "plan/functions.h"

namespace dither::engine::detail {
namespace {

constexpr double kValue =
    16;  // bytes of a number as it is written to a disk, or before a text: what it is and how long

bool is_constant(const plan::Expression& e) { return std::holds_alternative<plan::Constant>(e.content()); }

// What a function says of the length of its result where arguments that vary have these lengths.
class Rule {
 public:
  Rule(const plan::Expression::Call& call, std::span<const plan::Facts> columns) : function_(*call.function) {
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      arguments_.push_back(facts(call.arguments[i], columns));
      if (arguments_[i].type != plan::Type::text || is_constant(call.arguments[i])) continue;
      arguments_[i].values.reset();
      texts_.push_back(i);
    }
  }

  const std::vector<std::size_t>& texts() const { return texts_; }
  std::vector<std::uint64_t> lengths(std::uint64_t of_each) const {
    return std::vector<std::uint64_t>(texts_.size(), of_each);
  }
  double operator()(const std::vector<std::uint64_t>& lengths) const {
    std::vector<plan::Facts> known = arguments_;
    for (std::size_t i = 0; i < texts_.size(); ++i) known[texts_[i]].longest = lengths[i];
    return static_cast<double>(function_.longest(known));
  }

 private:
  const plan::Function& function_;
  std::vector<plan::Facts> arguments_;
  std::vector<std::size_t> texts_;  // arguments whose length varies
};

// Where slopes are measured: up to 8 for functions that replace so many bytes at a time.
constexpr std::array<std::uint64_t, 12> kLengths = {1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 1024, 8192};

double slope(const Rule& rule, std::size_t text, double fixed) {
  double most = 0;
  for (const std::uint64_t length : kLengths) {
    std::vector<std::uint64_t> one = rule.lengths(0);
    one[text] = length;
    most = std::max(most, (rule(one) - fixed) / static_cast<double>(length));
  }
  return most;
}

// One for each text that varies; nothing where they do not bound the rule.
std::vector<double> slopes(const Rule& rule, double fixed) {
  std::vector<double> result;
  for (std::size_t i = 0; i < rule.texts().size(); ++i) result.push_back(slope(rule, i, fixed));
  for (const std::uint64_t length : kLengths) {
    double bound = fixed;
    for (const double one : result) bound += one * static_cast<double>(length);
    if (rule(rule.lengths(length)) > bound * (1 + 1e-9)) return {};
  }
  return result;
}

Growth growth_of_call(const plan::Expression& e, std::span<const plan::Facts> columns) {
  const auto& call = std::get<plan::Expression::Call>(e.content());
  const Rule rule(call, columns);
  const double fixed = rule(rule.lengths(0)), longest = static_cast<double>(facts(e, columns).longest);
  const std::vector<double> by_text = slopes(rule, fixed);
  if (by_text.size() < rule.texts().size() || fixed >= longest) return {kValue + longest, {}};
  Growth result{kValue + fixed, {}};
  for (std::size_t i = 0; i < by_text.size(); ++i) {
    const Growth below = growth_of(call.arguments[rule.texts()[i]], columns);
    result.fixed += by_text[i] * below.fixed;
    for (const auto& [column, times] : below.times) result.times[column] += by_text[i] * times;
  }
  return result;
}

}  // namespace

Growth growth_of(const plan::Expression& expression, std::span<const plan::Facts> columns) {
  if (const auto* column = std::get_if<plan::Expression::Column>(&expression.content())) {
    return {0, {{column->position, 1}}};
  }
  if (expression.type() != plan::Type::text) return {kValue, {}};
  if (is_constant(expression)) return {kValue + static_cast<double>(facts(expression, columns).longest), {}};
  return growth_of_call(expression, columns);
}

RowGrowth growth_of_row(std::span<const plan::Expression> expressions, std::span<const plan::Facts> columns) {
  std::map<std::size_t, double> times;
  RowGrowth row;
  for (const plan::Expression& expression : expressions) {
    const Growth one = growth_of(expression, columns);
    row.fixed += one.fixed;
    for (const auto& [column, by] : one.times) times[column] += by;
  }
  for (const auto& [column, by] : times) row.times = std::max(row.times, by);
  return row;
}

}  // namespace dither::engine::detail
