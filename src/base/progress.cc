#include "base/progress.h"

#include <algorithm>

namespace dither {

void CancelToken::check() const {
  if (cancelled()) throw Cancelled{};
}

Progress::Progress(Callback callback, CancelToken token, std::chrono::nanoseconds interval,
                   std::function<Clock::time_point()> now)
    : callback_(std::move(callback)),
      token_(std::move(token)),
      interval_(interval),
      now_(std::move(now)),
      start_(now_()),
      due_(interval.count()) {}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  token_.check();
  if (!callback_) return;
  const bool last = total > 0 && done >= total;
  if (!last && (now_() - start_).count() < due_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(one_at_a_time_);
  report(total > 0 ? std::min(done, total) : done, total);
}

void Progress::report(std::uint64_t done, std::uint64_t total) {
  const std::chrono::nanoseconds elapsed = now_() - start_;
  const bool last = total > 0 && done == total;
  const bool too_early = !last && elapsed.count() < due_.load(std::memory_order_relaxed);  // another thread was first
  if (finished_ || too_early || done < reported_) return;
  finished_ = last;
  reported_ = done;
  due_.store((elapsed + interval_).count(), std::memory_order_relaxed);
  callback_({done, total, elapsed});
}

}  // namespace dither
