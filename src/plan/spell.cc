// Expressions in the dialects of engines.
#include <fmt/format.h>

#include "base/error.h"
#include "plan/detail/spell_or.h"
#include "plan/functions.h"

namespace dither::plan {

namespace {

constexpr std::size_t kMostSpelled = std::size_t{1} << 20;

std::string_view spelling_in(const Function& function, Dialect dialect) {
  switch (dialect) {
    case Dialect::duckdb:
      return function.spelling.duckdb;
    case Dialect::postgresql:
      return function.spelling.postgresql;
    case Dialect::spark:
      return function.spelling.spark;
  }
  return {};
}

std::string joined(std::span<const std::string> parts, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text.append(i == 0 ? "" : between).append(parts[i]);
  return text;
}

std::string filled(std::string_view form, std::span<const std::string> arguments) {
  std::string text;
  while (!form.empty()) {
    const std::size_t dollar = form.find('$');
    text.append(form.substr(0, dollar));
    if (dollar == std::string_view::npos || text.size() > kMostSpelled) break;
    form.remove_prefix(dollar + 1);
    if (form[0] == '*') {
      text.append(joined(arguments, ", "));
      form.remove_prefix(1);
    } else if (form[0] == '[') {
      const std::size_t end = form.find(']');
      text.append(joined(arguments, form.substr(1, end - 1)));
      form.remove_prefix(end + 1);
    } else if (form[0] >= '1' && form[0] <= '9') {
      text.append(arguments[static_cast<std::size_t>(form[0] - '1')]);
      form.remove_prefix(1);
    } else {
      text += '$';
    }
  }
  return text;
}

std::string doubled(std::string_view text, std::string_view doubles) {
  std::string result;
  for (const char c : text) result.append(doubles.find(c) == std::string_view::npos ? 1 : 2, c);
  return result;
}

std::string typed_null(Type type, Dialect dialect) {
  const bool postgres = dialect == Dialect::postgresql;
  const std::string_view names[] = {"BOOLEAN",
                                    "BIGINT",
                                    postgres ? "float8" : "DOUBLE",
                                    postgres                    ? "text"
                                    : dialect == Dialect::spark ? "STRING"
                                                                : "VARCHAR",
                                    "DATE",
                                    dialect == Dialect::spark ? "TIMESTAMP_NTZ" : "TIMESTAMP"};
  return fmt::format("CAST(NULL AS {})", names[static_cast<std::size_t>(type)]);
}

// Whole numbers and reals carry their type, so that no engine takes one for a decimal or a 32-bit number.
std::string spelled_constant(const Constant& constant, Dialect dialect) {
  const bool spark = dialect == Dialect::spark;
  if (std::holds_alternative<std::monostate>(constant.value)) return typed_null(constant.type, dialect);
  if (const auto* text = std::get_if<std::string>(&constant.value)) {
    if (dialect == Dialect::postgresql) return fmt::format("'{}'::text", doubled(*text, "'"));
    if (!spark && text->find('\0') != std::string::npos) return fmt::format("decode({})", detail::spell_blob(*text));
    if (!spark) return fmt::format("'{}'", doubled(*text, "'"));
    std::string escaped;
    for (const char c : *text) (c == '\'' || c == '\\' ? escaped += '\\' : escaped) += c;
    return fmt::format("'{}'", escaped);
  }
  std::string plain = str(constant);
  switch (constant.type) {
    case Type::integer:
      if (constant.value == Cell{INT64_MIN})
        return spark ? "(-9223372036854775807L - 1L)" : "(-9223372036854775807 - 1)";
      return fmt::format("CAST({} AS BIGINT)", plain);
    case Type::real:
      return fmt::format("CAST('{}' AS {})", plain, dialect == Dialect::postgresql ? "float8" : "DOUBLE");
    case Type::timestamp:
      return spark ? "TIMESTAMP_NTZ" + plain.substr(plain.find(' ')) : plain;
    default:
      return plain;
  }
}

[[noreturn]] void refuse_length(Dialect dialect) {
  throw Error{
      Code::too_deep,
      fmt::format("an expression takes more than {} bytes in the SQL of {}", kMostSpelled, dialect_name(dialect)),
      "use what earlier steps of the statement work out less often"};
}

const Expression::Call* case_in(const Expression& expression) {
  const auto* call = std::get_if<Expression::Call>(&expression.content());
  return call != nullptr && call->function->sql == "case" ? call : nullptr;
}

// WHENs that follow in the ELSE are written one behind the other: engines plan deep expressions slowly.
std::string spelled_case(const Expression& expression, Dialect dialect, std::span<const std::string> columns) {
  std::string text = "(CASE";
  const Expression* rest = &expression;
  for (const auto* call = case_in(*rest); call != nullptr; call = case_in(*rest)) {
    text += fmt::format(" WHEN {} THEN {}", spell(call->arguments[0], dialect, columns),
                        spell(call->arguments[1], dialect, columns));
    if (text.size() > kMostSpelled) refuse_length(dialect);
    rest = &call->arguments[2];
  }
  return text + fmt::format(" ELSE {} END)", spell(*rest, dialect, columns));
}

}  // namespace

std::string spell(const Expression& expression, Dialect dialect, std::span<const std::string> columns) {
  if (const auto* column = std::get_if<Expression::Column>(&expression.content())) return columns[column->position];
  if (const auto* constant = std::get_if<Constant>(&expression.content())) return spelled_constant(*constant, dialect);
  const auto& call = std::get<Expression::Call>(expression.content());
  const std::string_view form = spelling_in(*call.function, dialect);
  if (form.empty()) {
    throw Error{Code::not_supported,
                fmt::format("{} has no {} ({}) with the same meaning", dialect_name(dialect), call.function->usage,
                            call.function->name),
                "leave it out, or ask a source that Dither reads itself"};
  }
  if (case_in(expression) != nullptr) return spelled_case(expression, dialect, columns);
  std::vector<std::string> arguments;
  if (call.function->name == "or") {
    arguments = detail::spell_or(call, dialect, columns);
  } else {
    for (const Expression& argument : call.arguments) arguments.push_back(spell(argument, dialect, columns));
  }
  std::string text = filled(form, arguments);
  if (text.size() > kMostSpelled) refuse_length(dialect);
  return text;
}

}  // namespace dither::plan
