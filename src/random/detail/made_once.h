// Tables that are made when they are first drawn from.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace dither::random::detail {

// A T that `make` makes on first use, once, whoever comes first; threads may come together. A sampler that is only
// planned with then costs no table. When making throws, the next use tries again.
template <class T>
class MadeOnce {
 public:
  explicit MadeOnce(std::function<T()> make) : make_(std::move(make)) {}

  const T& get() const {
    if (const T* made = ready_.load(std::memory_order_acquire)) [[likely]]
      return *made;
    return make_now();
  }

 private:
  const T& make_now() const {
    const std::lock_guard lock(mutex_);
    if (!made_) made_ = std::make_unique<const T>(make_());
    ready_.store(made_.get(), std::memory_order_release);
    return *made_;
  }

  std::function<T()> make_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> made_;
  mutable std::atomic<const T*> ready_ = nullptr;
};

}  // namespace dither::random::detail
