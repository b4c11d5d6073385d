#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/nearest.h"
#include "base/text.h"
#include "sql/detail/expressions.h"

namespace dither::sql {

using plan::Expression;
using plan::Type;

namespace {

// Whole numbers beyond 32 bits come as text too; beyond 64 bits they are reals.
Expression number_of(const Text& text, std::string_view digits, std::size_t place) {
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (error == std::errc{} && end == digits.data() + digits.size()) return plan::constant({Type::integer, whole});
  double real = 0;
  const auto [last, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
  if (wrong != std::errc{} || last != digits.data() + digits.size() || !std::isfinite(real)) {
    text.refuse(Code::out_of_range, place,
                fmt::format("{} is beyond the numbers that can be computed with", echo(digits)),
                "write a number between -1e308 and 1e308, and not closer to 0 than 1e-307");
  }
  return plan::constant({Type::real, real});
}

// Types as PostgreSQL, BigQuery and DuckDB call them.
const std::map<std::string, Type, std::less<>>& type_names() {
  static const std::map<std::string, Type, std::less<>> names{
      {"bool", Type::boolean},       {"boolean", Type::boolean},
      {"int2", Type::integer},       {"int4", Type::integer},
      {"int8", Type::integer},       {"int64", Type::integer},
      {"integer", Type::integer},    {"bigint", Type::integer},
      {"float4", Type::real},        {"float8", Type::real},
      {"float64", Type::real},       {"double", Type::real},
      {"real", Type::real},          {"numeric", Type::real},
      {"decimal", Type::real},       {"text", Type::text},
      {"varchar", Type::text},       {"string", Type::text},
      {"date", Type::date},          {"timestamp", Type::timestamp},
      {"datetime", Type::timestamp}, {"timestamptz", Type::timestamp}};
  return names;
}

std::string type_word(const PgQuery__TypeName& type) { return type.names[type.n_names - 1]->string->sval; }

Type type_of(const Text& text, const PgQuery__TypeName& type) {
  const auto place = static_cast<std::size_t>(std::max(type.location, 0));
  const std::string word = type_word(type);
  const bool ours = type.n_names == 1 || std::string_view(type.names[0]->string->sval) == "pg_catalog";
  const auto found = type_names().find(word);
  if (!ours || found == type_names().end()) {
    std::vector<std::string> names;
    for (const auto& [name, meant] : type_names()) names.push_back(name);
    text.refuse(Code::unknown_type, place, fmt::format("there is no type \"{}\" here", echo(word)),
                fmt::format("write {}", nearest(word, names)));
  }
  if (type.n_typmods > 0) {
    text.refuse(Code::not_supported, place, fmt::format("a length or precision of {} is not answered", echo(word)),
                "leave the parentheses out, and use ROUND or LEFT");
  }
  return found->second;
}

// The unit that INTERVAL '5' DAY names: PostgreSQL keeps it as a bit.
std::string interval_unit(const Text& text, const PgQuery__TypeName& type) {
  static constexpr std::array<std::pair<int, const char*>, 6> kUnits{{{1 << 1, " month"},
                                                                      {1 << 2, " year"},
                                                                      {1 << 3, " day"},
                                                                      {1 << 10, " hour"},
                                                                      {1 << 11, " minute"},
                                                                      {1 << 12, " second"}}};
  if (type.n_typmods == 0) return "";
  const PgQuery__Node& mask = *type.typmods[0];
  if (type.n_typmods == 1 && mask.node_case == PG_QUERY__NODE__NODE_A_CONST &&
      mask.a_const->val_case == PG_QUERY__A__CONST__VAL_IVAL) {
    for (const auto& [bit, unit] : kUnits) {
      if (mask.a_const->ival->ival == bit) return unit;
    }
  }
  text.refuse(Code::not_supported, static_cast<std::size_t>(std::max(type.location, 0)),
              "an interval of several units or with a precision is not answered", "write INTERVAL '5 days'");
}

}  // namespace

std::size_t place_of(const PgQuery__Node& node) {
  int location = 0;
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      location = node.column_ref->location;
      break;
    case PG_QUERY__NODE__NODE_A_CONST:
      location = node.a_const->location;
      break;
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
      location = node.bool_expr->location;
      break;
    case PG_QUERY__NODE__NODE_NULL_TEST:
      location = node.null_test->location;
      break;
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
      location = node.boolean_test->location;
      break;
    case PG_QUERY__NODE__NODE_A_EXPR:
      location = node.a_expr->location;
      break;
    case PG_QUERY__NODE__NODE_CASE_EXPR:
      location = node.case_expr->location;
      break;
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
      location = node.coalesce_expr->location;
      break;
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
      location = node.min_max_expr->location;
      break;
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      location = node.type_cast->location;
      if (location < 0) location = node.type_cast->type_name->location;  // DATE '...'
      break;
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      location = node.func_call->location;
      break;
    case PG_QUERY__NODE__NODE_ROW_EXPR:
      location = node.row_expr->location;
      break;
    case PG_QUERY__NODE__NODE_NAMED_ARG_EXPR:
      location = node.named_arg_expr->location;
      break;
    case PG_QUERY__NODE__NODE_RES_TARGET:
      location = node.res_target->location;
      break;
    case PG_QUERY__NODE__NODE_RANGE_VAR:
      location = node.range_var->location;
      break;
    default:
      break;
  }
  return static_cast<std::size_t>(std::max(location, 0));
}

Expression constant_of(const Text& text, const PgQuery__AConst& node) {
  const auto place = static_cast<std::size_t>(std::max(node.location, 0));
  if (node.isnull) return plan::constant({Type::text, Cell{}});
  switch (node.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return plan::constant({Type::integer, Cell{std::int64_t{node.ival->ival}}});
    case PG_QUERY__A__CONST__VAL_FVAL:
      return number_of(text, node.fval->fval, place);
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
      return plan::constant({Type::boolean, Cell{node.boolval->boolval != 0}});
    default:
      return plan::constant({Type::text, Cell{std::string(node.sval->sval)}});
  }
}

std::optional<std::string> interval_of(const Text& text, const PgQuery__Node& node) {
  if (node.node_case != PG_QUERY__NODE__NODE_TYPE_CAST) return std::nullopt;
  const PgQuery__TypeCast& cast = *node.type_cast;
  if (type_word(*cast.type_name) != "interval") return std::nullopt;
  if (cast.arg->node_case != PG_QUERY__NODE__NODE_A_CONST || cast.arg->a_const->isnull ||
      cast.arg->a_const->val_case != PG_QUERY__A__CONST__VAL_SVAL) {
    text.refuse(Code::not_supported, place_of(node), "an interval that is no constant is not answered",
                "write INTERVAL '5 days'");
  }
  return cast.arg->a_const->sval->sval + interval_unit(text, *cast.type_name);
}

Expression Expressions::cast(const PgQuery__TypeCast& node, const Clause& clause) {
  const auto place =
      static_cast<std::size_t>(std::max(node.location < 0 ? node.type_name->location : node.location, 0));
  if (type_word(*node.type_name) == "interval") {
    text_.refuse(Code::not_supported, place, "an interval is answered behind + and - alone",
                 "add it to a date or a timestamp: day + INTERVAL '5 days'");
  }
  const Type type = type_of(text_, *node.type_name);
  const Expression argument = dispatch(*node.arg, clause);
  Expression result = resolved(place, fmt::format("cast {}", plan::type_name(type)), {argument});
  const bool typed_constant = std::holds_alternative<plan::Constant>(argument.content());
  if (typed_constant && plan::is_null_constant(result) && !plan::is_null_constant(argument)) {
    text_.refuse(Code::wrong_type, place, fmt::format("{} is no {}", echo(argument.text()), plan::type_name(type)),
                 "write dates as '2024-02-29' and timestamps as '2024-02-29 23:59:59'");
  }
  return result;
}

}  // namespace dither::sql
