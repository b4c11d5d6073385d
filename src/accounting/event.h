// A list of releases: what an accountant is asked about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounting/mechanism.h"
#include "accounting/neighbours.h"
#include "accounting/sampler.h"

namespace dither::accounting {

// One kind of release, made `times` times, all parameters fixed in advance.
struct Event {
  std::optional<Sampler> sample;
  Mechanism mechanism;
  std::uint64_t times = 1;
  bool operator==(const Event&) const = default;
};

// Releases about the same people, and for whom the answer should hold: groups of `group` units that are neighbours in
// this relation.
struct EventList {
  Neighbours neighbours;
  PrivacyUnit unit{"record"};
  std::uint64_t group = 1;
  std::vector<Event> events;
  bool operator==(const EventList&) const = default;
};

inline constexpr std::uint64_t kMostTimes = 1'000'000'000'000;

// Throws when a parameter is outside its range, or the releases are more than kMostTimes (bad-count); for a list the
// message names the first such event by its number.
void require_valid(const Event& event);
void require_valid(const EventList& list);

// Reads a file as `dither account` does, or the canonical form; "-" is standard input. Errors name line and column.
EventList read_events(const std::string& path);
// The same from text; `name` stands for the file in errors.
EventList parse_events(std::string_view text, const std::string& name);

// The canonical form: JSON without spaces, keys in fixed order, every number exact (whole, or a fraction such as "1/3"),
// so that it reads back equal and prints again the same bytes.
std::string canonical_json(const EventList& list);
std::string canonical_json(const Event& event);
// The reverse for one event.
//
// Refuses    any text that canonical_json would not write (bad-syntax, bad-number), or with more than 64 mechanisms inside
//            each other; parameters that require_valid refuses.
// Cost       about 4 us.
Event event_from_json(std::string_view text);

}  // namespace dither::accounting
