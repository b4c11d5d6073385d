// Deep statements need a deep stack: the grammar, the tree and the binder all recurse.
#pragma once

#include <cstddef>
#include <functional>

namespace dither::sql {

inline constexpr std::size_t kStackBytes = std::size_t{256} << 20;

// Runs it on a thread of its own with a stack of kStackBytes (address space; pages are used as they are touched) and waits.
// What it throws is thrown here. About 40 microseconds; nothing is kept, so forks and exits need no care.
void on_large_stack(const std::function<void()>& work);

}  // namespace dither::sql
