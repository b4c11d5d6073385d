// For tests: random walks of a ledger beside the reference, which must agree after every step.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include "ledger/ledger_check.h"
#include "ledger/reference_check.h"
#include "ledger/store_check.h"

namespace dither::ledger::check {

enum class Act {
  reserve,
  batch,
  open,
  commit,
  drop,
  give_back,
  create,
  grant,
  freeze,
  thaw,
  revoke,
  continue_version,
  fresh_version,
  forward,
  back,
  reopen
};
constexpr std::array<const char*, 16> kActs = {
    "reserve", "batch", "open",   "commit",           "drop",          "give_back", "create", "grant",
    "freeze",  "thaw",  "revoke", "continue_version", "fresh_version", "forward",   "back",   "reopen"};

// What the numbers mean depends on the act; every number means something, so that steps can be left out at will.
struct Step {
  Act act = Act::reserve;
  unsigned a = 0, b = 0, c = 0;
};
using Steps = std::vector<Step>;
inline std::string text_of(const Steps& steps) {
  std::string text;
  for (const Step& step : steps) {
    text += fmt::format("{} {} {} {}\n", kActs.at(static_cast<std::size_t>(step.act)), step.a, step.b, step.c);
  }
  return text;
}

inline rc::Gen<Steps> some_steps() {
  const auto act = rc::gen::weightedElement<Act>({{32, Act::reserve},
                                                  {12, Act::batch},
                                                  {24, Act::open},
                                                  {20, Act::commit},
                                                  {5, Act::drop},
                                                  {5, Act::give_back},
                                                  {6, Act::create},
                                                  {6, Act::grant},
                                                  {2, Act::freeze},
                                                  {7, Act::thaw},
                                                  {1, Act::revoke},
                                                  {1, Act::continue_version},
                                                  {1, Act::fresh_version},
                                                  {3, Act::forward},
                                                  {1, Act::back},
                                                  {1, Act::reopen}});
  const auto number = [] { return rc::gen::inRange(0u, 60u); };
  return rc::gen::container<Steps>(rc::gen::build<Step>(rc::gen::set(&Step::act, act), rc::gen::set(&Step::a, number()),
                                                        rc::gen::set(&Step::b, number()),
                                                        rc::gen::set(&Step::c, number())));
}

// How a ledger is opened, for the first time and again; a planted bug is a store that does something else.
using OpenStore = std::function<std::unique_ptr<Store>()>;
using Seen = std::map<std::string, int>;  // what came of the steps, and how often

class Walk {
 public:
  explicit Walk(OpenStore open) : open_(std::move(open)) {
    options_.clock = [this] { return Time{reference_.clock}; };
    reference_.clock = kStart;
    {
      const std::unique_ptr<Store> store = open_();
      Ledger::begin(*store, key_, options_);
      reference_.record();
    }
    ledger_.emplace(open_(), key_, options_);
    ledger_->create_dataset(pure_dataset("d", "3"), steward());
    Reference::Node root;
    root.limit = 3;
    reference_.create("d", root);
    create({Act::create, 0, 11, 0});
    create({Act::create, 1, 11, 1});  // daily, with a reserve
    create({Act::create, 2, 11, 3});  // daily, and expires
  }

