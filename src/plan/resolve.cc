// From a call as SQL writes it to the overload that it means.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "plan/functions.h"

namespace dither::plan {

namespace {

struct Named {
  std::vector<const Function*> overloads;
  const Shorthand* shorthand = nullptr;
};

const std::map<std::string, Named, std::less<>>& names() {
  static const auto all = [] {
    std::map<std::string, Named, std::less<>> found;
    for (const Function& function : all_functions()) found[std::string(function.sql)].overloads.push_back(&function);
    for (const Shorthand& shorthand : all_shorthands()) found[std::string(shorthand.sql)].shorthand = &shorthand;
    return found;
  }();
  return all;
}

[[noreturn]] void refuse_name(std::string_view name) {
  std::vector<std::string> all;
  for (const auto& [known, functions] : names()) all.push_back(known);
  const std::optional<std::string> near = near_enough(name, all);
  throw Error{Code::unknown_function, fmt::format("there is no function \"{}\"", echo(name)),
              (near ? fmt::format("did you mean {}? ", *near) : "") + "`dither functions` lists all"};
}

const Constant* constant_in(const Expression& expression) { return std::get_if<Constant>(&expression.content()); }

bool is_text_of(const Expression& expression, Type type) {
  const Constant* constant = constant_in(expression);
  const auto* text = constant == nullptr ? nullptr : std::get_if<std::string>(&constant->value);
  std::int64_t ignored = 0;
  if (text == nullptr) return false;
  return type == Type::date ? date_from(*text, ignored) : type == Type::timestamp && timestamp_from(*text, ignored);
}

// How far an argument is from a type: 0 is it, more needs a conversion, nothing cannot be.
std::optional<int> distance(const Expression& argument, Type type) {
  if (argument.type() == type || is_null_constant(argument)) return 0;
  if (argument.type() == Type::integer && type == Type::real) return 1;
  if (argument.type() == Type::date && type == Type::timestamp) return 1;
  if (is_text_of(argument, type)) return type == Type::date ? 2 : 3;
  return std::nullopt;
}

Type type_at(const Function& function, std::size_t i) { return function.takes[std::min(i, function.takes.size() - 1)]; }

std::optional<int> distance(const Function& function, const std::vector<Expression>& arguments) {
  const std::size_t fewest = function.takes.size();
  if (arguments.size() < fewest || (arguments.size() > fewest && !function.variadic)) return std::nullopt;
  int total = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto one = distance(arguments[i], type_at(function, i));
    if (!one) return std::nullopt;
    total += *one;
  }
  return total;
}

const Function* best(const std::vector<const Function*>& overloads, const std::vector<Expression>& arguments) {
  const Function* chosen = nullptr;
  int least = 0;
  for (const Function* function : overloads) {
    const auto total = distance(*function, arguments);
    if (!total || (chosen != nullptr && *total >= least)) continue;
    chosen = function;
    least = *total;
  }
  return chosen;
}

template <typename Types>
std::string listed(const Types& types) {
  std::vector<std::string_view> all;
  for (const Type type : types) all.push_back(type_name(type));
  return all.empty() ? "nothing" : fmt::format("({})", fmt::join(all, ", "));
}

[[noreturn]] void refuse_arguments(std::string_view name, const std::vector<const Function*>& overloads,
                                   const std::vector<Expression>& arguments) {
  std::vector<Type> given;
  for (const Expression& argument : arguments) given.push_back(argument.type());
  std::vector<std::string> takes;
  for (const Function* function : overloads) {
    takes.push_back(listed(function->takes) + (function->variadic ? " or more" : ""));
    if (takes.size() == 4) break;
  }
  throw Error{Code::wrong_type, fmt::format("{} does not take {}", name, listed(given)),
              fmt::format("it takes {}; CAST(x AS type) changes a type", fmt::join(takes, ", "))};
}

[[noreturn]] void refuse_count(const Shorthand& shorthand, std::size_t given) {
  throw Error{Code::wrong_type, fmt::format("{} does not take {} arguments", shorthand.sql, given),
              fmt::format("write {}", shorthand.usage)};
}

Expression converted(const Expression& argument, Type type) {
  if (!is_text_of(argument, type)) return widened(argument, type, "an argument");
  std::int64_t value = 0;
  const std::string& text = std::get<std::string>(constant_in(argument)->value);
  type == Type::date ? date_from(text, value) : timestamp_from(text, value);
  return constant({type, value});
}

Expression resolved(const Function& function, std::vector<Expression> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i] = converted(arguments[i], type_at(function, i));
    if (i + function.constants >= arguments.size() && constant_in(arguments[i]) == nullptr) {
      throw Error{Code::wrong_type, fmt::format("{}: argument {} must be a constant", function.usage, i + 1),
                  "write a number or a text there, not a column"};
    }
  }
  return call(function, std::move(arguments));
}

}  // namespace

bool is_null_constant(const Expression& expression) {
  const Constant* constant = constant_in(expression);
  return constant != nullptr && std::holds_alternative<std::monostate>(constant->value);
}

Type wider(Type a, Type b, std::string_view where) {
  if (a == b) return a;
  if (is_number(a) && is_number(b)) return Type::real;
  const auto temporal = [](Type type) { return type == Type::date || type == Type::timestamp; };
  if (temporal(a) && temporal(b)) return Type::timestamp;
  throw Error{Code::wrong_type, fmt::format("{}: {} and {} do not go together", where, type_name(a), type_name(b)),
              "make them one type: CAST(x AS text)"};
}

Expression widened(const Expression& expression, Type type, std::string_view where) {
  if (expression.type() == type) return expression;
  if (is_null_constant(expression)) return constant({type, Cell{}});
  if (expression.type() == Type::integer && type == Type::real)
    return call(function_named("real_of_integer"), {expression});
  if (expression.type() == Type::date && type == Type::timestamp) {
    return call(function_named("timestamp_of_date"), {expression});
  }
  throw Error{Code::wrong_type,
              fmt::format("{}: {} is needed, but this is {}", where, type_name(type), type_name(expression.type())),
              fmt::format("write CAST(x AS {})", type_name(type))};
}

Expression resolve(std::string_view name, std::vector<Expression> arguments) {
  const auto found = names().find(name);
  if (found == names().end()) refuse_name(name);
  const auto& [overloads, shorthand] = found->second;
  if (shorthand != nullptr) {
    if (arguments.size() < shorthand->fewest || arguments.size() > shorthand->most) {
      refuse_count(*shorthand, arguments.size());
    }
    return shorthand->build(arguments);
  }
  if (name == "+" && arguments.size() == 2 && arguments[1].type() == Type::date) std::swap(arguments[0], arguments[1]);
  const Function* function = best(overloads, arguments);
  if (function == nullptr) refuse_arguments(name, overloads, arguments);
  return resolved(*function, std::move(arguments));
}

}  // namespace dither::plan
