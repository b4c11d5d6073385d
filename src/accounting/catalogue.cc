#include "accounting/catalogue.h"

#include <utility>

#include "accounting/detail/fields.h"

namespace dither::accounting {
namespace {

using detail::Presence;

// Writes down the keys of one mechanism.
class Collector {
 public:
  explicit Collector(MechanismEntry& entry) : entry_(entry) {}

  template <class T>
  void scale(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void loss(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void probability(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void share(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void number(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void count(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void runs(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class T>
  void numbers(std::string_view key, const T&, Presence presence = detail::kRequired) {
    add(key, presence);
  }
  template <class E, class Names>
  void word(std::string_view key, const E&, const Names&) {
    add(key, detail::kRequired);
  }
  template <class T>
  void flag(std::string_view key, const T&) {
    add(key, detail::kOptional);
  }
  template <class T>
  void mechanism(std::string_view key, const T&) {
    add(key, detail::kRequired);
  }
  template <class T, class U>
  void parts(std::string_view key, const T&, const U&) {
    add(key, detail::kRequired);
  }

 private:
  void add(std::string_view key, Presence presence) {
    (presence == detail::kRequired ? entry_.required : entry_.optional).emplace_back(key);
  }

  MechanismEntry& entry_;
};

template <std::size_t I>
MechanismEntry entry_of() {
  using M = std::variant_alternative_t<I, Mechanism::Kind>;
  MechanismEntry entry{std::string(detail::kMechanismNames[I]), {}, {}};
  Collector collector(entry);
  if constexpr (std::is_same_v<M, KeyRelease> || std::is_same_v<M, Tuning>) {
    const M blank{Inner(Gaussian{})};
    detail::visit_fields(collector, blank);
  } else {
    const M blank{};
    detail::visit_fields(collector, blank);
  }
  return entry;
}

template <std::size_t... I>
std::vector<MechanismEntry> all_entries(std::index_sequence<I...>) {
  return {entry_of<I>()...};
}

}  // namespace

std::vector<MechanismEntry> mechanism_catalogue() {
  return all_entries(std::make_index_sequence<std::variant_size_v<Mechanism::Kind>>{});
}

}  // namespace dither::accounting
