#include "calculus/agents.h"

#include <fmt/format.h>

#include "base/error.h"
#include "calculus/detail/spending.h"

namespace dither::calculus {

namespace {

void insert(std::map<std::string, Queryable, std::less<>>& agents, const std::string& name, const Queryable& view) {
  agents.emplace(name, view);
}

}  // namespace

Queryable Agents::add(const std::string& name, const accounting::FilterRule& rule) {
  if (agents_.contains(name)) {
    throw Error{Code::duplicate_key, fmt::format("there is an agent \"{}\" already", name), "give another name"};
  }
  insert(agents_, name, budget_.limited(name, rule));
  return of(name);
}

Queryable Agents::delegate(const std::string& from, const std::string& name, const accounting::FilterRule& rule) {
  if (agents_.contains(name)) {
    throw Error{Code::duplicate_key, fmt::format("there is an agent \"{}\" already", name), "give another name"};
  }
  insert(agents_, name, of(from).limited(name, rule));
  return of(name);
}

const Queryable& Agents::of(const std::string& name) const {
  const auto found = agents_.find(name);
  if (found != agents_.end()) return found->second;
  throw Error{Code::unknown_key, fmt::format("there is no agent \"{}\"", name), "add it first"};
}

void Agents::revoke(const std::string& name) const { of(name).freeze(); }

namespace {

std::string parent_of(const std::string& holder) {
  const std::size_t slash = holder.rfind('/');
  return slash == std::string::npos ? "" : holder.substr(0, slash);
}

bool is_under(const std::string& holder, const std::string& above) {
  return holder == above || above.empty() || holder.starts_with(above + "/");
}

Account& account_of(std::vector<Account>& all, const std::string& holder) {
  for (Account& one : all) {
    if (one.holder == holder) return one;
  }
  return all.emplace_back(Account{holder, parent_of(holder), {}});
}

void add_charge(Account& account, const accounting::Spent& charge) {
  account.spent = account.spent == accounting::Spent{} ? charge : plus(account.spent, charge);
}

// "grant bob {...}" by anna makes "anna/bob".
std::string granted(const AuditRecord& record) {
  const std::size_t start = record.what.find(' ') + 1;
  const std::string name = record.what.substr(start, record.what.find(' ', start) - start);
  return record.who.empty() ? name : record.who + "/" + name;
}

}  // namespace

std::vector<Account> accounts(std::span<const AuditRecord> log) {
  std::vector<Account> all{{"", "", {}}};
  for (const AuditRecord& record : log) {
    if (record.verdict != "admitted") continue;
    if (record.what.starts_with("grant ") || record.what.starts_with("open ")) account_of(all, granted(record));
    for (const Held& held : record.charges) add_charge(account_of(all, held.holder), held.charge);
    if (record.what != "freeze") continue;
    for (Account& one : all) one.closed = one.closed || is_under(one.holder, record.who);
  }
  return all;
}

}  // namespace dither::calculus
