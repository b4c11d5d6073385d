// One event from its canonical form: the printer of event_json.cc backwards, key by key in the same order.
#include <fmt/format.h>

#include <charconv>

#include "accounting/detail/fields.h"
#include "accounting/event.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using detail::Presence;

constexpr int kDeepest = 64;  // mechanisms inside mechanisms

[[noreturn]] void refuse(std::string_view text) {
  throw Error{Code::bad_syntax,
              fmt::format("the text of an event is not in its canonical form: {}", text.substr(0, 200)),
              "restore the text as it was written"};
}

// What is left of the text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : all_(text), rest_(text) {}

  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  void expect(std::string_view expected) {
    if (!skip(expected)) refuse(all_);
  }
  // The comma before a key other than the first, and the key.
  void key(std::string_view name, bool first = false) {
    expect(first ? "\"" : ",\"");
    expect(name);
    expect("\":");
  }
  bool next_key_is(std::string_view name) const {
    return rest_.starts_with(",\"") && rest_.substr(2).starts_with(name) &&
           rest_.substr(2 + name.size()).starts_with("\":");
  }
  std::string_view word() {
    expect("\"");
    const std::string_view found = rest_.substr(0, rest_.find('"'));
    rest_.remove_prefix(found.size());
    expect("\"");
    return found;
  }
  Rational number() { return Rational::parse(rest_.starts_with('"') ? word() : digits()); }
  std::uint64_t count() {
    const std::string_view found = digits();
    std::uint64_t value = 0;
    if (std::from_chars(found.data(), found.data() + found.size(), value).ec != std::errc()) refuse(all_);
    return value;
  }
  bool done() const { return rest_.empty(); }
  void deeper() {
    if (++depth_ > kDeepest) refuse(all_);
  }
  void back() { --depth_; }

 private:
  std::string_view digits() {
    const std::string_view found = rest_.substr(0, rest_.find_first_not_of("-0123456789"));
    rest_.remove_prefix(found.size());
    return found;
  }

  std::string_view all_;
  std::string_view rest_;
  int depth_ = 0;
};

Mechanism read_mechanism(Cursor& cursor, bool first);

// Fills in parameters in the order in which they were printed. What is optional in files is always there.
class Reader {
 public:
  explicit Reader(Cursor& cursor) : cursor_(cursor) {}

  void scale(std::string_view key, Rational& member, Presence = detail::kRequired) { number(key, member); }
  void loss(std::string_view key, Rational& member, Presence = detail::kRequired) { number(key, member); }
  void probability(std::string_view key, Rational& member, Presence = detail::kRequired) { number(key, member); }
  void share(std::string_view key, Rational& member, Presence = detail::kRequired) { number(key, member); }
  void number(std::string_view key, Rational& member, Presence = detail::kRequired) {
    cursor_.key(key);
    member = cursor_.number();
  }
  void count(std::string_view key, std::uint64_t& member, Presence = detail::kRequired) {
    cursor_.key(key);
    member = cursor_.count();
  }
  void runs(std::string_view key, std::uint64_t& member, Presence) {
    if (cursor_.next_key_is(key)) count(key, member);
  }
  void numbers(std::string_view key, std::vector<Rational>& member, Presence = detail::kRequired) {
    cursor_.key(key);
    cursor_.expect("[");
    while (!cursor_.skip("]")) {
      if (!member.empty()) cursor_.expect(",");
      member.push_back(cursor_.number());
    }
  }
  template <class E, class Names>
  void word(std::string_view key, E& member, const Names& names) {
    cursor_.key(key);
    const std::string_view found = cursor_.word();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == found) member = static_cast<E>(i);  // another word prints as the first one, and is refused there
    }
  }
  void flag(std::string_view key, bool& member) {
    cursor_.key(key);
    member = cursor_.skip("true");
    if (!member) cursor_.expect("false");
  }
  void mechanism(std::string_view key, Inner& member) {
    cursor_.key(key);
    cursor_.expect("{");
    member = Inner(read_mechanism(cursor_, true));
    cursor_.expect("}");
  }
  void parts(std::string_view key, std::vector<Rational>& weights, std::vector<Inner>& parts) {
    cursor_.key(key);
    cursor_.expect("[");
    while (!cursor_.skip("]")) {
      cursor_.expect(parts.empty() ? "{" : ",{");
      cursor_.key("weight", true);
      weights.push_back(cursor_.number());
      parts.emplace_back(read_mechanism(cursor_, false));
      cursor_.expect("}");
    }
  }

 private:
  Cursor& cursor_;
};

template <std::size_t I = 0>
Mechanism read_kind(std::string_view name, Cursor& cursor) {
  if constexpr (I < detail::kMechanismNames.size()) {
    if (name != detail::kMechanismNames[I]) return read_kind<I + 1>(name, cursor);
    auto mechanism = detail::blank<std::variant_alternative_t<I, Mechanism::Kind>>();
    Reader reader(cursor);
    detail::visit_fields(reader, mechanism);
    return mechanism;
  } else {
    refuse(name);
  }
}

Mechanism read_mechanism(Cursor& cursor, bool first) {
  cursor.deeper();
  cursor.key("mechanism", first);
  Mechanism mechanism = read_kind(cursor.word(), cursor);
  cursor.back();
  return mechanism;
}

Sampler read_sampler(Cursor& cursor) {
  const auto population = [&] { return cursor.key("population"), cursor.count(); };
  if (cursor.skip("\"poisson\":")) {
    Poisson poisson{cursor.number(), {}};
    if (cursor.skip(",\"max_batch\":")) {
      const std::uint64_t most = cursor.count();
      poisson.cut = Poisson::Cut{most, population()};
    }
    return poisson;
  }
  if (cursor.skip("\"without_replacement\":")) {
    const std::uint64_t batch = cursor.count();
    return WithoutReplacement{batch, population()};
  }
  if (cursor.skip("\"with_replacement\":")) {
    const std::uint64_t draws = cursor.count();
    return WithReplacement{draws, population()};
  }
  if (cursor.skip("\"shuffled_batches\":")) return ShuffledBatches{cursor.count()};
  if (cursor.skip("\"random_allocation\":")) return RandomAllocation{cursor.count()};
  cursor.key("all_or_nothing", true);
  return AllOrNothing{cursor.number()};
}

Event read_event(Cursor& cursor) {
  Event event{{}, Gaussian{}, 1};
  cursor.expect("{");
  if (cursor.skip("\"sample\":{")) {
    event.sample = read_sampler(cursor);
    cursor.expect("},\"of\":{");
    event.mechanism = read_mechanism(cursor, true);
    cursor.expect("}");
  } else {
    event.mechanism = read_mechanism(cursor, true);
  }
  cursor.key("times");
  event.times = cursor.count();
  cursor.expect("}");
  return event;
}

}  // namespace

Event event_from_json(std::string_view text) {
  Cursor cursor(text);
  Event event = read_event(cursor);
  if (canonical_json(event) != text) refuse(text);  // a number spelled in another way, a word that does not exist
  require_valid(event);
  return event;
}

}  // namespace dither::accounting
