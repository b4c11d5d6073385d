#include "errands.h"

#include <utility>

namespace dither::python {

void Errands::run(const std::function<void()>& errand) {
  const std::lock_guard only(one_at_a_time_);
  std::unique_lock lock(mutex_);
  thrown_ = nullptr;
  errand_ = &errand;
  changed_.notify_all();
  changed_.wait(lock, [&] { return errand_ == nullptr; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

Errands::Next Errands::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return errand_ != nullptr || ended_; });
  if (errand_ != nullptr) return Next::errand;
  return ended_ ? Next::end : Next::signals;
}

void Errands::do_it(const std::exception_ptr& instead) {
  std::exception_ptr thrown = instead;
  std::exception_ptr of_python;
  if (!thrown) {
    try {
      (*errand_)();
    } catch (const nanobind::python_error&) {
      of_python = std::current_exception();  // never crosses to a thread without the lock
      thrown = std::make_exception_ptr(Cancelled());
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  {
    const std::lock_guard lock(mutex_);
    thrown_ = thrown;
    errand_ = nullptr;
  }
  changed_.notify_all();
  if (of_python) std::rethrow_exception(of_python);
}

void Errands::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace dither::python
