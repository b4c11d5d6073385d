#include "ledger/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/answer_file.h"
#include "ledger/detail/replay.h"
#include "ledger/ledger.h"
#include "ledger/sqlite_store.h"

namespace dither::ledger {
namespace {

using detail::Json;
using detail::kReplayed;
using detail::Replay;

constexpr std::size_t kMostOfAKind = 100;    // findings; the rest is counted
constexpr std::uint64_t kLookBack = 10'000;  // records, for the one that the signature belongs to: about a second

// Findings in the order in which they are looked for, not too many of a kind.
class Findings {
 public:
  void add(std::uint64_t record, std::string what) {
    if (++of_this_kind_ <= kMostOfAKind) list_.push_back({record, std::move(what)});
  }
  void next_kind() {
    if (of_this_kind_ > kMostOfAKind) list_.push_back({0, fmt::format("{} more", of_this_kind_ - kMostOfAKind)});
    of_this_kind_ = 0;
  }
  std::vector<Finding> list() && { return std::move(list_); }

 private:
  std::vector<Finding> list_;
  std::size_t of_this_kind_ = 0;
};

class Verifier {
 public:
  Verifier(Store& store, const VerifyOptions& options) : store_(store), options_(options) {}

  std::vector<Finding> run() {
    const Transaction transaction(store_, Access::read);
    part([&] { read_records(); });
    part([&] { check_identity(); });
    part([&] { check_noted_heads(); });
    part([&] { check_signature(); });
    if (replays_) {
      for (const Table table : kReplayed) part([&] { compare_table(table); });
      part([&] { check_answers(); });
      part([&] { check_answer_files(); });
    }
    return std::move(findings_).list();
  }

 private:
  // Damage that stops one part of the work does not stop the others.
  template <class Work>
  void part(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() != Code::ledger_damaged) throw;
      findings_.add(hashes_.empty() ? 0 : last_ + 1, fmt::format("cannot be read further: {}", error.what()));
      replays_ = false;
    }
    findings_.next_kind();
  }

  std::uint64_t count_records();
  void read_records();
  void check_link(const Record& record);
  void check_identity();
  void check_noted_heads();
  void check_noted(const SignedHead& noted);
  void check_signature();
  void compare_table(Table table);
  void check_answers();
  void check_answer_files();
  const Digest* hash_at(std::uint64_t number) const;
  std::string key() const { return options_.public_key.value_or(identity_.public_key); }

  Store& store_;
  const VerifyOptions& options_;
  Findings findings_;
  Replay replay_;
  bool replays_ = true;  // so far
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::uint64_t> starts_;  // where hashes_ goes on after a gap: number to place
  std::vector<Digest> hashes_;
  detail::Book::Identity identity_;
};

// As the head says, which may be damaged too: 0 then, for unknown.
std::uint64_t Verifier::count_records() {
  try {
    return store_.head().number;
  } catch (const Error& error) {
    if (error.code() != Code::ledger_damaged) throw;
    return 0;
  }
}

void Verifier::read_records() {
  const std::uint64_t total = options_.progress != nullptr ? count_records() : 0;
  store_.records(0, [&](const Record& record) {
    check_link(record);
    if (replays_) {
      if (const auto why = replay_.apply(record)) {
        findings_.add(record.number, fmt::format("record {} does not follow from those before it: {}; "
                                                 "tables were not compared",
                                                 record.number, *why));
        replays_ = false;
      }
    }
    if (options_.progress != nullptr) options_.progress->update(record.number, total);
    return true;
  });
  if (hashes_.empty()) findings_.add(1, "there are no records");
}

