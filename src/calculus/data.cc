#include "calculus/data.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::calculus {

namespace detail {

template <>
std::string_view carrier_name<Table>() {
  return "a table";
}
template <>
std::string_view carrier_name<Tables>() {
  return "several tables";
}
template <>
std::string_view carrier_name<Integers>() {
  return "integers";
}
template <>
std::string_view carrier_name<Reals>() {
  return "reals";
}
template <>
std::string_view carrier_name<Keyed>() {
  return "numbers by key";
}
template <>
std::string_view carrier_name<Answers>() {
  return "several answers";
}

void refuse_carrier(std::string_view wanted, const Data& got) {
  throw Error{Code::wrong_type, fmt::format("this step takes {}, but was given {}", wanted, carrier_name(got)),
              "chain it behind a step that gives what it takes"};
}

}  // namespace detail

std::string_view carrier_name(const Data& data) {
  return std::visit([]<class T>(const T&) { return detail::carrier_name<T>(); }, data);
}

}  // namespace dither::calculus
