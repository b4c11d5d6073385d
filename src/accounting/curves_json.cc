// The canonical form of curves.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "accounting/curves.h"
#include "accounting/detail/exact_json.h"
#include "base/error.h"
#include "config/config.h"

namespace dither::accounting {
namespace {

using config::error_at;
using config::Fields;
using config::Value;

constexpr std::array<std::string_view, 6> kKinds{"approximate", "zcdp", "renyi", "gdp", "tradeoff", "loss"};
constexpr std::array<std::string_view, 3> kViews{"remove", "add", "replace"};
constexpr std::array<std::string_view, 2> kSides{"pessimistic", "optimistic"};

std::string hex(double value) { return fmt::format("\"{:a}\"", value); }

// [["a","b"],["c","d"]].
template <class List, class Both>
std::string pairs(const List& list, const Both& both) {
  std::string text;
  for (const auto& item : list) {
    const auto [first, second] = both(item);
    fmt::format_to(std::back_inserter(text), "{}[{},{}]", text.empty() ? "" : ",", hex(first), hex(second));
  }
  return "[" + text + "]";
}

struct Body {
  std::string operator()(const ApproximateDp& curve) const {
    return fmt::format("\"epsilon\":{},\"delta\":{}", detail::exact_json(curve.epsilon),
                       detail::exact_json(curve.delta));
  }
  std::string operator()(const ConcentratedDp& curve) const {
    return fmt::format("\"rho\":{},\"delta\":{}", detail::exact_json(curve.rho), detail::exact_json(curve.delta));
  }
  std::string operator()(const RenyiTable& curve) const {
    return fmt::format("\"bounds\":{},\"delta\":{}",
                       pairs(curve.bounds, [](const OrderBound& b) { return std::pair(b.order, b.epsilon); }),
                       hex(curve.delta));
  }
  std::string operator()(const GaussianDp& curve) const {
    return fmt::format("\"squared_mu\":{}", detail::exact_json(curve.squared_mu));
  }
  std::string operator()(const TradeoffCurve& curve) const {
    return fmt::format("\"lines\":{}",
                       pairs(curve.lines, [](const ProfilePoint& p) { return std::pair(p.epsilon, p.delta); }));
  }
  std::string operator()(const LossCurve& curve) const {
    return fmt::format("\"view\":\"{}\",\"side\":\"{}\",\"atoms\":{},\"infinite\":{}",
                       kViews[static_cast<std::size_t>(curve.view)], kSides[static_cast<std::size_t>(curve.side)],
                       pairs(curve.loss.atoms, [](const LossAtom& a) { return std::pair(a.loss, a.mass); }),
                       hex(curve.loss.infinite_mass));
  }
};

// A hexadecimal float, and only as it would be printed.
double read_hex(const Value& value) {
  const std::string& text = value.text("a hexadecimal float");
  const double number = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(number) || fmt::format("{:a}", number) != text) {
    throw error_at(value, Code::bad_number, fmt::format("\"{}\" is not a hexadecimal float", text),
                   "write it as C's %a does, such as 0x1.8p+1");
  }
  return number;
}

double read_probability(const Value& value) {
  const double number = read_hex(value);
  if (!(number >= 0 && number <= 1)) {
    throw error_at(value, Code::bad_probability, "this is not a probability", "give a number between 0 and 1");
  }
  return number;
}

Rational read_exact(Fields& fields, std::string_view key, bool probability = false) {
  const Value& value = fields.required(key);
  Rational number = value.number(fmt::format("\"{}\"", key));
  if (number.sign() < 0)
    throw error_at(value, Code::bad_number, fmt::format("\"{}\" is negative", key), "give 0 or more");
  if (probability && number > Rational(1)) {
    throw error_at(value, Code::bad_probability, fmt::format("\"{}\" is above 1", key), "give a probability");
  }
  return number;
}

template <class Names>
std::size_t read_word(const Value& value, const Names& names) {
  const std::string& word = value.text("a word");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return i;
  }
  throw error_at(value, Code::bad_argument, fmt::format("\"{}\" is not known here", word),
                 fmt::format("write {}", fmt::join(names, ", ")));
}

