// Facts of expressions: by enumeration where the columns' values are known, else rule by rule.
#include <algorithm>
#include <map>

#include "plan/detail/ranges.h"
#include "plan/expression.h"
#include "plan/functions.h"
#include "plan/row_cost.h"

namespace dither::plan {

namespace {

constexpr std::size_t kMostSteps = 1'000'000;  // calls worked out for one expression: a tenth of a second

bool same_value(const Cell& a, const Cell& b) {
  const auto* whole = std::get_if<std::int64_t>(&a);
  const auto* real = std::get_if<double>(&b);
  if (whole != nullptr && real != nullptr) return static_cast<double>(*whole) == *real;
  return a == b;
}

// Whether it gives a value again where that is one of a list: CASE x WHEN 5 THEN 5 WHEN 7 THEN 7 END, or COALESCE of
// such. All of the list are its values then, whatever x may be: who lists keys is answered about each.
bool lists_keys(const Expression& expression, std::vector<Cell>& listed) {
  if (const auto* constant = std::get_if<Constant>(&expression.content())) {
    listed.push_back(constant->value);
    return true;
  }
  const auto* call = std::get_if<Expression::Call>(&expression.content());
  if (call == nullptr) return false;
  const std::vector<Expression>& arguments = call->arguments;
  if (call->function->sql == "coalesce") {
    for (const Expression& argument : arguments) {
      std::erase(listed, Cell{});  // of those before: what follows stands for it
      if (!lists_keys(argument, listed)) return false;
    }
    return true;
  }
  if (call->function->sql != "case") return false;
  const auto* equal = std::get_if<Expression::Call>(&arguments[0].content());
  const auto* given = std::get_if<Constant>(&arguments[1].content());
  if (equal == nullptr || equal->function->sql != "=" || given == nullptr) return false;
  const auto is_given = [&](const Expression& side) {
    const auto* key = std::get_if<Constant>(&side.content());
    return key != nullptr && (same_value(key->value, given->value) || same_value(given->value, key->value));
  };
  if (std::none_of(equal->arguments.begin(), equal->arguments.end(), is_given)) return false;
  listed.push_back(given->value);
  return lists_keys(arguments[2], listed);
}

class Deducer {
 public:
  explicit Deducer(std::span<const Facts> columns) : columns_(columns) {}

  Facts facts(const Expression& expression, bool worked_out_above) {
    if (const auto* column = std::get_if<Expression::Column>(&expression.content())) return columns_[column->position];
    if (const auto* constant = std::get_if<Constant>(&expression.content())) return facts_of(*constant);
    std::vector<Cell> listed;
    const bool lists = !worked_out_above && lists_keys(expression, listed) && listed.size() <= kMostValues;
    const bool enumerable = !worked_out_above && !lists && can_enumerate(expression);
    const auto& call = std::get<Expression::Call>(expression.content());
    std::vector<Facts> arguments;
    for (const Expression& argument : call.arguments) {
      arguments.push_back(facts(argument, worked_out_above || lists || enumerable));
    }
    Facts result = facts_of_call(*call.function, arguments);
    if (lists) {
      narrow_to(result, std::move(listed));
    } else if (enumerable) {
      narrow_to(result, enumerate(expression));
    } else if (!worked_out_above) {
      narrow_to_choices(*call.function, arguments, result);
    }
    const auto fixed = [&](std::size_t position) { return columns_[position].of_unit; };
    result.of_unit = std::all_of(expression.reads().begin(), expression.reads().end(), fixed);
    return result;
  }

 private:
  const std::optional<std::vector<Cell>>& values(std::size_t position) {
    if (columns_[position].values) return columns_[position].values;
    const auto known = short_.find(position);
    if (known != short_.end()) return known->second;
    return short_.emplace(position, with_values(columns_[position]).values).first->second;
  }

  bool can_enumerate(const Expression& expression) {
    std::size_t combinations = 1;
    for (const std::size_t position : expression.reads()) {
      if (!values(position)) return false;
      combinations *= values(position)->size();
      if (combinations > kMostValues) return false;
    }
    if (combinations * expression.nodes() > kMostSteps - steps_) return false;
    // Long texts take the time of many calls.
    const auto each =
        std::max(static_cast<Int128>(expression.nodes()), evaluation_work(expression, columns_) / kEachCall);
    if (each * static_cast<Int128>(combinations) > static_cast<Int128>(kMostSteps - steps_)) return false;
    steps_ += combinations * static_cast<std::size_t>(each);
    return true;
  }

  // What it gives for every combination of the columns' values, counting through them like an odometer.
  std::vector<Cell> enumerate(const Expression& expression) {
    const std::vector<std::size_t>& reads = expression.reads();
    std::vector<Cell> row(reads.empty() ? 0 : reads.back() + 1), results;
    std::vector<std::size_t> digits(reads.size(), 0);
    for (const std::size_t position : reads) {
      if (values(position)->empty()) return {};
      row[position] = values(position)->front();
    }
    for (;;) {
      results.push_back(evaluate(expression, row));
      std::size_t i = 0;
      for (; i < reads.size(); ++i) {
        digits[i] = (digits[i] + 1) % values(reads[i])->size();
        row[reads[i]] = (*values(reads[i]))[digits[i]];
        if (digits[i] != 0) break;
      }
      if (i == reads.size()) return results;
    }
  }

  // What chooses between values that are known is one of them, whatever decides: CASE town WHEN 'a' THEN 'a' END.
  void narrow_to_choices(const Function& function, std::span<const Facts> arguments, Facts& result) {
    const bool first_known = function.sql == "coalesce";
    if (!first_known && function.sql != "case") return;
    std::vector<Cell> all;
    for (const Facts& facts : first_known ? arguments : arguments.subspan(1)) {
      if (!facts.values || all.size() + facts.values->size() > std::min(kMostValues, kMostSteps - steps_)) return;
      all.insert(all.end(), facts.values->begin(), facts.values->end());
    }
    steps_ += all.size();
    if (!result.nullable) std::erase(all, Cell{});
    Facts known = detail::facts_of_values(result.type, std::move(all));
    result.longest = known.longest;
    result.values = std::move(known.values);
  }

  static void narrow_to(Facts& facts, std::vector<Cell> values) {
    Facts known = detail::facts_of_values(facts.type, std::move(values));
    facts.nullable = known.nullable;
    facts.finite = known.finite;
    facts.range = std::move(known.range);
    facts.longest = known.longest;
    facts.values = std::move(known.values);
  }

  std::span<const Facts> columns_;
  std::map<std::size_t, std::optional<std::vector<Cell>>> short_;
  std::size_t steps_ = 0;
};

}  // namespace

Facts facts(const Expression& expression, std::span<const Facts> columns) {
  return with_values(Deducer(columns).facts(expression, false));
}

Facts facts_of_call(const Function& function, std::span<const Facts> arguments) {
  Facts result;
  result.type = function.gives;
  const auto nullable = [](const Facts& facts) { return facts.nullable; };
  result.nullable = function.nulls == NullRule::own || !function.when_null.empty() ||
                    std::any_of(arguments.begin(), arguments.end(), nullable);
  result.finite = true;
  if (function.gives == Type::text) result.longest = function.longest(arguments);
  if (function.nulls == NullRule::strict && std::any_of(arguments.begin(), arguments.end(), detail::always_null)) {
    return detail::facts_of_values(function.gives, {Cell{}});
  }
  if (function.narrow != nullptr) function.narrow(arguments, result);
  return result;
}

}  // namespace dither::plan
