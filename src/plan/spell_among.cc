// Lists of constants: whether a cell is one of them.
#include <fmt/format.h>

#include <map>

#include "plan/detail/spell_or.h"
#include "plan/functions.h"

namespace dither::plan {

namespace {

constexpr std::size_t kFewest = 3;  // that are worth a list

bool is_listed(Type type) { return type != Type::boolean && type != Type::real; }

// "x = 5", either way round: x and the constant.
struct Equality {
  const Expression* subject;
  const Constant* constant;
};
std::optional<Equality> equality_in(const Expression& expression) {
  const auto* call = std::get_if<Expression::Call>(&expression.content());
  if (call == nullptr || call->function->sql != "=" || !is_listed(call->function->takes[0])) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    if (const auto* constant = std::get_if<Constant>(&call->arguments[i].content())) {
      return Equality{&call->arguments[1 - i], constant};
    }
  }
  return std::nullopt;
}

// x IS NULL AND y IS NULL.
bool are_both_null(const Expression& expression) {
  const auto* both = std::get_if<Expression::Call>(&expression.content());
  if (both == nullptr || both->function->name != "and") return false;
  for (const Expression& one : both->arguments) {
    const auto* call = std::get_if<Expression::Call>(&one.content());
    if (call == nullptr || call->function->sql != "is null") return false;
  }
  return true;
}

}  // namespace

std::string packed_cells(std::span<const Cell> cells) {
  std::string packed;
  for (const Cell& cell : cells) {
    const std::string bytes = canonical(cell);
    packed += fmt::format("{}:", bytes.size()) + bytes;
  }
  return packed;
}

std::string spell_among(const std::string& subject, Type type, std::span<const Cell> cells, Dialect dialect) {
  if (dialect == Dialect::duckdb && is_listed(type) && cells.size() >= kFewest) {
    return fmt::format("dither_among_{}({}, {})", type_name(type), subject, detail::spell_blob(packed_cells(cells)));
  }
  std::string list;
  for (const Cell& cell : cells) list += (list.empty() ? "" : ", ") + spell(constant({type, cell}), dialect, {});
  return fmt::format("({} IN ({}))", subject, list);
}

namespace detail {

const Expression* listed_subject(const Expression& expression) {
  const auto equality = equality_in(expression);
  return equality ? equality->subject : nullptr;
}

std::string spell_blob(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const bool plain = c >= ' ' && c <= '~' && c != '\\' && c != '\'';
    text += plain ? std::string(1, c) : fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("'{}'::BLOB", text);
}

std::vector<std::string> spell_or(const Expression::Call& call, Dialect dialect, std::span<const std::string> columns) {
  std::map<std::string_view, std::vector<Equality>> by_subject;
  std::vector<std::string> parts;
  for (const Expression& argument : call.arguments) {
    if (const auto equality = equality_in(argument)) {
      by_subject[equality->subject->text()].push_back(*equality);
    } else if (dialect == Dialect::duckdb && are_both_null(argument)) {
      // DuckDB 1.5.6 makes x = y OR (x IS NULL AND y IS NULL) false where one alone is NULL; it must not see that.
      parts.push_back(fmt::format("({} IS TRUE)", spell(argument, dialect, columns)));
    } else {
      parts.push_back(spell(argument, dialect, columns));
    }
  }
  for (const auto& [text, equalities] : by_subject) {
    std::vector<Cell> cells;
    for (const Equality& one : equalities) cells.push_back(one.constant->value);
    const Expression& subject = *equalities.front().subject;
    parts.push_back(spell_among(spell(subject, dialect, columns), subject.type(), cells, dialect));
  }
  return parts;
}

}  // namespace detail

}  // namespace dither::plan