  // How the two differ after these steps; empty when they agree.
  std::string run(const Steps& steps, Seen* seen = nullptr) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto [ledger, reference] = take(steps[i]);
      if (seen != nullptr) ++(*seen)[std::string(kActs.at(static_cast<std::size_t>(steps[i].act))) + " " + ledger];
      if (ledger != reference) return fmt::format("step {}: ledger {}, reference {}", i, ledger, reference);
      const std::string a = ledger_picture();
      const std::string b = reference_picture();
      if (a != b) return fmt::format("after step {}, the ledger:\n{}the reference:\n{}", i, a, b);
    }
    return "";
  }

 private:
  static constexpr long kStart = 1794744000;  // noon
  struct Held {
    Ticket ticket;
    std::size_t entry;
  };
  using Said = std::pair<std::string, std::string>;

  template <class A, class B>
  static Said both(const A& of_ledger, const B& of_reference) {
    Said said{"done", "done"};
    try {
      if constexpr (std::is_void_v<decltype(of_ledger())>) {
        of_ledger();
      } else {
        said.first = of_ledger();
      }
    } catch (const Error& error) {
      said.first = code_name(error.code());
    }
    try {
      if constexpr (std::is_void_v<decltype(of_reference())>) {
        of_reference();
      } else {
        said.second = of_reference();
      }
    } catch (const Reference::Refused& refused) {
      said.second = code_name(refused.code);
    }
    return said;
  }

  static std::string path(unsigned number) {
    constexpr std::array kPaths = {"d/a", "d/a/x", "d/b", "d/c", "d",     "d/c/w",
                                   "d/b", "d/a/x", "d/a", "d/b", "d/a/x", "nowhere"};
    return kPaths.at(number % kPaths.size());
  }
  // Scale of the noise, and its price: one third rounds up to the grid.
  static std::pair<Rational, Rational> price(unsigned number) {
    constexpr std::array kPrices = {"0.1", "0.2", "0.3", "0.7"};
    const unsigned at = number % 5;
    if (at == 4) return {Rational(3), Rational::parse("0.333333333333333334")};
    return {Rational(1) / Rational::parse(kPrices.at(at)), Rational::parse(kPrices.at(at))};
  }

  Said take(const Step& step) {
    switch (step.act) {
      case Act::reserve:
        return reserve({{step.a, step.b, step.c}});
      case Act::batch:
        return reserve({{step.a, step.b, step.c}, {step.b, step.a, step.c / 2}, {step.c, step.a + 1, step.b / 3}});
      case Act::create:
        return create(step);
      case Act::grant:
        return both([&] { ledger_->grant(path(step.a), pure("0.1"), steward()); },
                    [&] { reference_.grant(path(step.a), Rational(1, 10)); });
      case Act::freeze:
        return both([&] { ledger_->freeze(path(step.a % 5), steward()); },
                    [&] { reference_.stand(path(step.a % 5), kActive, Reference::Standing::frozen); });
      case Act::thaw:
        return both([&] { ledger_->thaw(path(step.a % 5), steward()); },
                    [&] { reference_.stand(path(step.a % 5), Reference::Standing::frozen, kActive); });
      case Act::revoke:  // the data set's budget stays: all that follows would be refused
        return both([&] { ledger_->revoke(path(step.a % 3), steward()); },
                    [&] { reference_.stand(path(step.a % 3), kActive, Reference::Standing::revoked); });
      case Act::continue_version:
      case Act::fresh_version: {
        const bool fresh = step.act == Act::fresh_version;
        const std::string label = std::to_string(reference_.version + 1);
        return both([&] { ledger_->declare_version("d", label, "", fresh, steward()); },
                    [&] { reference_.declare(fresh); });
      }
      case Act::forward:
        reference_.clock += 3600L * step.a;
        return {"done", "done"};
      case Act::back:
        reference_.clock -= 3600L * step.a;
        return {"done", "done"};
      case Act::reopen:
        ledger_.emplace(open_(), key_, options_);
        return {"done", "done"};
      default:
        return held_.empty() ? Said{"nothing held", "nothing held"} : use(step.act, step.a % held_.size());
    }
  }

  Said create(const Step& step) {
    BudgetTerms terms;
    Reference::Node node;
    const Rational limit = Rational(static_cast<long>(1 + step.b % 12), 10);
    terms.rule = accounting::PureRule{accounting::LossAmount::down(limit)};
    node.limit = limit;
    if (step.c % 3 == 1) {
      terms.reserve = pure("0.1");
      node.reserve = Rational(1, 10);
    }
    node.daily = step.c % 2 == 1;
    if (node.daily) terms.renews = Period::day;
    if (step.c % 7 == 3) {
      node.expires = kStart + 86400L * step.b / 10;
      terms.expires = *node.expires;
    }
    const std::string where = path(step.a);
    if (where == "nowhere" || where == "d") return {"no place", "no place"};
    return both([&] { ledger_->create_budget(where, BudgetKind::project, terms, steward()); },
                [&] { reference_.create(where, node); });
  }

  struct Wish {
    unsigned where, what, how;
  };
  Said reserve(const std::vector<Wish>& wishes) {
    std::vector<Request> requests;
    std::vector<Reference::Ask> asks;
    for (const Wish& wish : wishes) {
      const auto [scale, cost] = price(wish.what);
      Reference::Ask ask{
          path(wish.where), static_cast<int>(wish.what / 50), static_cast<int>(wish.what % 5), cost, wish.how % 5 == 1,
          std::nullopt};
      Request request = laplace(ask.node, "1", std::to_string(ask.question));
      request.price.events = {{{}, accounting::Laplace{scale, Rational(1)}, 1}};
      request.again = ask.again;
      if (wish.how % 6 == 3 && !ids_.empty()) {
        ask.corrects = wish.how % ids_.size();
        request.correction = {ids_.at(*ask.corrects), "wrong"};
      }
      requests.push_back(request);
      asks.push_back(ask);
    }
    std::vector<Ticket> tickets;
    Said said = both([&] { return words(ledger_->reserve(requests), tickets); },
                     [&] { return words(reference_.reserve(asks)); });
    if (said.first == said.second) {
      for (Ticket& ticket : tickets) {
        held_.push_back({std::move(ticket), ids_.size()});
        ids_.push_back(held_.back().ticket.release());
      }
    }
    return said;
  }

  std::string words(std::variant<std::vector<ledger::Held>, InProgress> outcome, std::vector<Ticket>& tickets) {
    if (std::holds_alternative<InProgress>(outcome)) return "busy";
    std::string text;
    for (ledger::Held& held : std::get<std::vector<ledger::Held>>(outcome)) {
      if (auto* ticket = std::get_if<Ticket>(&held)) {
        tickets.push_back(std::move(*ticket));
        text += "ticket ";
      } else {
        text += "answer ";
      }
    }
    return text;
  }
  static std::string words(const std::vector<Reference::Outcome>& outcomes) {
    std::string text;
    for (const Reference::Outcome& outcome : outcomes) {
      if (outcome.kind == Reference::Outcome::busy) return "busy";
      text += outcome.kind == Reference::Outcome::ticket ? "ticket " : "answer ";
    }
    return text;
  }

  Said use(Act act, std::size_t at) {
    Held& held = held_.at(at);
    const std::string answer = fmt::format("answer {}", ++answers_);
    Said said;
    if (act == Act::open) {
      said = both([&] { held.ticket.open(); }, [&] { reference_.open(held.entry); });
    } else if (act == Act::commit) {
      said = both([&] { held.ticket.commit(answer); }, [&] { reference_.commit(held.entry, answer); });
    } else if (act == Act::give_back) {
      said = both([&] { held.ticket.give_back("not needed"); }, [&] { reference_.give_back(held.entry); });
    } else {
      said = both([&] { const Ticket gone = std::move(held.ticket); }, [&] { reference_.drop(held.entry); });
    }
    const auto state = reference_.entries.at(held.entry).state;
    const bool over = state != Reference::State::reserved && state != Reference::State::opened;
    if (over) held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(at));
    return said;
  }

  std::string ledger_picture() {
    try {
      return read_ledger();
    } catch (const Error& error) {
      return error.what();
    }
  }
  std::string read_ledger() {
    std::string text;
    for (const Budget& budget : ledger_->budgets()) {
      const auto number = [](const accounting::Spent& spent) { return spent.losses.at(0).value().str(); };
      text += fmt::format("{}: {} {} {}, {} periods {} epochs {} charges {}\n", budget.path, number(budget.spent),
                          number(budget.corrected), number(budget.lifetime), static_cast<int>(budget.standing),
                          budget.periods, budget.epoch, budget.charges);
    }
    std::size_t at = 0;
    std::vector<std::string> committed;
    ledger_->releases("", [&](const Release& release) {
      text += fmt::format("{}: {} draw {} {} {}", at++, release.budget, release.draw, static_cast<int>(release.state),
                          release.cost.losses.at(0).value().str());
      for (const Payer& payer : release.payers) {
        text += fmt::format(" {}/{}/{}", payer.budget, payer.epoch, payer.period);
      }
      text += "\n";
      if (release.state == State::committed) committed.push_back(release.id);
      return true;
    });
    for (const std::string& id : committed) text += ledger_->answer(id).bytes + "\n";
    return text;
  }

  std::string reference_picture() {
    std::string text;
    for (const auto& [path, node] : reference_.nodes) {
      text += fmt::format("{}: {} {} {}, {} periods {} epochs {} charges {}\n", path, node.spent.str(),
                          node.corrected.str(), node.lifetime.str(), static_cast<int>(node.standing), node.periods,
                          node.epoch, node.charges);
    }
    std::size_t at = 0;
    for (const Reference::Entry& entry : reference_.entries) {
      text += fmt::format("{}: {} draw {} {} {}", at++, entry.node, entry.draw, static_cast<int>(entry.state),
                          entry.cost.str());
      for (const Reference::Payer& payer : entry.payers) {
        text += fmt::format(" {}/{}/{}", payer.node, payer.epoch, payer.period);
      }
      text += "\n";
    }
    for (const Reference::Entry& entry : reference_.entries) {
      if (entry.state == Reference::State::committed) text += entry.answer + "\n";
    }
    return text;
  }

  static constexpr auto kActive = Reference::Standing::active;

  OpenStore open_;
  SigningKey key_ = SigningKey::make();
  LedgerOptions options_;
  Reference reference_;
  std::optional<Ledger> ledger_;
  std::vector<Held> held_;
  std::vector<std::string> ids_;  // of the entries
  int answers_ = 0;
};

