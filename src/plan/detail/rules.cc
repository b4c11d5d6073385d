#include "plan/detail/rules.h"

#include <fmt/format.h>

#include <deque>
#include <mutex>

#include "plan/detail/spellings.h"

namespace dither::plan::detail {

std::string_view kept(std::string text) {
  static std::mutex one_at_a_time;
  static std::deque<std::string> all;
  const std::lock_guard lock(one_at_a_time);
  return all.emplace_back(std::move(text));
}

std::string_view typed(std::string_view name, Type type) { return kept(fmt::format("{}_{}", name, type_name(type))); }

std::string_view own_call(std::string_view name, std::size_t arguments) {
  std::string text = fmt::format("dither_{}(", name);
  for (std::size_t i = 1; i <= arguments; ++i) text += fmt::format("{}${}", i == 1 ? "" : ", ", i);
  return kept(text + ")");
}

std::weak_ordering order(const Cell& a, const Cell& b) {
  if (const auto* x = std::get_if<double>(&a)) {
    const double y = number(b);
    if (std::isnan(*x) || std::isnan(y)) return std::isnan(*x) <=> std::isnan(y);
    return *x < y ? std::weak_ordering::less : *x > y ? std::weak_ordering::greater : std::weak_ordering::equivalent;
  }
  if (const auto* x = std::get_if<std::string>(&a)) return x->compare(text(b)) <=> 0;
  if (const auto* x = std::get_if<bool>(&a)) return *x <=> truth(b);
  return whole(a) <=> whole(b);
}

bool all_finite(Known known) {
  for (const Facts& facts : known) {
    if (facts.type == Type::real && !facts.finite) return false;
  }
  return true;
}

std::uint64_t bytes_of_characters(const Facts& count, std::uint64_t most) {
  constexpr int kMostBytesEach = 4;
  const auto characters = range_of(count);
  if (!characters || characters->high.sign() <= 0) return characters ? 0 : most;
  const Rational bytes = characters->high * kMostBytesEach;
  return bytes < Rational(static_cast<long>(most)) ? static_cast<std::uint64_t>(bytes.floor()) : most;
}

const std::string* only_text(const Facts& facts) {
  if (!facts.values || facts.values->size() != 1) return nullptr;
  return std::get_if<std::string>(&facts.values->front());
}

std::string put(std::string_view form, const std::vector<std::string>& arguments) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const std::size_t which = form[i] == '$' && i + 1 < form.size() ? static_cast<std::size_t>(form[i + 1] - '1') : 9;
    if (which < arguments.size()) {
      text += arguments[which];
      ++i;
    } else {
      text += form[i];
    }
  }
  return text;
}

}  // namespace dither::plan::detail
