#include "ledger/backup.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "ledger/detail/answer_file.h"
#include "ledger/detail/json.h"
#include "ledger/detail/new_ledger.h"
#include "ledger/ledger.h"
#include "ledger/sqlite_store.h"

namespace dither::ledger {
namespace {

// The hashes of answers that lie in files.
std::set<std::string> long_answers(Store& store) {
  std::set<std::string> hashes;
  store.scan(Table::releases, "", [&](std::string_view, std::string_view value) {
    const bool maybe = value.find("\"answer_in_file\"") != std::string_view::npos;  // most are not worth reading
    if (!maybe) return true;
    const Release release = detail::release_from(value);
    if (release.answer_in_file && release.answer) hashes.insert(release.answer->hex());
    return true;
  });
  return hashes;
}

void copy_answer(const std::string& from, const std::string& to, const std::string& hash) {
  const auto bytes = detail::read_answer_file(from, hash);
  if (!bytes) detail::throw_damaged(fmt::format("the answer {} is missing", hash));
  if (sha256(*bytes).hex() != hash) detail::throw_damaged(fmt::format("the answer {} is not the one given", hash));
  detail::write_answer_file(to, hash, *bytes);
}

std::set<std::string> mark_as_copy(const std::string& path) {
  SqliteStore store(path, Opening::existing);
  Transaction transaction(store, Access::write);
  store.set_note("copy", "backup");
  std::set<std::string> hashes = long_answers(store);
  transaction.commit();
  return hashes;
}

}  // namespace

void back_up(const std::string& path, const std::string& to) {
  detail::NewLedger copy(to);
  SqliteStore(path, Opening::read_only).back_up(copy.file());
  for (const std::string& hash : mark_as_copy(copy.file())) {
    copy_answer(answers_folder_of(path), copy.answers_folder(), hash);
  }
  copy.place();
}

}  // namespace dither::ledger
