#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "audit/channel.h"
#include "base/error.h"
#include "config/config.h"

namespace dither::audit {

namespace {

using config::error_at;
using config::Fields;
using config::Value;

// A text as JSON has it.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// A whole number bare, a fraction as text: what the strict reader takes as exact.
std::string number(const Rational& value) { return value.is_integer() ? value.str() : '"' + value.str() + '"'; }

template <class List, class Show>
std::string list(const List& items, const Show& show) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ",") + show(item);
  return "[" + text + "]";
}

Channel::Names names(Fields& fields, std::string_view key) {
  Channel::Names all;
  for (const Value& item : fields.list(key)) all.push_back(item.text("a name"));
  return all;
}

const std::vector<Value>& two(const Value& value) {
  const std::vector<Value>& both = value.list("a pair");
  if (both.size() != 2) throw error_at(value, Code::wrong_type, "this is not a pair", "give two numbers");
  return both;
}

Adjacency adjacency(Fields& fields) {
  const Value& value = fields.required("neighbours");
  if (value.kind() == config::Kind::text) {
    if (value.text("neighbours") != "all") {
      throw error_at(value, Code::wrong_type, "neighbours are \"all\" or a list of pairs", "write \"all\" or [[0,1]]");
    }
    return Adjacency::all();
  }
  Adjacency result;
  for (const Value& item : value.list("neighbours")) {
    const auto& both = two(item);
    result.pairs.emplace_back(both[0].whole("an input"), both[1].whole("an input"));
  }
  return result;
}

// The nearest double, for ends that were printed from doubles: both roundings are the same then.
double end(const Value& value) {
  const Rational exact = value.number("an end");
  const double result = exact.to_double_down();
  if (result != exact.to_double_up()) {
    throw error_at(value, Code::bad_number, "an end of an interval is not a double",
                   "give a fraction of powers of two");
  }
  return result;
}

Interval interval(const Value& value) {
  const auto& both = two(value);
  return {end(both[0]), end(both[1])};
}

template <class Number, class Read>
std::vector<std::vector<Number>> rows_of(const std::vector<Value>& rows, const Read& read) {
  std::vector<std::vector<Number>> all;
  for (const Value& row : rows) {
    all.emplace_back();
    for (const Value& entry : row.list("a row")) all.back().push_back(read(entry));
  }
  return all;
}

bool holds_intervals(const std::vector<Value>& rows) {
  if (rows.empty() || rows[0].kind() != config::Kind::list) return false;
  const std::vector<Value>& first = rows[0].list("a row");
  return !first.empty() && first[0].kind() == config::Kind::list;
}

}  // namespace

std::string canonical_json(const Channel& channel) {
  const Adjacency& relation = channel.adjacency();
  std::string rows;
  for (std::size_t input = 0; input < channel.inputs().size(); ++input) {
    std::string row;
    for (std::size_t output = 0; output < channel.outputs().size(); ++output) {
      row += output == 0 ? "" : ",";
      if (channel.is_exact()) {
        row += number(channel.exact(input, output));
      } else {
        const Interval p = channel.probability(input, output);
        row += fmt::format("[{},{}]", number(Rational::from_double(p.low())), number(Rational::from_double(p.high())));
      }
    }
    rows += (input == 0 ? "[" : ",[") + row + "]";
  }
  const auto pair = [](const auto& both) { return fmt::format("[{},{}]", both.first, both.second); };
  return fmt::format(R"({{"dither-channel":1,"inputs":{},"outputs":{},"neighbours":{},"rows":[{}]}})",
                     list(channel.inputs(), quoted), list(channel.outputs(), quoted),
                     relation.all_pairs ? "\"all\"" : list(relation.pairs, pair), rows);
}

Channel channel_from_json(std::string_view text, const std::string& name) {
  const Value value = config::read_text(std::string(text), name);
  Fields fields(value, "a channel");
  fields.expect({"dither-channel", "inputs", "outputs", "neighbours", "rows"});
  const Value& version = fields.required("dither-channel");
  if (version.whole("the version") != 1) {
    throw error_at(version, Code::wrong_type, "this version of channels is not known here", "write version 1");
  }
  Channel::Names inputs = names(fields, "inputs"), outputs = names(fields, "outputs");
  Adjacency relation = adjacency(fields);
  const std::vector<Value>& rows = fields.list("rows");
  fields.finish();
  if (holds_intervals(rows))
    return {std::move(inputs), std::move(outputs), rows_of<Interval>(rows, interval), std::move(relation)};
  const auto exact = [](const Value& entry) { return entry.number("a probability"); };
  return {std::move(inputs), std::move(outputs), rows_of<Rational>(rows, exact), std::move(relation)};
}

}  // namespace dither::audit
