// Files of events.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accounting/catalogue.h"
#include "accounting/detail/fields.h"
#include "accounting/event.h"
#include "base/error.h"
#include "base/nearest.h"
#include "config/config.h"

namespace dither::accounting {
namespace {

using config::error_at;
using config::Fields;
using config::Value;
using detail::Presence;

// From a map that is being read already, and may hold these keys besides those of the mechanism.
Mechanism read_mechanism(const Value& value, Fields& fields, const std::vector<std::string>& beside);
Mechanism read_mechanism(const Value& value);

// Fills in parameters from the fields of a map. Ranges are checked afterwards, by require_valid.
class Reader {
 public:
  explicit Reader(Fields& fields) : fields_(fields) {}

  void scale(std::string_view key, Rational& member, Presence presence = detail::kRequired) {
    number(key, member, presence);
  }
  void loss(std::string_view key, Rational& member, Presence presence = detail::kRequired) {
    number(key, member, presence);
  }
  void probability(std::string_view key, Rational& member, Presence presence = detail::kRequired) {
    number(key, member, presence);
  }
  void share(std::string_view key, Rational& member, Presence presence = detail::kRequired) {
    number(key, member, presence);
  }
  void number(std::string_view key, Rational& member, Presence presence = detail::kRequired) {
    if (presence == detail::kRequired) {
      member = fields_.number(key);
    } else if (const auto given = fields_.optional_number(key)) {
      member = *given;
    }
  }
  void count(std::string_view key, std::uint64_t& member, Presence presence = detail::kRequired) {
    if (presence == detail::kRequired) {
      member = fields_.whole(key);
    } else if (const auto given = fields_.optional_whole(key)) {
      member = *given;
    }
  }
  void runs(std::string_view key, std::uint64_t& member, Presence presence) { count(key, member, presence); }
  void numbers(std::string_view key, std::vector<Rational>& member, Presence presence = detail::kRequired) {
    const Value* list = presence == detail::kRequired ? &fields_.required(key) : fields_.optional(key);
    if (list == nullptr) return;
    for (const Value& item : list->list(fmt::format("\"{}\"", key))) member.push_back(item.number("an entry"));
  }
  template <class E, class Names>
  void word(std::string_view key, E& member, const Names& names) {
    const Value& value = fields_.required(key);
    const std::string& given = value.text(fmt::format("\"{}\"", key));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == given) {
        member = static_cast<E>(i);
        return;
      }
    }
    throw error_at(value, Code::bad_argument, fmt::format("\"{}\" cannot be \"{}\"", key, given),
                   fmt::format("write {}", fmt::join(names, " or ")));
  }
  void flag(std::string_view key, bool& member) { member = fields_.optional_boolean(key).value_or(false); }
  void mechanism(std::string_view key, Inner& member) { member = Inner(read_mechanism(fields_.required(key))); }
  void parts(std::string_view key, std::vector<Rational>& weights, std::vector<Inner>& parts) {
    for (const Value& item : fields_.list(key)) {
      Fields part(item, "a part of a mixture");
      weights.push_back(part.number("weight"));
      parts.emplace_back(read_mechanism(item, part, {"weight"}));
      part.finish();
    }
  }

 private:
  Fields& fields_;
};

std::vector<std::string> keys_of(std::size_t index, std::vector<std::string> keys) {
  static const std::vector<MechanismEntry> catalogue = mechanism_catalogue();
  keys.emplace_back("mechanism");
  keys.insert(keys.end(), catalogue[index].required.begin(), catalogue[index].required.end());
  keys.insert(keys.end(), catalogue[index].optional.begin(), catalogue[index].optional.end());
  return keys;
}

template <std::size_t I = 0>
Mechanism read_kind(std::size_t index, Fields& fields) {
  if constexpr (I < detail::kMechanismNames.size()) {
    if (index != I) return read_kind<I + 1>(index, fields);
    auto mechanism = detail::blank<std::variant_alternative_t<I, Mechanism::Kind>>();
    Reader reader(fields);
    detail::visit_fields(reader, mechanism);
    return mechanism;
  } else {
    throw std::logic_error("a mechanism beyond the last one");
  }
}

std::size_t mechanism_index(const Value& value, const std::string& name) {
  for (std::size_t i = 0; i < detail::kMechanismNames.size(); ++i) {
    if (detail::kMechanismNames[i] == name) return i;
  }
  if (name == "geometric") return Mechanism(DiscreteLaplace{}).kind.index();
  const std::vector<std::string> names(detail::kMechanismNames.begin(), detail::kMechanismNames.end());
  throw error_at(value, Code::unknown_mechanism, fmt::format("there is no mechanism \"{}\"", name),
                 fmt::format("write {}; `dither account --list` shows all", nearest(name, names)));
}

// Runs a check of ours on something that was read here, so that its error names the place.
template <class Check>
void check_at(const Value& value, const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    throw error_at(value, error.code(), error.what(), error.hint());
  }
}

