#include "engine/detail/watched.h"

#include <chrono>
#include <thread>

namespace dither::engine::detail {
namespace {

class Pending {
 public:
  explicit Pending(const Prepared& prepared) {
    if (duckdb().pending_prepared(prepared.get(), &pending_) != DuckDBSuccess) fail();
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() { duckdb().destroy_pending(&pending_); }

  // A piece of the work. Whether that was all.
  bool step() {
    const duckdb_pending_state state = duckdb().pending_execute_task(pending_);
    if (state == DUCKDB_PENDING_ERROR) fail();
    // Other threads have all that is left: nothing to do but look again.
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(std::chrono::microseconds(50));
    return duckdb().pending_execution_is_finished(state);
  }

  Result result() {
    duckdb_result result{};
    if (duckdb().execute_pending(pending_, &result) == DuckDBSuccess) return Result(result);
    duckdb().destroy_result(&result);
    throw DuckDbFailure("a statement failed at its end");
  }

 private:
  [[noreturn]] void fail() const {
    const char* why = duckdb().pending_error(pending_);
    throw DuckDbFailure(why == nullptr ? "" : why);
  }

  duckdb_pending_result pending_ = nullptr;
};

}  // namespace

Result query(Connection& connection, const std::string& sql, const Watch& watch) {
  watch.token.check();
  const Prepared prepared(connection, sql);
  Pending pending(prepared);
  while (!pending.step()) {
    if (!watch.token.cancelled()) continue;
    connection.interrupt();  // also the threads that are in the middle of a long piece, which are waited for
    watch.token.check();
  }
  return pending.result();
}

}  // namespace dither::engine::detail
