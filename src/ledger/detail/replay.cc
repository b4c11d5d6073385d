#include "ledger/detail/replay.h"

#include <fmt/format.h>

#include <new>

namespace dither::ledger::detail {

void Traced::put(Table table, std::string_view key, std::string_view value) {
  trace(table, key);
  MemoryStore::put(table, key, value);
}

void Traced::erase(Table table, std::string_view key) {
  trace(table, key);
  MemoryStore::erase(table, key);
}

std::uint64_t Traced::writer_of(Table table, std::string_view key) const {
  const auto& writers = writers_.at(static_cast<std::size_t>(table));
  const auto found = writers.find(key);
  return found == writers.end() ? 0 : found->second;
}

void Traced::trace(Table table, std::string_view key) {
  auto& writers = writers_.at(static_cast<std::size_t>(table));
  const auto found = writers.find(key);
  if (found != writers.end()) {
    found->second = writer_;
  } else {
    writers.emplace(key, writer_);
  }
}

std::optional<std::string> Replay::apply(const Record& record) {
  tables_.set_writer(record.number);
  try {
    Transaction transaction(tables_, Access::write);
    book_.apply(record);
    transaction.commit();
    answers_.note(record);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // whatever stands in the record: it was not written here
    return error.what();
  }
  return std::nullopt;
}

void AnswersDue::note(const Record& record) {
  if (record.body.find("committed") == std::string::npos) return;
  const Json body = parse(record.body);
  if (body.at("kind") != "committed") return;
  ByHash& answers = body.at("in_file").get<bool>() ? in_files : inside;
  answers.emplace(body.at("answer").get<std::string>(), record.number);
}

void replay_all(Store& store, Replay& replay) {
  Head head;
  store.records(0, [&](const Record& record) {
    if (record != next_record(head, record.body)) throw_damaged(fmt::format("at record {}", head.number + 1));
    head = head_at(record);
    if (const auto why = replay.apply(record)) throw_damaged(fmt::format("at record {}: {}", record.number, *why));
    return true;
  });
}

void replace_tables(Store& store, Replay& replay) {
  for (const Table table : kReplayed) {
    std::vector<std::string> keys;
    store.scan(table, "", [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return true;
    });
    for (const std::string& key : keys) store.erase(table, key);
    replay.tables().scan(table, "", [&](std::string_view key, std::string_view value) {
      store.put(table, key, value);
      return true;
    });
  }
}

}  // namespace dither::ledger::detail
