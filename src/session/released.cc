#include "session/released.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/error.h"
#include "base/text.h"
#include "plan/functions.h"

namespace dither::session {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

[[noreturn]] void damaged() {
  throw Error{Code::ledger_damaged, "the stored answer is not one that was written for this statement",
              "verify the ledger with `dither budget verify`; --again asks anew, and is paid for"};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character first = first_character(text);
    if (!first.valid) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

std::string bits_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<char>(bits >> (56 - 8 * i));
  return to_hex(bytes);
}

double real_from(const std::string& text) {
  const std::string bytes = bytes_from_hex(text);
  if (bytes.size() != 8) damaged();
  std::uint64_t bits = 0;
  for (const char byte : bytes) bits = bits << 8 | static_cast<unsigned char>(byte);
  return std::bit_cast<double>(bits);
}

// Text as JSON writes it; most has nothing to escape.
std::string in_quotes(const std::string& text) {
  const auto plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), plain)) return '"' + text + '"';
  return Json(text).dump();
}

std::string cell_text(const Cell& cell) {
  if (const bool* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return in_quotes("i" + std::to_string(*whole));
  if (const double* real = std::get_if<double>(&cell)) return in_quotes("r" + bits_of(*real));
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return in_quotes(is_utf8(*text) ? "t" + *text : "x" + to_hex(*text));
  }
  return "null";
}

// All of them with commas between, in brackets.
template <class List, class Write>
std::string in_brackets(const List& list, const Write& write) {
  std::string text = "[";
  for (const auto& one : list) {
    if (text.size() > 1) text += ',';
    text += write(one);
  }
  return text + "]";
}

Cell cell_from(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  const auto& text = json.get_ref<const std::string&>();
  const std::string rest = text.substr(text.empty() ? 0 : 1);
  switch (text.empty() ? ' ' : text[0]) {
    case 'i':
      return to_int64_checked(parse_int128(rest));
    case 'r':
      return real_from(rest);
    case 't':
      return rest;
    case 'x':
      return bytes_from_hex(rest);
    default:
      damaged();
  }
}

std::string part_text(const std::vector<Int128>& numbers) {
  std::string text;
  for (const Int128 number : numbers) text += (text.empty() ? "" : " ") + to_string(number);
  return text;
}

std::vector<Int128> part_from(std::string_view text) {
  std::vector<Int128> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    numbers.push_back(parse_int128(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

bool lists_keys(const PricedPlan& plan) { return plan.exact.keys > 0 && !plan.exact.public_keys; }

std::vector<std::vector<Cell>> keys_from(const PricedPlan& plan, const Json& json) {
  if (!lists_keys(plan)) return plan.exact.public_keys.value_or(std::vector<std::vector<Cell>>{{}});
  std::vector<std::vector<Cell>> keys;
  for (const Json& one : json) {
    std::vector<Cell>& key = keys.emplace_back();
    for (const Json& cell : one) key.push_back(cell_from(cell));
    if (key.size() != plan.exact.keys) damaged();
  }
  return keys;
}

Released read(const PricedPlan& plan, std::string_view text) {
  const Json json = Json::parse(text);
  if (json.at("format").get<int>() != kFormat) {
    throw Error{Code::ledger_newer, "the stored answer has a format that this program does not know",
                "read it with the version that wrote it"};
  }
  Released released{keys_from(plan, json.at("keys")), {}};
  for (const Json& one : json.at("parts")) {
    released.parts.push_back(part_from(one.get_ref<const std::string&>()));
    if (released.parts.back().size() != released.keys.size()) damaged();
  }
  if (released.parts.size() != plan.parts.size()) damaged();
  return released;
}

// Sums that are clamped into [0, 0], and so have no noise. A number of units has no clamped total.
bool is_always_zero(const PricedPlan& plan, const Part& part) {
  using enum plan::MeasureKind;
  const plan::Measure& measure = plan.exact.measures[part.measure];
  const bool is_sum = measure.kind == sum || measure.kind == squares || measure.kind == products;
  return is_sum && !part.measurement && measure.total_low == 0 && measure.total_high == 0;
}

// By its form alone; calls of constants are constants already.
bool is_never_true(const plan::Expression& condition) {
  if (const auto* constant = std::get_if<plan::Constant>(&condition.content())) return constant->value != Cell(true);
  const auto* call = std::get_if<plan::Expression::Call>(&condition.content());
  return call != nullptr && call->function->sql == "and" &&
         std::any_of(call->arguments.begin(), call->arguments.end(), is_never_true);
}

}  // namespace

bool shows_no_row(const plan::Relation& answer) {
  const plan::Node::Step& step = answer->step();
  if (const auto* cut = std::get_if<plan::Limit>(&step)) return cut->rows == 0 || shows_no_row(cut->input);
  if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
    return is_never_true(filtered->keep) || shows_no_row(filtered->input);
  }
  if (const auto* projected = std::get_if<plan::Projection>(&step)) return shows_no_row(projected->input);
  if (const auto* once = std::get_if<plan::Distinct>(&step)) return shows_no_row(once->input);
  if (const auto* sorted = std::get_if<plan::Sort>(&step)) return shows_no_row(sorted->input);
  return false;
}

bool has_no_row(const plan::Relation& rows) {
  const plan::Node::Step& step = rows->step();
  if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
    return is_never_true(filtered->keep) || has_no_row(filtered->input);
  }
  if (const auto* projected = std::get_if<plan::Projection>(&step)) return has_no_row(projected->input);
  if (const auto* once = std::get_if<plan::Distinct>(&step)) return has_no_row(once->input);
  if (const auto* joined = std::get_if<plan::Join>(&step)) {
    return has_no_row(joined->left) || (joined->kind == plan::JoinKind::inner && has_no_row(joined->right));
  }
  const auto* all = std::get_if<plan::Union>(&step);
  return all != nullptr && std::all_of(all->inputs.begin(), all->inputs.end(), has_no_row);
}

std::optional<Released> known_beforehand(const PricedPlan& plan) {
  const auto is_zero = [&](const Part& part) { return is_always_zero(plan, part); };
  const bool all_zero = !lists_keys(plan) && std::all_of(plan.parts.begin(), plan.parts.end(), is_zero);
  if (!all_zero && !shows_no_row(plan.answer) && !has_no_row(plan.exact.rows)) return std::nullopt;
  Released released;
  if (!lists_keys(plan)) released.keys = plan.exact.public_keys.value_or(std::vector<std::vector<Cell>>{{}});
  released.parts.assign(plan.parts.size(), std::vector<Int128>(released.keys.size(), 0));
  return released;
}

std::string stored_text(const PricedPlan& plan, const Released& released) {
  const auto key_text = [](const std::vector<Cell>& key) { return in_brackets(key, cell_text); };
  const auto quoted_part = [](const std::vector<Int128>& part) { return in_quotes(part_text(part)); };
  return fmt::format(R"({{"format":{},"keys":{},"parts":{}}})", kFormat,
                     lists_keys(plan) ? in_brackets(released.keys, key_text) : "null",
                     in_brackets(released.parts, quoted_part));
}

Released released_from(const PricedPlan& plan, std::string_view text) {
  try {
    Released released = read(plan, text);
    if (stored_text(plan, released) != text) damaged();
    return released;
  } catch (const Json::exception&) {
    damaged();
  } catch (const Error& error) {
    if (error.code() == Code::ledger_newer) throw;
    damaged();
  }
}

}  // namespace dither::session
