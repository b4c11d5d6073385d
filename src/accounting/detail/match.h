// One function per alternative of a variant.
#pragma once

namespace dither::accounting::detail {

// std::visit(Match{[](const A&) { ... }, [](const B&) { ... }}, variant).
template <typename... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Match(Cases...) -> Match<Cases...>;

}  // namespace dither::accounting::detail
