// Expressions as people write them.
#include <fmt/format.h>

#include <cctype>

#include "plan/functions.h"

namespace dither::plan {

namespace {

// Operators that stand between their arguments; everything else is written as its usage line says.
bool is_between(const Function& function) {
  const std::string_view sql = function.sql;
  return function.takes.size() <= 2 && (function.variadic || function.takes.size() == 2) &&
         (sql == "and" || sql == "or" || sql == "=" || sql == "<" || sql == "+" || sql == "-" || sql == "*" ||
          sql == "/" || sql == "%" || sql == "||" || sql == "like" || sql == "ilike" || sql == "is not distinct from");
}

bool is_constant(const Expression& expression) { return std::holds_alternative<Constant>(expression.content()); }

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

class Words {
 public:
  explicit Words(std::span<const std::string> names) : names_(names) {}

  std::string of(const Expression& expression) const {
    if (const auto* column = std::get_if<Expression::Column>(&expression.content())) return names_[column->position];
    if (const auto* constant = std::get_if<Constant>(&expression.content())) return str(*constant);
    return of(std::get<Expression::Call>(expression.content()));
  }

 private:
  std::string of(const Expression::Call& call) const {
    const Function& function = *call.function;
    const auto& a = call.arguments;
    if (function.name == "not") return opposite(a[0]);
    if (function.name == "real_of_integer" || function.name == "timestamp_of_date") return of(a[0]);
    if (function.sql == "<" && is_constant(a[0])) return fmt::format("{} > {}", inner(a[1]), inner(a[0]));
    if (is_between(function)) return joined(a, fmt::format(" {} ", upper(function.sql)));
    if (function.sql == "case") return choice(call);
    if (function.sql == "neg") return "-" + inner(a[0]);
    if (function.sql.substr(0, 3) == "is ") return fmt::format("{} {}", inner(a[0]), upper(function.sql));
    if (function.sql.substr(0, 5) == "cast ") return fmt::format("CAST({} AS {})", of(a[0]), function.sql.substr(5));
    if (function.sql.substr(0, 8) == "extract ")
      return fmt::format("EXTRACT({} FROM {})", upper(function.sql.substr(8)), of(a[0]));
    if (function.sql.substr(0, 11) == "date_trunc ")
      return fmt::format("DATE_TRUNC('{}', {})", function.sql.substr(11), of(a[0]));
    return fmt::format("{}({})", upper(function.sql), joined_plain(a));
  }

  // NOT (a = b) is a <> b, NOT (a < b) is a >= b, NOT (x IS NULL) is x IS NOT NULL.
  std::string opposite(const Expression& condition) const {
    const auto* call = std::get_if<Expression::Call>(&condition.content());
    if (call == nullptr) return "NOT " + of(condition);
    const std::string_view sql = call->function->sql;
    const auto& a = call->arguments;
    if (sql == "=") return fmt::format("{} <> {}", inner(a[0]), inner(a[1]));
    if (sql == "<" && is_constant(a[0])) return fmt::format("{} <= {}", inner(a[1]), inner(a[0]));
    if (sql == "<") return fmt::format("{} >= {}", inner(a[0]), inner(a[1]));
    if (sql == "is not distinct from") return fmt::format("{} IS DISTINCT FROM {}", inner(a[0]), inner(a[1]));
    if (sql.substr(0, 3) == "is ") return fmt::format("{} IS NOT {}", inner(a[0]), upper(sql.substr(3)));
    if (sql == "like" || sql == "ilike") return fmt::format("{} NOT {} {}", inner(a[0]), upper(sql), inner(a[1]));
    return fmt::format("NOT {}", inner(condition));
  }

  std::string choice(const Expression::Call& first) const {
    std::string text = "CASE";
    for (const Expression::Call* call = &first;;) {
      text += fmt::format(" WHEN {} THEN {}", of(call->arguments[0]), of(call->arguments[1]));
      const Expression& other = call->arguments[2];
      const auto* next = std::get_if<Expression::Call>(&other.content());
      if (next != nullptr && next->function->sql == "case") {
        call = next;
        continue;
      }
      if (!is_null_constant(other)) text += " ELSE " + of(other);
      return text + " END";
    }
  }

  std::string joined(const std::vector<Expression>& parts, std::string_view between) const {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) text.append(i == 0 ? "" : between).append(inner(parts[i]));
    return text;
  }
  std::string joined_plain(const std::vector<Expression>& parts) const {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) text.append(i == 0 ? "" : ", ").append(of(parts[i]));
    return text;
  }

  // In brackets where it is itself an operator.
  std::string inner(const Expression& expression) const {
    const auto* call = std::get_if<Expression::Call>(&expression.content());
    if (call == nullptr) return of(expression);
    const std::string_view sql = call->function->sql;
    const bool open = is_between(*call->function) || sql == "not" || sql == "neg" || sql.substr(0, 3) == "is ";
    return open ? "(" + of(expression) + ")" : of(expression);
  }

  std::span<const std::string> names_;
};

}  // namespace

std::string in_words(const Expression& expression, std::span<const std::string> names) {
  return Words(names).of(expression);
}

}  // namespace dither::plan
