#include "cli/cell_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "show/csv.h"

namespace dither::cli {

using plan::Type;

show::Json cell_json(Type type, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return nullptr;
  if (const bool* truth = std::get_if<bool>(&cell)) return *truth;
  if (const double* real = std::get_if<double>(&cell)) return show::json_real(*real);
  if (const std::string* text = std::get_if<std::string>(&cell)) return *text;
  const std::int64_t whole = std::get<std::int64_t>(cell);
  if (type == Type::date || type == Type::timestamp) return cell_text(type, cell);
  return show::json_integer(whole);
}

std::string cell_text(Type type, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (const bool* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  if (const double* real = std::get_if<double>(&cell)) return show::csv_real(*real);
  if (const std::string* text = std::get_if<std::string>(&cell)) return *text;
  const std::int64_t whole = std::get<std::int64_t>(cell);
  if (type == Type::date) return plan::date_text(whole);
  if (type == Type::timestamp) return plan::timestamp_text(whole);
  return fmt::format("{}", whole);
}

}  // namespace dither::cli
