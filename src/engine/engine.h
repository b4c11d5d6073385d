// Where the data lives. Runs a bounded exact aggregate: no noise, no budget.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/exact_numbers.h"
#include "engine/memory_table.h"
#include "plan/bounded_aggregate.h"

namespace dither::engine {

// What a run may use. Public: never chosen by looking at the data.
struct Limits {
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes
  unsigned threads = 0;                           // 0: as many as there are cores
  std::string spill;  // folder for what does not fit in memory; "": the system's for temporary files
};

// What a run tells while it works, and how it is asked to stop.
struct Watch {
  CancelToken token;
  Progress* progress = nullptr;  // thousandths of the work; nothing is reported where it is empty
};

// Safe to call from several threads, each of which may prepare and run.
class Engine {
 public:
  virtual ~Engine() = default;

  // Looks whether the sources of these tables are there and hold the declared columns: what a person can put right is named here,
  // before anything is charged. No value of a row plays a part in it but by the sizes of sources, which are public.
  // Refuses    a source that is missing or cannot be opened (cannot-read), that lacks a column or holds something else in it
  //            (bad-source); what needs-memory says; too little disk for what a run may need, by the sizes of the sources (cannot-write).
  virtual void prepare(const plan::BoundedAggregate& aggregate) = 0;

  // Exact numbers, the same on every engine, whatever the order of rows and the number of threads.
  // Refuses    nothing that a value of a row could cause. run-failed, with one text, for whatever physical went wrong, and where
  //            a file changed meanwhile; throws Cancelled once the token is cancelled.
  virtual ExactNumbers run(const plan::BoundedAggregate& aggregate, const Watch& watch) = 0;

  // How the sources of these tables are recognised: path, size and time of change of each file, which is not read; the
  // keyed digest of a table in memory, with all columns. Tables that the units of these are found through count
  // too, unless one of these is in memory.
  virtual std::string fingerprint(const std::vector<std::string>& tables) = 0;
};

// The embedded one: DuckDB in this process. Loads its library at the first use (no-engine).
std::unique_ptr<Engine> open_duckdb(const plan::Project& project, const Limits& limits = {});
// The same with tables in memory. The secret key of their fingerprints is asked for when the first is needed.
using FingerprintKey = std::function<std::string()>;
std::unique_ptr<Engine> open_duckdb(const plan::Project& project, const Limits& limits, MemoryTables tables,
                                    FingerprintKey key);

// Compares tables in memory with what is declared of them. Looks at no row.
// Refuses    a declared column that is missing, or whose type is not read as the declared one (bad-source); names the table.
void require_types(const plan::Project& project, const MemoryTables& tables);

// The one error that a run has.
[[noreturn]] void run_failed();

}  // namespace dither::engine