Mechanism read_mechanism(const Value& value, Fields& fields, const std::vector<std::string>& beside) {
  const Value& name = fields.required("mechanism");
  const std::size_t index = mechanism_index(name, name.text("\"mechanism\""));
  fields.expect(keys_of(index, beside));
  Mechanism mechanism = read_kind(index, fields);
  check_at(value, [&] { require_valid(mechanism); });
  return mechanism;
}

Mechanism read_mechanism(const Value& value) {
  Fields fields(value, "a mechanism");
  Mechanism mechanism = read_mechanism(value, fields, {});
  fields.finish();
  return mechanism;
}

Sampler read_sampler(const Value& value) {
  Fields fields(value, "a sampler");
  fields.expect({"poisson", "max_batch", "population", "without_replacement", "with_replacement", "shuffled_batches",
                 "random_allocation", "all_or_nothing"});
  int kinds = 0;
  for (const char* const kind : {"poisson", "without_replacement", "with_replacement", "shuffled_batches",
                                 "random_allocation", "all_or_nothing"}) {
    kinds += value.find(kind) != nullptr ? 1 : 0;
  }
  if (kinds > 1) {
    throw error_at(value, Code::bad_argument, "two samplers are given for one event", "give the one that really ran");
  }
  Sampler sampler = Poisson{};
  if (const auto rate = fields.optional_number("poisson")) {
    Poisson poisson{*rate, {}};
    if (const auto cut = fields.optional_whole("max_batch")) {
      poisson.cut = Poisson::Cut{*cut, fields.whole("population")};
    }
    sampler = poisson;
  } else if (const auto batch = fields.optional_whole("without_replacement")) {
    sampler = WithoutReplacement{*batch, fields.whole("population")};
  } else if (const auto draws = fields.optional_whole("with_replacement")) {
    sampler = WithReplacement{*draws, fields.whole("population")};
  } else if (const auto batches = fields.optional_whole("shuffled_batches")) {
    sampler = ShuffledBatches{*batches};
  } else if (const auto steps = fields.optional_whole("random_allocation")) {
    sampler = RandomAllocation{*steps};
  } else if (const auto all = fields.optional_number("all_or_nothing")) {
    sampler = AllOrNothing{*all};
  } else {
    throw error_at(value, Code::missing_key, "a sampler needs its kind", "write e.g. `sample: {poisson: 0.01}`");
  }
  fields.finish();
  check_at(value, [&] { require_valid(sampler); });
  return sampler;
}

Event read_event(const Value& value) {
  Fields fields(value, "an event");
  if (const Value* own = value.find("neighbours")) {
    throw error_at(*own, Code::mixed_neighbours, "an event states its own relation, but a list has one for all",
                   "state `neighbours:` once, at the top, and every event for it");
  }
  Event event{{}, Gaussian{}, 1};
  if (const Value* sample = fields.optional("sample")) {
    event.sample = read_sampler(*sample);
    event.mechanism = read_mechanism(fields.required("of"));
  } else {
    event.mechanism = read_mechanism(value, fields, {"times"});
  }
  if (const auto times = fields.optional_whole("times")) event.times = *times;
  fields.finish();
  return event;
}

EventList read_list(const Value& value) {
  Fields fields(value, "a list of events");
  fields.expect({"format", "version", "neighbours", "unit", "group", "events"});
  if (const Value* format = fields.optional("format"); format && format->text("\"format\"") != "dither-events") {
    throw error_at(*format, Code::bad_argument, "this is not a list of events", "give a file of \"dither-events\"");
  }
  if (const Value* version = fields.optional("version"); version && version->whole("\"version\"") != 1) {
    throw error_at(*version, Code::out_of_range, "this version of the format is not known", "write `version: 1`");
  }
  EventList list{};
  const Value& neighbours = fields.required("neighbours");
  check_at(neighbours, [&] { list.neighbours = neighbours_from(neighbours.text("\"neighbours\"")); });
  if (const auto unit = fields.optional_text("unit")) list.unit.name = *unit;
  if (const auto group = fields.optional_whole("group")) list.group = *group;
  for (const Value& event : fields.list("events")) list.events.push_back(read_event(event));
  fields.finish();
  require_valid(list);
  return list;
}

}  // namespace

void require_valid(const Event& event) {
  if (event.times > kMostTimes) {
    throw Error{Code::bad_count, fmt::format("an event happens {} times, more than 10^12", event.times),
                "give at most 1000000000000"};
  }
  require_valid(event.mechanism);
  if (event.sample) require_valid(*event.sample);
}

void require_valid(const EventList& list) {
  if (list.group == 0) throw Error{Code::bad_count, "the group has 0 units", "write `group: 1` for single units"};
  for (std::size_t i = 0; i < list.events.size(); ++i) {
    try {
      require_valid(list.events[i]);
    } catch (const Error& error) {
      throw Error{error.code(), fmt::format("event {}: {}", i + 1, error.what()), error.hint()};
    }
  }
}

EventList read_events(const std::string& path) { return read_list(config::read_file(path)); }

EventList parse_events(std::string_view text, const std::string& name) {
  return read_list(config::read_text(std::string(text), name));
}

}  // namespace dither::accounting
