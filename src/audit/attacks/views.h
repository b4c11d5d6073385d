// How attacks on measurements are put together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "audit/attacks/attacks.h"

namespace dither::audit {

// What a family of attacks says of one of them; `make` gives a view, whose name is set here.
struct ViewAttack {
  std::string claim, what;
  std::string tester;
  double microseconds;
  std::function<View()> make;
};
inline void add_view(Attacks& attacks, ViewAttack one) {
  const std::string name = one.claim + ": " + one.what;
  attacks.push_back({one.claim, name, one.tester, one.microseconds, [name, make = std::move(one.make)]() -> Subject {
                       View view = make();
                       view.name = name;
                       return view;
                     }});
}

// Vectors of whole numbers, in words as they are.
inline DataPair numbers(const calculus::Integers& x, const calculus::Integers& y) {
  const auto words = [](const calculus::Integers& v) {
    std::string text;
    for (const Int128 one : v) text += (text.empty() ? "" : ", ") + to_string(one);
    return text;
  };
  return {words(x), words(y), x, y};
}

// Numbers by key, keys in ascending order of their bytes.
inline calculus::Keyed keyed(const std::vector<std::pair<std::string, Int128>>& entries) {
  calculus::Keyed all;
  for (const auto& [key, value] : entries) {
    all.keys.push_back(key);
    all.values.push_back(value);
  }
  return all;
}

}  // namespace dither::audit
