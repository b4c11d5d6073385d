#include "plan/expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "plan/functions.h"
#include "plan/row_cost.h"

namespace dither::plan {

namespace {

const Constant* constant_in(const Expression& expression) { return std::get_if<Constant>(&expression.content()); }

bool is_constant(const Expression& expression) { return constant_in(expression) != nullptr; }

const Expression::Call* call_in(const Expression& expression, std::string_view function) {
  const auto* call = std::get_if<Expression::Call>(&expression.content());
  return call != nullptr && call->function->name == function ? call : nullptr;
}

bool is_truth(const Expression& expression, bool truth) {
  const Constant* constant = constant_in(expression);
  return constant != nullptr && constant->value == Cell{truth};
}

// NULLs say their type.
std::string constant_text(const Constant& constant) {
  const bool null = std::holds_alternative<std::monostate>(constant.value);
  return null ? fmt::format("{} NULL", type_name(constant.type)) : str(constant);
}

std::string call_text(const Function& function, const std::vector<Expression>& arguments) {
  std::size_t bytes = function.name.size() + 2;
  for (const Expression& argument : arguments) bytes += argument.text().size() + 2;
  if (bytes > kMostText) {
    throw Error{Code::too_deep, fmt::format("an expression takes more than {} bytes when it is written out", kMostText),
                "use what earlier steps of the statement work out less often"};
  }
  std::string text(function.name);
  text.reserve(bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) text.append(i == 0 ? "(" : ", ").append(arguments[i].text());
  return text + (arguments.empty() ? "()" : ")");
}

// AND and OR: one flat list, each condition once, without those that change nothing. Empty: all were of that kind.
std::vector<Expression> flat(const Function& function, const std::vector<Expression>& arguments, bool neutral) {
  std::vector<Expression> all;
  for (const Expression& argument : arguments) {
    if (const auto* same = call_in(argument, function.name)) {
      all.insert(all.end(), same->arguments.begin(), same->arguments.end());
    } else if (!is_truth(argument, neutral)) {
      all.push_back(argument);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<Expression> shorter(const Function& function, std::vector<Expression>& arguments) {
  if (function.name == "and" || function.name == "or") {
    const bool neutral = function.name == "and";
    arguments = flat(function, arguments, neutral);
    if (arguments.empty()) return constant({Type::boolean, neutral});
    if (arguments.size() == 1) return arguments[0];
    const auto decides = [&](const Expression& argument) { return is_truth(argument, !neutral); };
    if (std::any_of(arguments.begin(), arguments.end(), decides)) return constant({Type::boolean, !neutral});
  } else if (function.name == "not") {
    if (const auto* inner = call_in(arguments[0], "not")) return inner->arguments[0];
  } else if (function.sql.substr(0, 5) == "cast " && function.takes[0] == function.gives) {
    return arguments[0];
  } else if (function.sql == "case" && is_constant(arguments[0])) {
    return arguments[is_truth(arguments[0], true) ? 1 : 2];
  } else if (function.commutes) {
    std::sort(arguments.begin(), arguments.end());
  }
  return std::nullopt;
}

// Long constants are quickly written: REPEAT('a', 60000) LIKE REPEAT('%_a', 20000).
void require_short_work(const Function& function, const std::vector<Expression>& arguments) {
  constexpr std::size_t kShort = 256;  // bytes, of which no function makes much work
  std::size_t bytes = 0;
  for (const Expression& argument : arguments) bytes += argument.text().size();
  if (bytes <= kShort) return;
  std::vector<Facts> known;
  for (const Expression& argument : arguments) known.push_back(facts_of(*constant_in(argument)));
  if (call_work(function, known) <= kMostFolded) return;
  throw Error{Code::too_long, fmt::format("{} of these constants takes too much work", function.usage),
              "write its value, or shorter texts"};
}

std::optional<Expression> folded(const Function& function, const std::vector<Expression>& arguments) {
  const bool all = std::all_of(arguments.begin(), arguments.end(), is_constant);
  const bool null =
      function.nulls == NullRule::strict && std::any_of(arguments.begin(), arguments.end(), is_null_constant);
  if (null) return constant({function.gives, Cell{}});
  if (!all) return std::nullopt;
  require_short_work(function, arguments);
  std::vector<Cell> cells;
  for (const Expression& argument : arguments) cells.push_back(constant_in(argument)->value);
  return constant({function.gives, value_of_call(function, cells)});
}

std::vector<std::size_t> read_by(const std::vector<Expression>& arguments) {
  std::vector<std::size_t> reads;
  for (const Expression& argument : arguments)
    reads.insert(reads.end(), argument.reads().begin(), argument.reads().end());
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return reads;
}

}  // namespace

Expression column(std::size_t position, Type type) {
  return Expression(std::make_shared<const Expression::Node>(
      Expression::Node{Expression::Column{position}, type, 1, 1, {position}, fmt::format("#{}", position)}));
}

Expression constant(Constant constant) {
  const Type type = constant.type;
  std::string text = constant_text(constant);
  return Expression(
      std::make_shared<const Expression::Node>(Expression::Node{std::move(constant), type, 1, 1, {}, std::move(text)}));
}

Expression call(const Function& function, std::vector<Expression> arguments) {
  if (auto simple = shorter(function, arguments)) return *simple;
  if (auto simple = folded(function, arguments)) return *simple;
  std::size_t depth = 0, nodes = 1;
  for (const Expression& argument : arguments) {
    depth = std::max(depth, argument.depth());
    nodes += argument.nodes();
  }
  if (depth >= kMostDepth) {
    throw Error{Code::too_deep, fmt::format("an expression is nested more than {} deep", kMostDepth),
                "split it: work parts out in a derived table, or write IN (...) for long lists of values"};
  }
  std::vector<std::size_t> reads = read_by(arguments);
  std::string text = call_text(function, arguments);
  return Expression(std::make_shared<const Expression::Node>(
      Expression::Node{Expression::Call{&function, std::move(arguments)}, function.gives, depth + 1, nodes,
                       std::move(reads), std::move(text)}));
}

Cell evaluate(const Expression& expression, std::span<const Cell> row) {
  if (const auto* column = std::get_if<Expression::Column>(&expression.content())) return row[column->position];
  if (const Constant* constant = constant_in(expression)) return constant->value;
  const auto& call = std::get<Expression::Call>(expression.content());
  std::vector<Cell> arguments;
  arguments.reserve(call.arguments.size());
  for (const Expression& argument : call.arguments) arguments.push_back(evaluate(argument, row));
  return value_of_call(*call.function, arguments);
}

Expression substitute(const Expression& expression, std::span<const Expression> columns) {
  if (const auto* column = std::get_if<Expression::Column>(&expression.content())) return columns[column->position];
  if (expression.reads().empty()) return expression;
  const auto& old = std::get<Expression::Call>(expression.content());
  std::vector<Expression> arguments;
  for (const Expression& argument : old.arguments) arguments.push_back(substitute(argument, columns));
  return call(*old.function, std::move(arguments));
}

std::vector<std::size_t> columns_of(const Expression& expression) { return expression.reads(); }

}  // namespace dither::plan