void Verifier::check_link(const Record& record) {
  const std::uint64_t wanted = last_ + 1;
  const bool out_of_range = static_cast<std::int64_t>(record.number) < static_cast<std::int64_t>(wanted);
  if (out_of_range) {
    findings_.add(record.number, "a record has a number that none can have");
    return;
  }
  const bool gap = record.number != wanted;
  if (gap) {
    findings_.add(wanted, wanted + 1 == record.number
                              ? fmt::format("record {} is missing", wanted)
                              : fmt::format("records {} to {} are missing", wanted, record.number - 1));
  }
  if (gap || hashes_.empty()) starts_[record.number] = hashes_.size();
  // After a gap the hash before is not known: what stands there is taken up, and the gap reported.
  const Digest before = hashes_.empty() ? Digest{} : hashes_.back();
  if (!gap && chained(before, record.number, record.body) != record.hash) {
    findings_.add(record.number,
                  fmt::format("record {} is not the one that was written: its hash is another", record.number));
  }
  hashes_.push_back(record.hash);
  last_ = record.number;
}

const Digest* Verifier::hash_at(std::uint64_t number) const {
  const auto after = starts_.upper_bound(number);
  if (after == starts_.begin()) return nullptr;
  const auto& [first, place] = *std::prev(after);
  const std::uint64_t at = place + (number - first);
  const std::uint64_t end = after == starts_.end() ? hashes_.size() : after->second;
  return at < end ? &hashes_[at] : nullptr;
}

void Verifier::check_identity() {
  if (!replay_.tables().get(Table::facts, "ledger")) return;  // found while replaying
  identity_ = replay_.book().identity();
  if (options_.public_key && identity_.public_key != *options_.public_key) {
    findings_.add(1,
                  fmt::format("the ledger belongs to key {}, not to {}", identity_.public_key, *options_.public_key));
  }
}

void Verifier::check_noted_heads() {
  if (identity_.id.empty()) return;
  for (const SignedHead& noted : options_.noted) check_noted(noted);
}

void Verifier::check_noted(const SignedHead& noted) {
  const std::uint64_t number = noted.head.number;
  if (noted.ledger != identity_.id) {
    findings_.add(0, fmt::format("a head that was noted at record {} belongs to another ledger", number));
  } else if (!head_verifies(noted, key())) {
    findings_.add(0, fmt::format("a head that was noted at record {} does not carry the key's signature", number));
  } else if (number > last_) {
    findings_.add(last_ + 1, fmt::format("records from {} on are missing: a head noted elsewhere stands at {}",
                                         last_ + 1, number));
  } else if (const Digest* hash = hash_at(number); number > 0 && hash != nullptr && *hash != noted.head.hash) {
    findings_.add(number, fmt::format("record {} is not the one that a head noted elsewhere vouches for: it, or one "
                                      "before it, was changed",
                                      number));
  }
}

void Verifier::check_signature() {
  if (identity_.id.empty() || hashes_.empty()) return;
  const std::string signature = store_.note("signature");
  const auto is_of = [&](std::uint64_t number) {
    const Digest* hash = hash_at(number);
    return hash != nullptr && head_verifies({identity_.id, {number, *hash}, signature}, key());
  };
  if (is_of(last_)) return;
  for (std::uint64_t back = 1; back <= kLookBack && back < last_; ++back) {
    if (!is_of(last_ - back)) continue;
    const std::uint64_t first = last_ - back + 1;
    findings_.add(first, fmt::format("from record {} on nothing carries the key's signature", first));
    return;
  }
  findings_.add(last_, fmt::format("record {}, the last one, does not carry the key's signature: the chain was written "
                                   "anew without the key, or cut off here, or its signature was changed",
                                   last_));
}

