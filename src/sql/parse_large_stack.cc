#include <pthread.h>

#include <exception>
#include <new>

#include "sql/detail/large_stack.h"

namespace dither::sql {
namespace {

struct Work {
  const std::function<void()>& run;
  std::exception_ptr thrown;
};

void* run(void* given) {
  Work& work = *static_cast<Work*>(given);
  try {
    work.run();
  } catch (...) {
    work.thrown = std::current_exception();
  }
  return nullptr;
}

// Frees the attributes on every way out.
struct Attributes {
  pthread_attr_t value;
  Attributes() {
    if (pthread_attr_init(&value) != 0) throw std::bad_alloc{};
  }
  ~Attributes() { pthread_attr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

}  // namespace

void on_large_stack(const std::function<void()>& work) {
  Work shared{work, nullptr};
  Attributes attributes;
  pthread_t thread;
  if (pthread_attr_setstacksize(&attributes.value, kStackBytes) != 0 ||
      pthread_create(&thread, &attributes.value, run, &shared) != 0) {
    throw std::bad_alloc{};  // no address space, or no threads left: nothing that was typed
  }
  pthread_join(thread, nullptr);
  if (shared.thrown) std::rethrow_exception(shared.thrown);
}

}  // namespace dither::sql
