// Tables that are made when they are first drawn from.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace dither::random::detail {

// A T that `make` makes on first use. A sampler that is only planned with then costs no table.
//
// Promise    all uses see one T, also of threads that come together: then each may make one, and the first is kept. No
//            use waits for another, so a child process does not wait for a thread that only its parent has. When making
//            throws, the next use tries again.
template <class T>
class MadeOnce {
 public:
  explicit MadeOnce(std::function<T()> make) : make_(std::move(make)) {}
  MadeOnce(const MadeOnce&) = delete;
  MadeOnce& operator=(const MadeOnce&) = delete;
  ~MadeOnce() { delete kept_.load(std::memory_order_acquire); }

  const T& get() const {
    if (const T* made = kept_.load(std::memory_order_acquire)) [[likely]]
      return *made;
    return make_now();
  }

 private:
  [[gnu::noinline]] const T& make_now() const {  // drawing is quicker without it in the way
    auto mine = std::make_unique<const T>(make_());
    const T* kept = nullptr;
    if (kept_.compare_exchange_strong(kept, mine.get(), std::memory_order_acq_rel)) kept = mine.release();
    return *kept;
  }

  std::function<T()> make_;
  mutable std::atomic<const T*> kept_ = nullptr;
};

}  // namespace dither::random::detail