// Which members two lines of JSON do not share; empty when one of them is no JSON object.
std::vector<std::string> differing_members(const std::string& a, std::string_view b) {
  if (detail::is_too_deep(b)) return {};
  const Json first = Json::parse(a, nullptr, false);
  const Json second = Json::parse(b, nullptr, false);
  if (!first.is_object() || !second.is_object()) return {};
  std::set<std::string> names;
  for (const auto& [name, value] : first.items()) {
    if (!second.contains(name) || second[name] != value) names.insert(name);
  }
  for (const auto& [name, value] : second.items()) {
    if (!first.contains(name)) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string entry(Table table, std::string_view key) {
  return fmt::format("entry \"{}\" of the table {}", echo(key), table_name(table));
}

void Verifier::compare_table(Table table) {
  detail::Traced& tables = replay_.tables();
  std::set<std::string, std::less<>> seen;
  store_.scan(table, "", [&](std::string_view key, std::string_view value) {
    const auto wanted = tables.get(table, key);
    const std::uint64_t writer = tables.writer_of(table, key);
    if (!wanted) {
      findings_.add(writer, fmt::format("{} follows from no record", entry(table, key)));
    } else if (*wanted != value) {
      const std::vector<std::string> members = differing_members(*wanted, value);
      findings_.add(writer,
                    fmt::format("{} is not what the records give{}{}", entry(table, key), members.empty() ? "" : ": ",
                                echo(fmt::format("{}", fmt::join(members, ", ")))));
    }
    seen.emplace(key);
    return true;
  });
  tables.scan(table, "", [&](std::string_view key, std::string_view) {
    if (!seen.contains(key)) {
      findings_.add(tables.writer_of(table, key), fmt::format("{} is missing", entry(table, key)));
    }
    return true;
  });
}

void Verifier::check_answers() {
  const detail::AnswersDue::ByHash& due = replay_.answers().inside;
  std::set<std::string, std::less<>> seen;
  store_.scan(Table::answers, "", [&](std::string_view key, std::string_view bytes) {
    const auto owner = due.find(key);
    if (owner == due.end()) {
      findings_.add(0, fmt::format("{} belongs to no release", entry(Table::answers, key)));
    } else if (sha256(bytes).hex() != key) {
      findings_.add(owner->second, fmt::format("the answer {} is not the one that was given", key));
    }
    seen.emplace(key);
    return true;
  });
  for (const auto& [hash, record] : due) {
    if (!seen.contains(hash)) findings_.add(record, fmt::format("the answer {} is missing", hash));
  }
}

void Verifier::check_answer_files() {
  if (options_.answers_folder.empty()) return;
  for (const auto& [hash, record] : replay_.answers().in_files) {
    const auto bytes = detail::read_answer_file(options_.answers_folder, hash);
    if (!bytes) {
      findings_.add(record, fmt::format("the answer {} is missing: it has no file", hash));
    } else if (sha256(*bytes).hex() != hash) {
      findings_.add(record, fmt::format("the answer {} is not the one that was given", hash));
    }
  }
}

// Runs it; what it says about damage becomes a finding.
template <class Work>
void with_damage(std::vector<Finding>& findings, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != Code::ledger_damaged) throw;
    findings.push_back({0, error.what()});
  }
}

// The heads noted beside a ledger and at its anchor. A copy has not got its own yet, and may be behind the anchor.
std::vector<std::string> places_of_heads(SqliteStore& store) {
  const Transaction transaction(store, Access::read);
  std::vector<std::string> places = {head_file_of(store.path())};
  if (!store.note("copy").empty()) return std::filesystem::exists(places[0]) ? places : std::vector<std::string>();
  const std::string anchor = detail::Book(store).identity().anchor;
  if (!anchor.empty()) places.push_back(anchor);
  return places;
}

}  // namespace

std::vector<Finding> verify(Store& store, const VerifyOptions& options) { return Verifier(store, options).run(); }

std::vector<Finding> verify_file(const std::string& path, VerifyOptions options) {
  SqliteStore store(path, Opening::raw);
  if (options.answers_folder.empty()) options.answers_folder = answers_folder_of(path);
  std::vector<Finding> besides;
  // Heads are read before records: those that are written meanwhile are beyond them.
  with_damage(besides, [&] {
    for (const std::string& place : places_of_heads(store)) {
      with_damage(besides, [&] {
        if (const auto noted = read_head_file(place)) {
          options.noted.push_back(*noted);
        } else {
          besides.push_back({0, fmt::format("the head file {} is missing", echo(place))});
        }
      });
    }
  });
  std::vector<Finding> findings = verify(store, options);
  with_damage(besides, [&] {
    const std::string complaint = SqliteStore(path, Opening::read_only).structure_complaint();
    if (!complaint.empty()) besides.push_back({0, fmt::format("the file is damaged: {}", complaint)});
  });
  findings.insert(findings.end(), besides.begin(), besides.end());
  return findings;
}

}  // namespace dither::ledger
