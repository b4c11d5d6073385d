// For tests: what a ledger of one data set means, as plainly as it can be said. Nothing of the ledger's code is used.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/rational.h"

namespace dither::ledger::check {

// Budgets "d", "d/a", "d/a/x" and so on, under pure epsilon, with daily renewal for some; times are in seconds.
struct Reference {
  enum class Standing { active, frozen, revoked };
  enum class State { reserved, opened, committed, voided, lost };
  struct Node {
    Rational limit, reserve;
    bool daily = false;
    std::optional<long> expires;
    Standing standing = Standing::active;
    Rational spent, corrected, lifetime;
    long day = 0;
    int periods = 1, epoch = 1, charges = 0;
  };
  struct Payer {
    std::string node;
    int epoch, period;
  };
  struct Entry {  // a release
    std::string node;
    std::tuple<int, int, int> key;  // question, price, version
    int draw = 1;
    State state = State::reserved;
    Rational cost;
    bool correction = false;
    std::optional<std::size_t> corrects;
    std::vector<Payer> payers;
    std::string answer;
  };
  struct Ask {
    std::string node;
    int question = 0;
    int price = 0;
    Rational cost;
    bool again = false;
    std::optional<std::size_t> corrects;  // an entry
  };
  struct Outcome {
    enum Kind { ticket, answer, busy } kind;
    std::size_t entry;
  };
  struct Refused {  // thrown
    Code code;
    bool recorded = false;
  };

  std::map<std::string, Node> nodes;
  std::vector<Entry> entries;
  int version = 1;
  long clock = 0;
  long last = 0;  // time of the last record

  long now() const { return std::max(clock, last); }
  long today() const { return now() / 86400; }
  void record() { last = now(); }

  static std::vector<std::string> upwards(std::string node) {
    std::vector<std::string> all;
    for (;;) {
      all.push_back(node);
      const std::size_t slash = node.rfind('/');
      if (slash == std::string::npos) return all;
      node.resize(slash);
    }
  }

  Node& need(const std::string& node) {
    const auto found = nodes.find(node);
    if (found == nodes.end()) throw Refused{Code::unknown_budget};
    return found->second;
  }

  void create(const std::string& node, Node made) {
    if (const auto line = upwards(node); line.size() > 1) need(line[1]);
    if (nodes.count(node) != 0) throw Refused{Code::duplicate_key};
    made.day = today();
    nodes[node] = made;
    record();
  }
  void grant(const std::string& node, const Rational& more) {
    if (need(node).standing == Standing::revoked) throw Refused{Code::wrong_state};
    need(node).limit += more;
    record();
  }
  void stand(const std::string& node, Standing from, Standing to) {
    Node& at = need(node);
    const bool may = to == Standing::revoked ? at.standing != Standing::revoked : at.standing == from;
    if (!may) throw Refused{Code::wrong_state};
    at.standing = to;
    record();
  }
  void declare(bool fresh) {
    for (const Entry& entry : entries) {
      if (fresh && entry.state == State::opened) throw Refused{Code::wrong_state};
    }
    ++version;
    for (auto& [path, node] : nodes) {
      if (!fresh) continue;
      node.spent = node.corrected = node.lifetime = 0;
      node.day = today();
      node.periods = 1;
      ++node.epoch;
    }
    record();
  }

  // All or none.
  std::vector<Outcome> reserve(const std::vector<Ask>& asks) {
    for (const Ask& ask : asks) need(ask.node);
    Reference after = *this;
    std::vector<Outcome> outcomes;
    std::set<std::tuple<int, int, int>> keys;
    try {
      for (const Ask& ask : asks) outcomes.push_back(after.decide(ask, keys));
    } catch (const Refused& refused) {
      if (refused.recorded) record();
      throw;
    }
    for (const Outcome& outcome : outcomes) {
      if (outcome.kind == Outcome::busy) return {outcome};
    }
    *this = std::move(after);
    return outcomes;
  }

