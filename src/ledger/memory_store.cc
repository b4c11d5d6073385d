#include "ledger/memory_store.h"

namespace dither::ledger {

void MemoryStore::begin(Access) {
  undo_.clear();
  records_before_ = records_.size();
}

void MemoryStore::commit() { undo_.clear(); }

void MemoryStore::rollback() noexcept {
  for (; !undo_.empty(); undo_.pop_back()) {
    Undo& step = undo_.back();
    if (step.before) {
      (*step.map)[step.key] = std::move(*step.before);
    } else {
      step.map->erase(step.key);
    }
  }
  records_.resize(records_before_);
}

Head MemoryStore::head() { return records_.empty() ? Head{} : head_at(records_.back()); }

void MemoryStore::append(const Record& record) { records_.push_back(record); }

void MemoryStore::records(std::uint64_t from, const std::function<bool(const Record&)>& visit) {
  for (std::size_t i = from == 0 ? 0 : from - 1; i < records_.size(); ++i) {
    if (!visit(records_[i])) return;
  }
}

std::string MemoryStore::note(std::string_view name) {
  const auto found = notes_.find(name);
  return found == notes_.end() ? std::string() : found->second;
}

void MemoryStore::set_note(std::string_view name, std::string_view text) {
  remember(notes_, name);
  notes_.insert_or_assign(std::string(name), std::string(text));
}

std::optional<std::string> MemoryStore::get(Table table, std::string_view key) {
  const Map& map = tables_.at(static_cast<std::size_t>(table));
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

void MemoryStore::put(Table table, std::string_view key, std::string_view value) {
  Map& map = tables_.at(static_cast<std::size_t>(table));
  remember(map, key);
  map.insert_or_assign(std::string(key), std::string(value));
}

void MemoryStore::erase(Table table, std::string_view key) {
  Map& map = tables_.at(static_cast<std::size_t>(table));
  remember(map, key);
  if (const auto found = map.find(key); found != map.end()) map.erase(found);
}

void MemoryStore::scan(Table table, std::string_view from, const Visit& visit) {
  const Map& map = tables_.at(static_cast<std::size_t>(table));
  for (auto at = map.lower_bound(from); at != map.end(); ++at) {
    if (!visit(at->first, at->second)) return;
  }
}

std::optional<std::pair<std::string, std::string>> MemoryStore::last(Table table, std::string_view prefix) {
  const Map& map = tables_.at(static_cast<std::size_t>(table));
  auto at = map.lower_bound(std::string(prefix) + '\xFF');
  if (at == map.begin()) return std::nullopt;
  --at;
  if (!at->first.starts_with(prefix)) return std::nullopt;
  return *at;
}

void MemoryStore::remember(Map& map, std::string_view key) {
  const auto found = map.find(key);
  undo_.push_back({&map, std::string(key), found == map.end() ? std::nullopt : std::optional(found->second)});
}

}  // namespace dither::ledger
