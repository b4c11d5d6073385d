#include "calculus/domain_json.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "calculus/detail/depth.h"

namespace dither::calculus {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 12;  // no domain nests deeper

[[noreturn]] void bad_domain(std::string_view why) {
  throw Error{Code::bad_syntax, fmt::format("this is not a domain: {}", why),
              "give the text that canonical_json wrote, unchanged"};
}

std::string hex(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::uint64_t unsigned_from(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) bad_domain("a number is not written in digits");
  return value;
}

std::string bytes_from(const std::string& digits) {
  if (digits.size() % 2 != 0) bad_domain("a key is not written in hexadecimal");
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(unsigned_from(std::string_view(digits).substr(i, 2), 16));
  }
  return bytes;
}

struct CellToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::int64_t value) const { return {{"integer", std::to_string(value)}}; }
  Json operator()(double value) const {
    return {{"real", fmt::format("{:016x}", std::bit_cast<std::uint64_t>(value))}};
  }
  Json operator()(const std::string& value) const { return {{"text", value}}; }
};

Cell cell_from(const Json& json) {
  if (json.is_null()) return std::monostate();
  if (json.is_boolean()) return json.get<bool>();
  if (json.contains("text")) return json["text"].get<std::string>();
  if (json.contains("real")) {
    const auto digits = json["real"].get<std::string>();
    return std::bit_cast<double>(unsigned_from(digits, 16));
  }
  const auto digits = json.at("integer").get<std::string>();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) bad_domain("a number is not written in digits");
  return value;
}

Rational number_from(const Json& json) {
  const auto text = json.get<std::string>();
  if (text.find_first_not_of("-/0123456789") != std::string::npos) bad_domain("a number is not a fraction");
  try {
    return Rational::parse(text);
  } catch (const Error&) {
    bad_domain("a number is not a fraction");
  }
}

void put(Json& json, const char* key, const std::optional<std::uint64_t>& value) {
  if (value) json[key] = std::to_string(*value);
}
void put(Json& json, const std::optional<Bounds>& bounds) {
  if (bounds) json["bounds"] = {bounds->low.str(), bounds->high.str()};
}
std::optional<std::uint64_t> count_from(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  return unsigned_from(json[key].get<std::string>(), 10);
}
std::optional<Bounds> bounds_from(const Json& json) {
  if (!json.contains("bounds")) return std::nullopt;
  return Bounds{number_from(json["bounds"].at(0)), number_from(json["bounds"].at(1))};
}

Json to_json(const Column& column) {
  Json json = {
      {"name", column.name}, {"type", std::string(cell_type_name(column.type))}, {"nullable", column.nullable}};
  if (column.finite) json["finite"] = true;
  put(json, column.bounds);
  for (const Cell& cell : column.categories) json["categories"].push_back(std::visit(CellToJson{}, cell));
  return json;
}

CellType type_from(const std::string& name) {
  for (const CellType type : {CellType::boolean, CellType::integer, CellType::real, CellType::text}) {
    if (cell_type_name(type) == name) return type;
  }
  bad_domain("a column has no type that exists");
}

Column column_from(const Json& json) {
  Column column{json.at("name").get<std::string>(), type_from(json.at("type").get<std::string>()),
                json.at("nullable").get<bool>(), json.contains("finite"), bounds_from(json)};
  if (json.contains("categories")) {
    for (const Json& cell : json["categories"]) column.categories.push_back(cell_from(cell));
  }
  return column;
}

Json columns_json(const TableDomain& domain) {
  Json json = {{"columns", Json::array()}};
  for (const Column& column : domain.columns) json["columns"].push_back(to_json(column));
  put(json, "rows", domain.rows);
  put(json, "rows_per_unit", domain.rows_per_unit);
  put(json, "keys_per_unit", domain.keys_per_unit);
  return json;
}

TableDomain table_from(const Json& json) {
  TableDomain domain;
  for (const Json& column : json.at("columns")) domain.columns.push_back(column_from(column));
  domain.rows = count_from(json, "rows");
  domain.rows_per_unit = count_from(json, "rows_per_unit");
  domain.keys_per_unit = count_from(json, "keys_per_unit");
  return domain;
}

struct ToJson {
  Json operator()(const TableDomain& domain) const { return {{"table", columns_json(domain)}}; }
  Json operator()(const TablesDomain& domain) const {
    Json tables = Json::array();
    for (const TableDomain& table : domain.tables) tables.push_back(columns_json(table));
    return {{"tables", tables}};
  }
  Json operator()(const VectorDomain& domain) const {
    Json json = Json::object();
    put(json, "dimension", domain.dimension);
    json["step"] = domain.step.str();
    put(json, domain.bounds);
    return {{"vector", json}};
  }
  Json operator()(const RealsDomain& domain) const {
    Json json = Json::object();
    put(json, "dimension", domain.dimension);
    json["finite"] = domain.finite;
    put(json, domain.bounds);
    return {{"reals", json}};
  }
  Json operator()(const KeyedDomain& domain) const {
    Json json = Json::object();
    if (domain.keys) {
      json["keys"] = Json::array();
      for (const std::string& key : *domain.keys) json["keys"].push_back(hex(key));
    }
    json["step"] = domain.step.str();
    return {{"keyed", json}};
  }
};

KeyedDomain keyed_from(const Json& json) {
  KeyedDomain domain;
  if (json.contains("keys")) {
    domain.keys.emplace();
    for (const Json& key : json["keys"]) domain.keys->push_back(bytes_from(key.get<std::string>()));
  }
  domain.step = number_from(json.at("step"));
  return domain;
}

Domain from_json(const Json& json) {
  if (json.contains("table")) return table_from(json["table"]);
  if (json.contains("tables")) {
    TablesDomain domain;
    for (const Json& table : json["tables"]) domain.tables.push_back(table_from(table));
    return domain;
  }
  if (json.contains("vector")) {
    const Json& one = json["vector"];
    return VectorDomain{count_from(one, "dimension"), number_from(one.at("step")), bounds_from(one)};
  }
  if (json.contains("reals")) {
    const Json& one = json["reals"];
    return RealsDomain{count_from(one, "dimension"), one.at("finite").get<bool>(), bounds_from(one)};
  }
  return keyed_from(json.at("keyed"));
}

}  // namespace

std::string canonical_json(const Domain& domain) {
  try {
    return std::visit(ToJson{}, domain).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error{Code::bad_syntax, "a column's name or category is not UTF-8", "rename it"};
  }
}

Domain domain_from_json(std::string_view text) {
  if (detail::depth_of_json(text) > kDeepest) bad_domain("it is nested too deeply");
  Domain domain;
  try {
    domain = from_json(Json::parse(text));
  } catch (const nlohmann::json::exception&) {
    bad_domain("it is not JSON of the right shape");
  }
  if (canonical_json(domain) != text) bad_domain("it is not in canonical form");
  require_domain(domain);
  return domain;
}

}  // namespace dither::calculus
