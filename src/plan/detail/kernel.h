// The meaning of a function over plain values, lifted to cells and to the rows of an engine.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "plan/functions.h"

namespace dither::plan::detail {

using Cells = std::span<const Cell>;

inline bool truth(const Cell& cell) { return std::get<bool>(cell); }
inline std::int64_t whole(const Cell& cell) { return std::get<std::int64_t>(cell); }
inline double number(const Cell& cell) { return std::get<double>(cell); }
inline const std::string& text(const Cell& cell) { return std::get<std::string>(cell); }

template <class Value>
Value plain_in(const Plain& plain) {
  if constexpr (std::is_same_v<Value, bool>) return plain.truth;
  if constexpr (std::is_same_v<Value, std::int64_t>) return plain.whole;
  if constexpr (std::is_same_v<Value, double>) return plain.number;
  if constexpr (std::is_same_v<Value, std::string_view>) return plain.text;
}
template <class Value>
Value plain_in(const Cell& cell) {
  if constexpr (std::is_same_v<Value, std::string_view>) {
    return std::get<std::string>(cell);
  } else {
    return std::get<Value>(cell);
  }
}

inline void put_plain(bool value, Plain& result) { result.truth = value; }
inline void put_plain(std::int64_t value, Plain& result) { result.whole = value; }
inline void put_plain(double value, Plain& result) { result.number = value + 0.0; }  // never -0.0

template <auto kernel>
struct Kernel;

template <class... All, bool (*kernel)(All...)>
struct Kernel<kernel> {
  static constexpr std::size_t kArguments = sizeof...(All) - 1;
  template <std::size_t i>
  using At = std::remove_reference_t<std::tuple_element_t<i, std::tuple<All...>>>;
  using Result = At<kArguments>;

  template <class Given, std::size_t... i>
  static bool call(const Given* given, Result& result, std::index_sequence<i...>) {
    if (!kernel(plain_in<At<i>>(given[i])..., result)) return false;
    if constexpr (std::is_same_v<Result, double>) return std::isfinite(result);
    return true;
  }

  static Cell for_cells(Cells cells) {
    Result result{};
    if (!call(cells.data(), result, std::make_index_sequence<kArguments>())) return {};
    if constexpr (std::is_same_v<Result, double>) result += 0.0;  // never -0.0
    return Cell{std::move(result)};
  }

  static bool for_rows(const Plain* arguments, Plain& result, [[maybe_unused]] std::string& room) {
    if constexpr (std::is_same_v<Result, std::string>) {
      room.clear();
      if (!call(arguments, room, std::make_index_sequence<kArguments>())) return false;
      result.text = room;
    } else {
      Result value{};
      if (!call(arguments, value, std::make_index_sequence<kArguments>())) return false;
      put_plain(value, result);
    }
    return true;
  }
};

}  // namespace dither::plan::detail
