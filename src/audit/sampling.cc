#include "audit/sampling.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "random/source.h"

namespace dither::audit {

namespace {

constexpr std::int64_t kMostInBlock = 1 << 14;  // runs between two looks at the clock
constexpr std::int64_t kLeastInBlock = 1 << 6;

// Small enough that all threads have something to do.
std::int64_t block_of(std::int64_t runs, const Effort& effort) {
  return std::clamp(runs / (8 * std::max(1, effort.threads)), kLeastInBlock, kMostInBlock);
}

// The first thing that went wrong in any thread.
class FirstFailure {
 public:
  void keep(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (failure_ == nullptr) failure_ = std::move(failure);
    failed_ = true;
  }
  bool any() const { return failed_; }
  void rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
};

bool too_late(const Effort& effort) {
  return effort.deadline.has_value() && std::chrono::steady_clock::now() >= *effort.deadline;
}

// Calls work(worker, first run, runs) for every block, on effort.threads threads; stops at the deadline.
template <class Work>
void for_blocks(std::int64_t runs, const Effort& effort, const Work& work) {
  const std::int64_t size = block_of(runs, effort);
  const std::int64_t blocks = (runs + size - 1) / size;
  const auto workers = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, std::max(1, effort.threads)));
  std::atomic<std::int64_t> next = 0;
  FirstFailure failure;
  const auto run = [&](int worker) {
    try {
      for (std::int64_t block = next++; block < blocks && !failure.any(); block = next++) {
        effort.cancel.check();
        if (too_late(effort)) return;
        work(worker, block * size, std::min(size, runs - block * size));
      }
    } catch (...) {
      failure.keep(std::current_exception());
    }
  };
  std::vector<std::thread> others;
  for (int worker = 1; worker < workers; ++worker) others.emplace_back(run, worker);
  run(0);
  for (std::thread& other : others) other.join();
  failure.rethrow();
}

// Coins that are not noise: hashes of their numbers. Calls begin at places of their own, far apart.
std::uint64_t mixed(std::uint64_t number) {
  std::uint64_t x = number + 0x9E37'79B9'7F4A'7C15;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EB;
  return x ^ (x >> 31);
}
double coin(std::uint64_t number) { return static_cast<double>(mixed(number) >> 11) * 0x1p-53; }

}  // namespace

Outputs sample(const Draw& draw, const Shape& shape, std::int64_t runs, const Effort& effort) {
  std::vector<Outputs> parts(static_cast<std::size_t>(std::max(1, effort.threads)), Outputs(shape.size()));
  for_blocks(runs, effort, [&](int worker, std::int64_t, std::int64_t size) {
    draw(parts[static_cast<std::size_t>(worker)], size, random::Source::this_thread());
  });
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0].append(parts[i]);
  return std::move(parts[0]);
}

Hits count_hits(const Draw& draw, const Shape& shape, std::span<const AttackSet> sets, std::int64_t runs,
                std::uint64_t salt, const Effort& effort) {
  Hits all{.runs = 0, .hits = std::vector<std::int64_t>(sets.size())};
  std::mutex mutex;
  std::vector<Outputs> blocks(static_cast<std::size_t>(std::max(1, effort.threads)), Outputs(shape.size()));
  for_blocks(runs, effort, [&](int worker, std::int64_t begin, std::int64_t size) {
    Outputs& outputs = blocks[static_cast<std::size_t>(worker)];
    outputs.clear();
    draw(outputs, size, random::Source::this_thread());
    std::vector<std::int64_t> found(sets.size());
    const std::uint64_t first = mixed(mixed(effort.seed) + salt) + static_cast<std::uint64_t>(begin);
    for (std::int64_t i = 0; i < outputs.runs(); ++i) {
      const double thrown = coin(first + static_cast<std::uint64_t>(i));
      for (std::size_t set = 0; set < sets.size(); ++set) {
        found[set] += sets[set].contains(outputs.row(i), thrown) ? 1 : 0;
      }
    }
    const std::lock_guard lock(mutex);
    all.runs += outputs.runs();
    for (std::size_t set = 0; set < sets.size(); ++set) all.hits[set] += found[set];
  });
  return all;
}

}  // namespace dither::audit