  void open(std::size_t at) {
    Entry& entry = entries.at(at);
    if (entry.state != State::reserved) throw Refused{Code::wrong_state};
    bool stale = std::get<2>(entry.key) != version;
    for (const std::string& node : upwards(entry.node)) stale = stale || need(node).standing != Standing::active;
    if (!stale) {
      entry.state = State::opened;
      return record();
    }
    give_back(at);
    throw Refused{Code::frozen};
  }
  void commit(std::size_t at, const std::string& answer) {
    Entry& entry = entries.at(at);
    if (entry.state != State::opened) throw Refused{Code::wrong_state};
    entry.state = State::committed;
    entry.answer = answer;
    record();
  }
  void give_back(std::size_t at) {
    Entry& entry = entries.at(at);
    if (entry.state != State::reserved) throw Refused{Code::wrong_state};
    entry.state = State::voided;
    for (const Payer& payer : entry.payers) {
      Node& node = need(payer.node);
      --node.charges;
      if (node.epoch != payer.epoch) continue;
      if (node.periods == payer.period) {
        node.spent -= entry.cost;
        if (entry.correction) node.corrected -= entry.cost;
      }
      node.lifetime -= entry.cost;
    }
    record();
  }
  void drop(std::size_t at) {
    if (entries.at(at).state == State::reserved) return give_back(at);
    entries.at(at).state = State::lost;
    record();
  }

 private:
  Outcome decide(const Ask& ask, std::set<std::tuple<int, int, int>>& keys) {
    const std::tuple key(ask.question, ask.price, version);
    if (!keys.insert(key).second) throw Refused{Code::duplicate_key};
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].key != key || entries[i].state == State::voided) continue;
      if (!found || entries[i].draw > entries[*found].draw) found = i;
    }
    const bool corrects = found && ask.corrects && entries[*found].corrects != ask.corrects;
    if (!found || ask.again || corrects) return draw(ask, key, found ? entries[*found].draw + 1 : 1);
    if (entries[*found].state == State::lost) throw Refused{Code::answer_lost, true};
    if (entries[*found].state != State::committed) return {Outcome::busy, *found};
    share(ask, entries[*found]);
    return {Outcome::answer, *found};
  }

  Outcome draw(const Ask& ask, const std::tuple<int, int, int>& key, int number) {
    if (ask.corrects && entries.at(*ask.corrects).state != State::committed) throw Refused{Code::wrong_state};
    Entry entry;
    entry.node = ask.node;
    entry.key = key;
    entry.draw = number;
    entry.cost = ask.cost;
    entry.correction = ask.corrects.has_value();
    entry.corrects = ask.corrects;
    entry.payers = pay(ask.node, upwards(ask.node), entry.cost, entry.correction);
    entries.push_back(entry);
    return {Outcome::ticket, entries.size() - 1};
  }

  void share(const Ask& ask, Entry& entry) {
    std::vector<std::string> unpaid;
    for (const std::string& node : upwards(ask.node)) {
      const auto is = [&](const Payer& payer) { return payer.node == node; };
      if (std::any_of(entry.payers.begin(), entry.payers.end(), is)) break;
      unpaid.push_back(node);
    }
    if (unpaid.empty()) {
      for (const std::string& node : upwards(ask.node)) {
        if (need(node).standing == Standing::revoked) throw Refused{Code::revoked, true};
      }
      return;
    }
    if (ask.corrects && entries.at(*ask.corrects).state != State::committed) throw Refused{Code::wrong_state};
    for (const Payer& payer : pay(ask.node, unpaid, entry.cost, ask.corrects.has_value())) {
      entry.payers.push_back(payer);
    }
  }

  std::vector<Payer> pay(const std::string& asking, const std::vector<std::string>& paying, const Rational& cost,
                         bool correction) {
    for (const std::string& path : upwards(asking)) {
      const Node& node = need(path);
      if (node.standing == Standing::revoked) throw Refused{Code::revoked, true};
      if (node.standing == Standing::frozen) throw Refused{Code::frozen, true};
      if (node.expires && now() >= *node.expires) throw Refused{Code::expired, true};
    }
    std::vector<Payer> payers;
    for (const std::string& path : paying) {
      Node& node = need(path);
      if (node.daily && today() > node.day) {
        node.spent = node.corrected = 0;
        node.day = today();
        ++node.periods;
      }
      node.spent += cost;
      node.lifetime += cost;
      if (correction) node.corrected += cost;
      ++node.charges;
      const bool fits = node.spent <= node.limit;
      const bool spares = correction || node.spent - node.corrected <= node.limit - node.reserve;
      if (!fits || !spares) throw Refused{Code::over_budget, true};
      payers.push_back({path, node.epoch, node.periods});
    }
    record();
    return payers;
  }
};

}  // namespace dither::ledger::check
