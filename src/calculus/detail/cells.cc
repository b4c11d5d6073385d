#include "calculus/detail/cells.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace dither::calculus::detail {

namespace {

[[noreturn]] void bad_spelling(std::string_view spelling) {
  throw Error{Code::bad_syntax, fmt::format("\"{}\" does not spell a cell", spelling),
              "give the text that a recipe holds, unchanged"};
}

template <class T>
T digits(std::string_view text, int base, std::string_view spelling) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) bad_spelling(spelling);
  return value;
}

std::string text_from(std::string_view hexadecimal, std::string_view spelling) {
  if (hexadecimal.size() % 2 != 0) bad_spelling(spelling);
  std::string bytes;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(digits<unsigned char>(hexadecimal.substr(i, 2), 16, spelling));
  }
  return bytes;
}

double to_double(const Cell& cell) {
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return 0;  // whole numbers are finite, which is all that is asked
}

}  // namespace

bool is_missing(const Cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (real != nullptr && std::isnan(*real));
}

std::optional<Rational> exact_number(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return Rational(*whole);
  const auto* real = std::get_if<double>(&cell);
  if (real == nullptr || !std::isfinite(*real)) return std::nullopt;
  return Rational::from_double(*real);
}

std::optional<std::strong_ordering> compare(const Cell& a, const Cell& b) {
  if (is_missing(a) || is_missing(b)) return std::nullopt;
  const auto x = exact_number(a), y = exact_number(b);
  if (x && y) return *x <=> *y;
  const CellType left = *type_of(a), right = *type_of(b);
  if (is_number(left) && is_number(right)) {  // an infinity is among them
    const double u = to_double(a), v = to_double(b);
    const int p = std::isinf(u) ? (u > 0 ? 1 : -1) : 0, q = std::isinf(v) ? (v > 0 ? 1 : -1) : 0;
    return p <=> q;
  }
  if (left != right) return std::nullopt;
  if (left == CellType::boolean) return std::get<bool>(a) <=> std::get<bool>(b);
  return std::get<std::string>(a).compare(std::get<std::string>(b)) <=> 0;
}

std::optional<CellType> type_of(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return std::nullopt;
  if (std::holds_alternative<bool>(cell)) return CellType::boolean;
  if (std::holds_alternative<std::int64_t>(cell)) return CellType::integer;
  return std::holds_alternative<double>(cell) ? CellType::real : CellType::text;
}

bool is_number(CellType type) { return type == CellType::integer || type == CellType::real; }

std::string spelled(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return canonical(cell);
  std::string hexadecimal = "t";
  for (const char c : *text) hexadecimal += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hexadecimal;
}

std::vector<std::string> spelled(const std::vector<Cell>& cells) {
  std::vector<std::string> all;
  for (const Cell& cell : cells) all.push_back(spelled(cell));
  return all;
}

Cell cell_from(std::string_view spelling) {
  if (spelling == "n") return {};
  if (spelling == "b0" || spelling == "b1") return spelling == "b1";
  if (spelling.size() > 1 && spelling[0] == 'i') return digits<std::int64_t>(spelling.substr(1), 10, spelling);
  if (spelling.size() == 17 && spelling[0] == 'r') {
    return std::bit_cast<double>(digits<std::uint64_t>(spelling.substr(1), 16, spelling));
  }
  if (!spelling.empty() && spelling[0] == 't') return text_from(spelling.substr(1), spelling);
  bad_spelling(spelling);
}

std::vector<Cell> cells_from(const std::vector<std::string>& spellings) {
  std::vector<Cell> all;
  for (const std::string& spelling : spellings) all.push_back(cell_from(spelling));
  return all;
}

}  // namespace dither::calculus::detail
