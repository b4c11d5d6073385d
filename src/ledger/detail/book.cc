#include "ledger/detail/book.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace dither::ledger::detail {
namespace {

std::string draw_prefix(const Digest& key) { return key.hex() + "/"; }

}  // namespace

Book::Identity Book::identity() {
  const auto text = store_.get(Table::facts, "ledger");
  if (!text) throw_damaged("it has no first record");
  return reading([&] {
    const Json json = parse(*text);
    return Identity{json.at("id").get<std::string>(), json.at("public_key").get<std::string>(),
                    value_or<std::string>(json, "anchor", "")};
  });
}

Time Book::last_time() {
  const auto text = store_.get(Table::facts, "time");
  return text ? time_from_text(*text) : 0;
}

std::optional<Dataset> Book::dataset(std::string_view name) {
  auto text = store_.get(Table::datasets, name);
  return text ? std::optional(datasets_.value(name, *std::move(text), dataset_from)) : std::nullopt;
}

std::optional<Budget> Book::budget(std::string_view path) {
  auto text = store_.get(Table::budgets, path);
  return text ? std::optional(budgets_.value(path, *std::move(text), budget_from)) : std::nullopt;
}

std::optional<Release> Book::release(std::string_view id) {
  auto text = store_.get(Table::releases, id);
  return text ? std::optional(releases_.value(id, *std::move(text), release_from)) : std::nullopt;
}

Dataset Book::need_dataset(std::string_view name) {
  if (auto found = dataset(name)) return *std::move(found);
  std::vector<std::string> names;
  for (const Dataset& there : datasets()) names.push_back(there.name);
  throw Error{Code::unknown_budget, fmt::format("there is no data set \"{}\"", echo(name)),
              names.empty() ? "make one with `dither budget create --dataset`"
                            : fmt::format("did you mean \"{}\"?", nearest(std::string(name), names))};
}

Budget Book::need_budget(std::string_view path) {
  if (auto found = budget(path)) return *std::move(found);
  std::vector<std::string> paths;
  for (const Budget& there : budgets()) paths.push_back(there.path);
  throw Error{Code::unknown_budget, fmt::format("there is no budget \"{}\"", echo(path)),
              paths.empty() ? "make one with `dither budget create`"
                            : fmt::format("did you mean \"{}\"?", nearest(std::string(path), paths))};
}

Release Book::need_release(std::string_view id) {
  if (auto found = release(id)) return *std::move(found);
  throw Error{Code::unknown_release, fmt::format("there is no release \"{}\"", echo(id)),
              "`dither history` lists the releases"};
}

std::vector<Dataset> Book::datasets() {
  std::vector<Dataset> all;
  store_.scan(Table::datasets, "", [&](std::string_view, std::string_view value) {
    all.push_back(dataset_from(value));
    return true;
  });
  return all;
}

std::vector<Budget> Book::budgets(std::string_view path) {
  std::vector<Budget> found;
  const std::string below = std::string(path) + "/";
  store_.scan(Table::budgets, path, [&](std::string_view key, std::string_view value) {
    const bool wanted = path.empty() || key == path || key.starts_with(below);
    if (wanted) found.push_back(budget_from(value));
    return key.starts_with(path);
  });
  return found;
}

std::vector<Release> Book::held() {
  std::vector<std::string> ids;
  store_.scan(Table::held, "", [&](std::string_view key, std::string_view) {
    ids.emplace_back(key);
    return true;
  });
  std::vector<Release> releases;
  for (const std::string& id : ids) releases.push_back(need_release(id));
  return releases;
}

std::optional<Release> Book::last_draw(const Digest& key) {
  const auto found = store_.last(Table::draws, draw_prefix(key));
  return found ? std::optional(need_release(found->second)) : std::nullopt;
}

void Book::put(const Dataset& dataset) { store_.put(Table::datasets, dataset.name, to_text(dataset)); }

void Book::put(const Budget& budget) {
  std::string text = to_text(budget);
  store_.put(Table::budgets, budget.path, text);
  budgets_.keep(budget.path, std::move(text), budget);
}

void Book::put(const Release& release) {
  std::string text = to_text(release);
  store_.put(Table::releases, release.id, text);
  releases_.keep(release.id, std::move(text), release);
  const std::string draw = draw_prefix(release.key) + release_id(release.draw);
  const bool is_held = release.state == State::reserved || release.state == State::opened;
  if (release.state == State::reserved) {
    store_.put(Table::held, release.id, "{}");
    store_.put(Table::draws, draw, release.id);
  } else if (!is_held) {
    store_.erase(Table::held, release.id);
    if (release.state == State::voided) store_.erase(Table::draws, draw);
  }
}

}  // namespace dither::ledger::detail
