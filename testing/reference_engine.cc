#include "testing/reference_engine.h"

namespace dither::testing {
namespace {

using Content = engine::ExactNumbers::Content;

// The cells behind canonical bytes, of all keys that occur.
std::map<std::string, PlanRow> keys_of(const PlanRows& rows, const plan::BoundedAggregate& aggregate) {
  std::map<std::string, PlanRow> keys;
  for (const PlanRow& row : rows) {
    PlanRow key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(aggregate.keys));
    keys.emplace(canonical(key), std::move(key));
  }
  return keys;
}

}  // namespace

Content reference_content(const plan::Project& project, const PlanDatabase& database,
                          const plan::BoundedAggregate& aggregate) {
  const PlanRows rows = reference_rows(project, database, aggregate.rows);
  const ExactNumbers exact = reference_exact(rows, aggregate);
  const std::map<std::string, PlanRow> known = keys_of(rows, aggregate);
  Content content;
  content.numbers.resize(aggregate.measures.size());
  content.histograms.resize(aggregate.measures.size());
  const auto add = [&](const PlanRow& key, const std::vector<Int128>& numbers) {
    content.keys.push_back(key);
    content.units.push_back(numbers.back());
    for (std::size_t i = 0; i < content.numbers.size(); ++i) content.numbers[i].push_back(numbers[i]);
  };
  if (aggregate.keys == 0) {
    add({}, exact.at(""));
  } else if (aggregate.public_keys) {
    for (const PlanRow& key : *aggregate.public_keys) add(key, exact.at(canonical(key)));
  } else {
    for (const auto& [bytes, numbers] : exact) add(known.at(bytes), numbers);
  }
  return content;
}

void ReferenceEngine::prepare(const plan::BoundedAggregate&) {
  ++prepared;
  if (at_prepare) at_prepare();
}

engine::ExactNumbers ReferenceEngine::run(const plan::BoundedAggregate& aggregate, const engine::Watch& watch) {
  ++runs;
  if (at_run) at_run(watch);
  return engine::ExactNumbers(reference_content(project_, database_, aggregate));
}

std::string ReferenceEngine::fingerprint(const std::vector<std::string>& tables) {
  if (at_fingerprint) at_fingerprint();
  std::string all;
  for (const std::string& table : tables) all += table + " ";
  return all;
}

}  // namespace dither::testing
