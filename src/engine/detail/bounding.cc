#include "engine/detail/bounding.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "engine/detail/bounding_fold.h"
#include "engine/detail/bounding_query.h"

namespace dither::engine::detail {

namespace {

constexpr std::uint64_t kFewRows = 50'000;  // one thread folds them sooner than others are started

unsigned threads_of(const Limits& limits) {
  return limits.threads > 0 ? limits.threads : std::max(1U, std::thread::hardware_concurrency());
}

std::uint64_t odd_secret() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) run_failed();
  return bits | 1;
}

// The sinks of a run, in one.
struct Scanned {
  std::uint64_t rows = 0;
  std::vector<bool> missing;
  std::vector<Partition> partitions;  // the largest first, without the empty ones
};

Scanned gathered(const std::vector<std::unique_ptr<Sink>>& sinks, const Layout& layout) {
  Scanned all{0, std::vector<bool>(layout.fields.size()), {}};
  std::vector<std::pair<std::uint64_t, Partition>> sized(kPartitions);
  for (const auto& sink : sinks) {
    all.rows += sink->rows();
    for (std::size_t f = 0; f < layout.fields.size(); ++f) all.missing[f] = all.missing[f] || sink->missing(f);
    for (const bool wide : {false, true}) {
      const Partitions& from = wide ? sink->store().wide : sink->store().narrow;
      for (std::size_t p = 0; p < kPartitions && !from.empty(); ++p) {
        Partition& partition = sized[p].second;
        for (const Piece& piece : from.pieces(p)) partition.push_back({piece, {}, wide});
        for (const Extent& extent : from.extents(p)) partition.push_back({{}, extent, wide});
      }
    }
  }
  for (auto& [size, partition] : sized) {
    for (const Batch& batch : partition) size += batch.records();
  }
  std::stable_sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [size, partition] : sized) {
    if (size > 0) all.partitions.push_back(std::move(partition));
  }
  return all;
}

// Where totals of all partitions go.
struct Found {
  std::optional<Totals> by_code;  // or, where codes are too many,
  SpillFile* file;                // runs of records that are sorted by code
  std::uint64_t memory;           // of which one thread may take so much
  std::vector<SortedRun> runs;
};