// Calls take(first, second) for each pair.
template <class Take>
void read_pairs(Fields& fields, std::string_view key, const Take& take) {
  for (const Value& item : fields.list(key)) {
    const auto& both = item.list("a pair");
    if (both.size() != 2) throw error_at(item, Code::wrong_type, "this is not a pair", "give two numbers");
    take(both[0], both[1]);
  }
}

[[noreturn]] void wrong_order(const Value& value) {
  throw error_at(value, Code::bad_weights, "the entries are not increasing", "give them in order, each once");
}

RenyiTable read_renyi(Fields& fields) {
  RenyiTable table;
  read_pairs(fields, "bounds", [&](const Value& first, const Value& second) {
    const OrderBound bound{read_hex(first), read_hex(second)};
    if (!(bound.order > 1) || (!table.bounds.empty() && bound.order <= table.bounds.back().order)) wrong_order(first);
    if (bound.epsilon < 0) throw error_at(second, Code::bad_number, "a divergence is negative", "give 0 or more");
    table.bounds.push_back(bound);
  });
  table.delta = read_probability(fields.required("delta"));
  return table;
}

TradeoffCurve read_tradeoff(Fields& fields) {
  TradeoffCurve curve;
  read_pairs(fields, "lines", [&](const Value& first, const Value& second) {
    const ProfilePoint line{read_hex(first), read_probability(second)};
    if (line.epsilon < 0 || (!curve.lines.empty() && line.epsilon <= curve.lines.back().epsilon)) wrong_order(first);
    curve.lines.push_back(line);
  });
  return curve;
}

LossCurve read_loss(Fields& fields) {
  LossCurve curve{};
  curve.view = static_cast<View>(read_word(fields.required("view"), kViews));
  curve.side = static_cast<LossCurve::Side>(read_word(fields.required("side"), kSides));
  double p = 0;
  double q = 0;
  read_pairs(fields, "atoms", [&](const Value& first, const Value& second) {
    const LossAtom atom{read_hex(first), read_probability(second)};
    if (!curve.loss.atoms.empty() && atom.loss <= curve.loss.atoms.back().loss) wrong_order(first);
    p += atom.mass;
    q += atom.mass * std::exp(-atom.loss);
    curve.loss.atoms.push_back(atom);
  });
  const Value& infinite = fields.required("infinite");
  curve.loss.infinite_mass = read_probability(infinite);
  constexpr double kRounding = 1e-9;
  if (!(std::abs(p + curve.loss.infinite_mass - 1) <= kRounding) || !(q <= 1 + kRounding)) {
    throw error_at(infinite, Code::bad_weights, "the masses are not those of a pair of laws (A-12)",
                   "the masses sum to 1, and the masses times e^-loss to at most 1");
  }
  return curve;
}

Curve read_curve(std::size_t kind, Fields& fields) {
  switch (kind) {
    case 0:
      return ApproximateDp{read_exact(fields, "epsilon"), read_exact(fields, "delta", true)};
    case 1:
      return ConcentratedDp{read_exact(fields, "rho"), read_exact(fields, "delta", true)};
    case 2:
      return read_renyi(fields);
    case 3:
      return GaussianDp{read_exact(fields, "squared_mu")};
    case 4:
      return read_tradeoff(fields);
    default:
      return read_loss(fields);
  }
}

}  // namespace

std::string canonical_json(const Curve& curve) {
  return fmt::format("{{\"format\":\"dither-curve\",\"version\":1,\"kind\":\"{}\",{}}}", kKinds[curve.index()],
                     std::visit(Body{}, curve));
}

Curve curve_from_json(std::string_view text) {
  const Value value = config::read_text(std::string(text), "curve");
  Fields fields(value, "a curve");
  const Value& format = fields.required("format");
  const Value& version = fields.required("version");
  if (format.text("\"format\"") != "dither-curve" || version.whole("\"version\"") != 1) {
    throw error_at(format, Code::bad_argument, "this is not a curve of version 1", "give a \"dither-curve\"");
  }
  const std::size_t kind = read_word(fields.required("kind"), kKinds);
  Curve curve = read_curve(kind, fields);
  fields.finish();
  return curve;
}

}  // namespace dither::accounting