// The same steps with as much left out as still fails.
inline rc::Shrinkable<Steps> shrunk(rc::Shrinkable<Steps> steps, const std::function<bool(const Steps&)>& fails) {
  for (auto next = steps.shrinks();;) {
    const auto candidate = next.next();
    if (!candidate) return steps;
    if (!fails(candidate->value())) continue;
    steps = *candidate;
    next = steps.shrinks();
  }
}

// Walks until one shows a difference, which is then made as short as can be. Empty when there is none.
inline std::string difference(const std::function<OpenStore()>& fresh, int walks, std::uint64_t seed, bool shortest,
                              Seen* seen = nullptr) {
  const rc::Gen<Steps> gen = some_steps();
  const auto differ = [&](const Steps& steps, Seen* count) { return Walk(fresh()).run(steps, count); };
  for (int i = 0; i < walks; ++i) {
    rc::Shrinkable<Steps> found = gen(rc::Random(seed + static_cast<std::uint64_t>(i)), 40 + i % 120);
    if (differ(found.value(), seen).empty()) continue;
    if (shortest) found = shrunk(found, [&](const Steps& steps) { return !differ(steps, nullptr).empty(); });
    return fmt::format("{}\nafter the steps\n{}", differ(found.value(), nullptr), text_of(found.value()));
  }
  return "";
}

}  // namespace dither::ledger::check
