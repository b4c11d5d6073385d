// The thread on which statements are parsed. Deep ones need a deep stack: the grammar, the tree and the binder all recurse. And
// libpg_query takes one of the 1,024 thread-specific keys of the process for every thread that calls it, and never gives it back.
#pragma once

#include <cstddef>
#include <functional>

namespace dither::sql {

inline constexpr std::size_t kStackBytes = std::size_t{256} << 20;

// Runs it on the parser thread, which has a stack of kStackBytes (address space), and waits. What it throws is thrown here.
//
// Promise    this process has one parser thread, made on first use; several callers wait for each other. A call within a call
//            runs at once. Pages of the stack that deep work touched are given back after it. A forked child makes a thread of
//            its own, whatever its parent was doing; the exit of the process waits for no work. The thread takes no signals.
// Refuses    nothing; std::bad_alloc where the system makes no such thread. The next call tries again.
// Cost       about 10 microseconds.
void on_large_stack(const std::function<void()>& work);

}  // namespace dither::sql