class Folding {
 public:
  Folding(const FoldPlan& plan, const std::vector<Partition>& partitions, unsigned threads, const Watch& watch,
          Found& found)
      : plan_(plan), partitions_(partitions), watch_(watch), found_(found) {
    own_totals_ =
        found.by_code && threads > 1 && Totals::bytes(found.by_code->codes(), measures()) * threads <= plan.budget;
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    for (std::thread& other : others) other.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t measures() const { return plan_.layout.outputs.size(); }

  void work() {
    try {
      const std::unique_ptr<Folder> folder = make_folder(plan_);
      if (!found_.by_code)
        fold_to_file(*folder);
      else if (own_totals_)
        fold_to_own(*folder);
      else
        fold_some(*folder, {&*found_.by_code, &mutex_, nullptr});
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = partitions_.size();
    }
  }

  void fold_to_own(Folder& folder) {
    Totals own(found_.by_code->codes(), measures());
    fold_some(folder, {&own, nullptr, nullptr});
    const std::lock_guard lock(mutex_);
    found_.by_code->add(own);
  }

  void fold_to_file(Folder& folder) {
    TotalsWriter writer(*found_.file, found_.memory, measures());
    fold_some(folder, {nullptr, nullptr, &writer});
    writer.sorter().finish();
    const std::lock_guard lock(mutex_);
    found_.runs.insert(found_.runs.end(), writer.sorter().runs().begin(), writer.sorter().runs().end());
  }

  void fold_some(Folder& folder, const FoldTarget& target) {
    for (std::size_t i = next_++; i < partitions_.size(); i = next_++) {
      folder.fold(partitions_[i], target);
      report(folded_.fetch_add(1) + 1);
    }
  }

  void report(std::size_t folded) const {
    if (watch_.progress != nullptr && folded < partitions_.size()) {
      watch_.progress->update(kScanShare + (kWhole - kScanShare) * folded / partitions_.size(), kWhole);
    }
  }

  const FoldPlan& plan_;
  const std::vector<Partition>& partitions_;
  const Watch& watch_;
  bool own_totals_ = false;
  std::atomic<std::size_t> next_{0}, folded_{0};
  std::mutex mutex_;
  Found& found_;
  std::exception_ptr failure_;
};

// Totals by code as a run of records.
void write(const Totals& totals, Found& found) {
  TotalsWriter writer(*found.file, found.memory, totals.measures());
  for (std::uint32_t code = 0; code < totals.codes(); ++code) writer.add(code, totals.of(code));
  writer.sorter().finish();
  found.runs = writer.sorter().runs();
}

constexpr std::uint64_t kLeastForKeys = std::uint64_t{8} << 20;  // bytes: what the least limit of an engine gives them

// What a key takes beside its bytes: in books and tables while rows are read, then in totals and the answer.
std::uint64_t bytes_of_a_key(const plan::BoundedAggregate& aggregate, unsigned threads) {
  return 256 + 64 * threads + 2 * Totals::bytes(1, aggregate.measures.size());
}

// `sorted`: the keys, where rows have their codes instead.
ExactNumbers::Content bounded(const Database& database, const std::string& rows_sql,
                              const plan::BoundedAggregate& aggregate, const Limits& limits, const Watch& watch,
                              const std::vector<ResultColumn>& given, const std::shared_ptr<const SortedKeys>& sorted) {
  const unsigned threads = threads_of(limits);
  const std::uint64_t own = limits.memory / 2;
  BookBudget book_budget(std::max(own / 4, kLeastForKeys), bytes_of_a_key(aggregate, threads));
  std::optional<KeyBooks> made;
  if (sorted == nullptr) made.emplace(aggregate).limit(book_budget);
  const CodedKeys& books = made ? static_cast<const CodedKeys&>(*made) : *sorted;
  const bool known = aggregate.public_keys || sorted != nullptr;
  const bool too_many =
      sorted != nullptr && !codes_fit(aggregate.measures.size(), books.codes(), threads, limits.memory);
  const Layout layout = make_layout(aggregate, known ? std::optional(books.codes()) : std::nullopt,
                                    too_many && needs_digests(aggregate, books.codes()));
  const std::uint64_t odd_factor = odd_secret();
  StoreBudget budget{own / 2, own / 2 / threads};
  auto file = std::make_unique<SpillFile>(limits.spill);
  auto totals_file = std::make_unique<SpillFile>(limits.spill);
  const SinkPlan sink_plan{aggregate, layout, made ? &*made : nullptr,
                           columns_to_read(aggregate, layout, sorted != nullptr), odd_factor};
  std::vector<std::unique_ptr<Sink>> sinks = scan(database, rows_sql, given, sink_plan, *file, budget, watch);
  for (const auto& sink : sinks) sink->forget_keys();

  const Scanned scanned = gathered(sinks, layout);
  const std::size_t codes = books.codes();
  std::optional<KeyDigests> keys;
  if (!too_many) keys.emplace(books, needs_digests(aggregate, codes));
  const FoldPlan plan{layout,
                      books,
                      keys ? &*keys : nullptr,
                      all_kept(aggregate, codes) ? 0 : aggregate.keys_per_unit,
                      scanned.missing,
                      scanned.rows,
                      odd_factor,
                      own / (too_many ? 32 : 16) / threads,
                      *file,
                      [&] { watch.token.check(); }};
  Found found{{}, totals_file.get(), own / 8 / threads, {}};
  if (!too_many) found.by_code.emplace(codes, aggregate.measures.size());
  Folding(plan, scanned.partitions, scanned.rows < kFewRows ? 1 : threads, watch, found);
  watch.token.check();
  if (watch.progress != nullptr) watch.progress->update(kWhole, kWhole);
  if (sorted == nullptr) return bounding_content(aggregate, books, *found.by_code);
  sinks.clear();
  file.reset();
  if (found.by_code) write(*found.by_code, found);
  SortedRows rows(std::move(totals_file), std::move(found.runs), TotalsWriter::longest(aggregate.measures.size()),
                  {own / 8, own / 4}, limits.spill, plan.check);
  return sorted_content(aggregate, sorted,
                        std::make_shared<const SortedTotals>(std::move(rows), aggregate.measures.size()));
}

}  // namespace

ExactNumbers::Content run_bounding(const Database& database, const std::string& rows_sql,
                                   const plan::BoundedAggregate& aggregate, const Limits& limits, const Watch& watch,
                                   const std::vector<ResultColumn>& given,
                                   const std::shared_ptr<const SortedKeys>& sorted) {
  watch.token.check();
  try {
    return bounded(database, rows_sql, aggregate, limits, watch, given, sorted);
  } catch (const Cancelled&) {
    throw;
  } catch (const KeysDoNotFit&) {
    throw;
  } catch (const DuckDbFailure&) {  // a value may have been the cause, and whoever reads with more care gets over it
    watch.token.check();
    throw;
  } catch (...) {
    watch.token.check();
    run_failed();
  }
}

}  // namespace dither::engine::detail
