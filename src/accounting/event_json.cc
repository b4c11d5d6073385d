// The canonical form of events.
#include <fmt/format.h>

#include <iterator>

#include "accounting/detail/exact_json.h"
#include "accounting/detail/fields.h"
#include "accounting/event.h"

namespace dither::accounting {
namespace {

using detail::Presence;

// Prints an object key by key. Texts need no escaping here: all are words of ours or numbers, except the unit, which
// quoted() takes care of.
class Printer {
 public:
  void scale(std::string_view key, const Rational& value, Presence = detail::kRequired) { number(key, value); }
  void loss(std::string_view key, const Rational& value, Presence = detail::kRequired) { number(key, value); }
  void probability(std::string_view key, const Rational& value, Presence = detail::kRequired) { number(key, value); }
  void share(std::string_view key, const Rational& value, Presence = detail::kRequired) { number(key, value); }
  void number(std::string_view key, const Rational& value, Presence = detail::kRequired) {
    raw(key, detail::exact_json(value));
  }
  void count(std::string_view key, std::uint64_t value, Presence = detail::kRequired) {
    raw(key, fmt::format("{}", value));
  }
  void runs(std::string_view key, std::uint64_t value, Presence) {
    if (value > 0) count(key, value);
  }
  void numbers(std::string_view key, const std::vector<Rational>& values, Presence = detail::kRequired) {
    std::string list;
    for (const Rational& value : values) {
      fmt::format_to(std::back_inserter(list), "{}{}", list.empty() ? "" : ",", detail::exact_json(value));
    }
    raw(key, "[" + list + "]");
  }
  template <class E, class Names>
  void word(std::string_view key, E value, const Names& names) {
    raw(key, fmt::format("\"{}\"", names[static_cast<std::size_t>(value)]));
  }
  void flag(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }
  void mechanism(std::string_view key, const Inner& inner);
  void parts(std::string_view key, const std::vector<Rational>& weights, const std::vector<Inner>& parts);
  void raw(std::string_view key, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "{}\"{}\":{}", text_.empty() ? "" : ",", key, text);
  }
  void kind(const Mechanism& mechanism) {
    raw("mechanism", fmt::format("\"{}\"", mechanism_name(mechanism)));
    std::visit([this](const auto& m) { detail::visit_fields(*this, m); }, mechanism.kind);
  }
  std::string object() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

void Printer::mechanism(std::string_view key, const Inner& inner) {
  Printer printer;
  printer.kind(inner.get());
  raw(key, printer.object());
}

void Printer::parts(std::string_view key, const std::vector<Rational>& weights, const std::vector<Inner>& parts) {
  std::string list;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Printer printer;
    printer.number("weight", weights[i]);
    printer.kind(parts[i].get());
    list += (i == 0 ? "" : ",") + printer.object();
  }
  raw(key, "[" + list + "]");
}

void print_sampler(Printer& printer, const Poisson& sampler) {
  printer.number("poisson", sampler.rate);
  if (!sampler.cut) return;
  printer.count("max_batch", sampler.cut->max_batch);
  printer.count("population", sampler.cut->population);
}
void print_sampler(Printer& printer, const WithoutReplacement& sampler) {
  printer.count("without_replacement", sampler.batch);
  printer.count("population", sampler.population);
}
void print_sampler(Printer& printer, const WithReplacement& sampler) {
  printer.count("with_replacement", sampler.draws);
  printer.count("population", sampler.population);
}
void print_sampler(Printer& printer, const ShuffledBatches& sampler) {
  printer.count("shuffled_batches", sampler.batches);
}
void print_sampler(Printer& printer, const RandomAllocation& sampler) {
  printer.count("random_allocation", sampler.steps);
}
void print_sampler(Printer& printer, const AllOrNothing& sampler) { printer.number("all_or_nothing", sampler.rate); }

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string canonical_json(const Event& event) {
  Printer printer;
  if (event.sample) {
    Printer sampler;
    std::visit([&](const auto& s) { print_sampler(sampler, s); }, *event.sample);
    printer.raw("sample", sampler.object());
    printer.mechanism("of", event.mechanism);
  } else {
    printer.kind(event.mechanism);
  }
  printer.count("times", event.times);
  return printer.object();
}

std::string canonical_json(const EventList& list) {
  std::string events;
  for (const Event& event : list.events) events += (events.empty() ? "" : ",") + canonical_json(event);
  Printer printer;
  printer.raw("format", "\"dither-events\"");
  printer.count("version", 1);
  printer.raw("neighbours", fmt::format("\"{}\"", neighbours_name(list.neighbours)));
  printer.raw("unit", quoted(list.unit.name));
  printer.count("group", list.group);
  printer.raw("events", "[" + events + "]");
  return printer.object();
}

}  // namespace dither::accounting
