#include "ledger/ledger.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <array>
#include <filesystem>
#include <new>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/core.h"
#include "ledger/durable_file.h"
#include "ledger/local_file.h"
#include "ledger/sqlite_store.h"

namespace dither::ledger {

using detail::Json;

namespace {

std::string random_id() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) throw std::bad_alloc();
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// The file that a symbolic link leads to: its head and its answers lie beside it. Noted beside the link, they would vouch for any
// copy that the link is turned to, and the file could go back unnoticed under its own name.
std::string real_path(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

LedgerOptions beside(const std::string& path, const std::string& anchor = "") {
  LedgerOptions options;
  options.anchor = anchor;
  options.path = std::filesystem::absolute(real_path(path)).string();  // also after the process changes its folder
  return options;
}

// Of an attempt that did not get as far as a ledger. Any other vouches for a ledger that was in use.
void remove_unused_head_file(const std::string& path) {
  const std::optional<SignedHead> there = read_head_file(path);
  if (!there) return;
  if (there->head.number > 0) {
    throw Error{Code::ledger_behind, fmt::format("{} says that a ledger was in use here", echo(path)),
                "find that ledger, or move the head file away to begin anew"};
  }
  std::filesystem::remove(path);
}

}  // namespace

std::string head_file_of(const std::string& path) { return real_path(path) + ".head"; }
std::string answers_folder_of(const std::string& path) { return real_path(path) + ".answers"; }

Ledger::Ledger(std::unique_ptr<Store> store, std::optional<SigningKey> key, LedgerOptions options)
    : core_(std::make_shared<detail::Core>(std::move(store), std::move(key), std::move(options))) {
  core_->take_up();
  if (core_->key && !core_->options.to_restore && !is_copy()) recover();
}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;

void Ledger::begin(Store& store, const SigningKey& key, const LedgerOptions& options) {
  Transaction transaction(store, Access::write);
  if (store.head().number != 0) {
    throw Error{Code::duplicate_key, "the ledger has begun already", "open it"};
  }
  const std::string id = random_id();
  const Time time =
      options.clock ? options.clock() : std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const Json body = {
      {"kind", "ledger"}, {"at", time_text(time)}, {"format", 1}, {"id", id}, {"public_key", key.public_key()}};
  const Record record = next_record({}, body.dump());
  store.append(record);
  detail::Book(store).apply(record);
  const SignedHead head = sign_head(key, id, head_at(record));
  store.set_note("signature", head.signature);
  // Before the commit, and with a head that every later one is beyond: a ledger without its head file is a copy.
  if (!options.path.empty()) {
    remove_unused_head_file(head_file_of(options.path));
    write_head_file(head_file_of(options.path), sign_head(key, id, {}), true);
  }
  transaction.commit();
}

// It is made under another name and takes its place when it is whole: whoever finds a ledger finds all of it. Of several who
// make one at once the folder's lock lets one pass; the others find it there.
void Ledger::create(const std::string& path, const SigningKey& key) {
  require_local(path);
  const FolderLock lock(path);
  if (std::filesystem::exists(path)) {
    throw Error{Code::cannot_write, fmt::format("{} is there already", echo(path)),
                "choose another file, or leave the ledger that is there"};
  }
  const std::string making = path + ".new";
  const auto remove_all = [&] {
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(making + ending, ignored);
  };
  remove_all();  // what somebody left who was killed here
  try {
    SqliteStore store(making, Opening::fresh);
    begin(store, key, beside(path));
  } catch (...) {  // so that it can be tried again
    remove_all();
    throw;
  }
  lock.take_place(making, path);
}

Ledger Ledger::open(const std::string& path, const SigningKey& key, const std::string& anchor) {
  const std::string file = real_path(path);
  return {std::make_unique<SqliteStore>(file, Opening::existing), key, beside(file, anchor)};
}

Ledger Ledger::open_to_read(const std::string& path, const std::string& anchor) {
  const std::string file = real_path(path);
  return {std::make_unique<SqliteStore>(file, Opening::read_only), std::nullopt, beside(file, anchor)};
}

std::size_t Ledger::recover(bool also_unknown) {
  if (core_->reading([&] { return core_->book.held().empty(); })) return 0;
  const std::size_t ended = core_->writing([&] { return core_->recover(also_unknown); });
  core_->note_head();
  return ended;
}

std::string Ledger::id() { return core_->identity.id; }
std::string Ledger::public_key() { return core_->identity.public_key; }

Time Ledger::now() {
  return core_->reading([&] { return core_->now(); });
}

SignedHead Ledger::head() {
  return core_->reading([&] {
    return SignedHead{core_->identity.id, core_->store->head(), core_->store->note("signature")};
  });
}

bool Ledger::is_copy() {
  return core_->reading([&] { return !core_->store->note("copy").empty(); });
}

std::vector<Dataset> Ledger::datasets() {
  return core_->reading([&] { return core_->book.datasets(); });
}

Dataset Ledger::dataset(const std::string& name) {
  return core_->reading([&] { return core_->book.need_dataset(name); });
}

std::vector<Budget> Ledger::budgets(const std::string& path) {
  return core_->reading([&] {
    if (!path.empty()) core_->book.need_budget(path);
    return core_->book.budgets(path);
  });
}

Budget Ledger::budget(const std::string& path) {
  return core_->reading([&] { return core_->book.need_budget(path); });
}

Release Ledger::release(const std::string& id) {
  return core_->reading([&] { return core_->book.need_release(id); });
}

StoredAnswer Ledger::answer(const std::string& id) {
  return core_->reading([&] { return core_->stored(core_->book.need_release(id)); });
}

void Ledger::releases(std::string_view from, const std::function<bool(const Release&)>& visit) {
  core_->reading([&] {
    core_->store->scan(Table::releases, from,
                       [&](std::string_view, std::string_view value) { return visit(detail::release_from(value)); });
  });
}

void Ledger::records(std::uint64_t from, const std::function<bool(const Record&)>& visit) {
  core_->reading([&] { core_->store->records(from, visit); });
}

accounting::Spent Ledger::cost(const std::string& budget, const Price& price) {
  const auto [rule, neighbours] = core_->reading([&] {
    const Budget there = core_->book.need_budget(budget);
    return std::pair(there.terms.rule, core_->book.need_dataset(dataset_of(budget)).neighbours);
  });
  return cost_of(price, rule, neighbours);
}

}  // namespace dither::ledger
