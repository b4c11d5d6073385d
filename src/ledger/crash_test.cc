// Processes that are killed while they take releases through the protocol.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "ledger/detail/book.h"
#include "ledger/faults_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

enum class Planted { none, charge_after_noise, refund_after_open, redraw_on_reread };

// What a worker is to do.
struct Job {
  Planted planted = Planted::none;
  int rounds = 0;   // 0: until it is killed
  int first = 0;    // round, which decides what it asks first
  int stop_at = 0;  // the step at which it kills itself; 0: none
  std::uint64_t seed = 0;
  std::string folder;

  std::string words() const {
    return fmt::format("{} {} {} {} {} {}", static_cast<int>(planted), rounds, first, stop_at, seed, folder);
  }
  static Job from(const char* words) {
    Job job;
    int planted = 0;
    std::istringstream in(words);
    in >> planted >> job.rounds >> job.first >> job.stop_at >> job.seed >> std::ws;
    std::getline(in, job.folder);
    job.planted = static_cast<Planted>(planted);
    return job;
  }
};

class Worker {
 public:
  explicit Worker(const Job& job)
      : job_(job), site_(job.folder), log_(site_.log()), ledger_(site_.open()), random_(job.seed) {}

  void work() {
    note({"ready", "", ""});
    for (int round = 0; job_.rounds == 0 || round < job_.rounds; ++round) take(job_.first + round);
  }

 private:
  // Before and after each call, and each line of the log.
  void step() {
    if (++steps_ == job_.stop_at) raise(SIGKILL);
  }
  void note(const Logged& line) {
    step();
    if (line.what != "ready") log_.note(line);
    step();
  }
  Note noting() {
    return [this](const Logged& line) { note(line); };
  }

  Request fresh() {
    return laplace(random_() % 2 == 0 ? "visits/a" : "visits/b", "0.1", fmt::format("new {}", random_()));
  }
  Request known(const char* budget) { return laplace(budget, "0.1", fmt::format("known {}", random_() % 4)); }
  // Some are long, and live in files.
  std::string draw() {
    return fmt::format("{:020}", random_device_()) + std::string(random_() % 3 == 0 ? 200 : 0, '.');
  }

  void take(int round) {
    switch (round % 8) {
      case 0:
      case 5:
        return one(fresh());
      case 1:
      case 6:
        return one(known("visits/a"));
      case 2:
        return one(known("visits/b"));
      case 3: {
        Request again = known("visits/b");
        again.again = true;
        return one(again);
      }
      default:
        return batch({fresh(), known("visits/a"), fresh()});
    }
  }

  void one(const Request& request) {
    if (job_.planted == Planted::charge_after_noise) return charge_after_noise(request);
    batch({request});
  }

  void batch(std::vector<Request> requests) {
    step();
    try {
      auto outcome = ledger_.reserve(requests);
      for (Held& held : std::get<std::vector<Held>>(outcome)) take(std::move(held));
    } catch (const Error& error) {
      if (error.code() != Code::answer_lost) throw;
      for (Request& request : requests) request.again = true;
      batch(requests);
    }
  }

  void take(Held held) {
    if (auto* stored = std::get_if<StoredAnswer>(&held)) return reread(*stored);
    Ticket& ticket = std::get<Ticket>(held);
    const std::string id = ticket.release();
    finish(std::move(ticket), draw(), [&](const Logged& line) {
      note(line);
      if (line.what == "draw" && job_.planted == Planted::refund_after_open) refund(id);
    });
  }

  void reread(const StoredAnswer& stored) {
    if (job_.planted == Planted::redraw_on_reread) {
      const std::string hash = sha256(draw()).hex();
      note({"draw", stored.release.id, hash});
      return note({"show", stored.release.id, hash});
    }
    note({"show", stored.release.id, sha256(stored.bytes).hex()});
  }

  // Noise first: the number of the release that will be charged is known, as nobody else writes.
  void charge_after_noise(const Request& request) {
    const std::string answer = draw();
    note({"draw", release_id(ledger_.head().head.number + 1), sha256(answer).hex()});
    auto outcome = ledger_.reserve(request);
    if (auto* ticket = std::get_if<Ticket>(&outcome)) {
      ticket->open();
      ticket->commit(answer);
    }
  }

  // A failed run that gets its money back behind the ledger's back.
  void refund(const std::string& id) {
    SqliteStore store(site_.ledger(), Opening::existing);
    Transaction transaction(store, Access::write);
    detail::Book book(store);
    const Release release = book.need_release(id);
    Budget budget = book.need_budget(release.budget);
    budget.spent = minus(budget.spent, release.cost);
    budget.lifetime = minus(budget.lifetime, release.cost);
    store.put(Table::budgets, budget.path, detail::to_text(budget));
    transaction.commit();
  }

  Job job_;
  Site site_;
  SideLog log_;
  Ledger ledger_;
  std::mt19937_64 random_;
  std::random_device random_device_;
  int steps_ = 0;
};

constexpr const char* kWorker = "CrashWorker.TakesReleasesThroughAllSteps";

// What the campaigns below run in processes of their own; by itself, a run without faults.
TEST(CrashWorker, TakesReleasesThroughAllSteps) {
  if (Child::words() != nullptr) return Worker(Job::from(Child::words())).work();
  const Folder folder;
  const Site site(folder.file("site"));
  site.make("1000");
  Worker({Planted::none, 16, 0, 0, 1, site.folder}).work();
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
  std::set<std::string> seen;
  for (const Logged& line : read_log(site.log())) seen.insert(line.what);
  EXPECT_EQ(seen, (std::set<std::string>{"draw", "opened", "reserved", "show"}));
}

// Where the release that a process was about stood when it was killed; of a batch, the last that was begun.
std::string in_flight(const Site& site, pid_t pid) {
  std::set<std::string> drawn;
  std::set<std::string> shown;
  for (const Logged& line : read_log(site.log())) {
    if (line.what == "draw") drawn.insert(line.release);
    if (line.what == "show") shown.insert(line.release);
  }
  std::string where = "between";
  Ledger ledger = Ledger::open_to_read(site.ledger());
  ledger.releases("", [&](const Release& release) {
    if (release.owner.pid != static_cast<std::uint64_t>(pid)) return true;
    if (release.state == State::reserved && where == "between") where = "reserved";
    if (release.state == State::opened) where = drawn.contains(release.id) ? "drawn" : "opened";
    if (release.state == State::committed && !shown.contains(release.id)) where = "committed";
    return true;
  });
  return where;
}

// What was lost is refused, and paid for anew when asked --again. How many there were.
int ask_for_the_lost(const Site& site, std::set<std::string>& known) {
  Ledger ledger = site.open();
  const SideLog log(site.log());
  std::vector<Release> lost;
  ledger.releases("", [&](const Release& release) {
    if (release.state == State::lost && known.insert(release.id).second) lost.push_back(release);
    return true;
  });
  for (const Release& release : lost) {
    Request request = laplace(release.budget, "0.1", release.title);
    EXPECT_EQ(refusal([&] { ledger.reserve(request); }), Code::answer_lost);
    const accounting::Spent before = ledger.budget("visits").spent;
    request.again = true;
    auto outcome = ledger.reserve(request);
    finish(std::move(std::get<Ticket>(outcome)), "again " + release.id, [&](const Logged& line) { log.note(line); });
    EXPECT_EQ(ledger.budget("visits").spent, plus(before, release.cost));
  }
  return static_cast<int>(lost.size());
}

// Kills processes, one after the other, and looks at what each of them left.
class Campaign {
 public:
  explicit Campaign(Planted planted) : planted_(planted) {}

  // At the first step of a round, the second and so on, until a process gets to its end; then the next round.
  void kill_at_every_step(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      for (int step = 1; killed_at(round, step);) ++step;
    }
  }

  // A while after it has begun.
  void kill_at_any_moment(std::mt19937_64& random) {
    const Site site = next_site();
    const std::size_t before = read_log(site.log()).size();
    Child child(kWorker, Job{planted_, 0, static_cast<int>(random() % 8), 0, random(), site.folder}.words());
    while (read_log(site.log()).size() == before) std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 12'000));
    const pid_t pid = child.pid();
    child.send(SIGKILL);
    ASSERT_TRUE(was_killed(child.wait()));
    ++states[in_flight(site, pid)];
    look(site);
  }

  int kills = 0;
  int wrong = 0;  // after so many of them something did not hold
  int lost = 0;   // releases
  std::map<std::string, int> states;

 private:
  bool killed_at(int round, int step) {
    const Site site = next_site();
    Child child(kWorker, Job{planted_, 1, round, step, static_cast<std::uint64_t>(kills), site.folder}.words());
    const pid_t pid = child.pid();
    const int status = child.wait();
    const bool killed = was_killed(status);
    EXPECT_TRUE(killed || went_well(status));
    if (killed) ++states[in_flight(site, pid)];
    look(site);
    return killed;
  }

  // A ledger lives through twenty kills.
  Site next_site() {
    Site site(folder_.file(std::to_string(kills / 20)));
    if (kills++ % 20 == 0) {
      site.make("1000");
      known_.clear();
    }
    return site;
  }

  void look(const Site& site) {
    const auto complaints = site.complaints();
    wrong += complaints.empty() ? 0 : 1;
    if (planted_ != Planted::none) return;
    EXPECT_EQ(complaints, std::vector<std::string>{}) << "kill " << kills;
    lost += ask_for_the_lost(site, known_);
  }

  Planted planted_;
  Folder folder_;
  std::set<std::string> known_;
};

void print(const char* what, const std::map<std::string, int>& states) {
  std::string text;
  for (const auto& [state, count] : states) text += fmt::format(" {} {}", state, count);
  fmt::print("{}: kills per state:{}\n", what, text);
}

void expect_every_state(const Campaign& campaign) {
  for (const char* state : {"between", "reserved", "opened", "drawn", "committed"}) {
    EXPECT_GT(campaign.states.count(state), 0u) << state;
  }
}

// Spec: D-62, W-79
TEST(Crash, KilledAtEveryStepNothingIsLostAndNothingDrawnTwice) {
  Campaign campaign(Planted::none);
  campaign.kill_at_every_step(nightly() ? 24 : 5);
  print("at every step", campaign.states);
  EXPECT_GT(campaign.kills, 30);
  EXPECT_GT(campaign.lost, 5);
  EXPECT_EQ(campaign.wrong, 0);
  expect_every_state(campaign);
}

// Kill -9 at moments that nobody chose. Steps that wait for the disk last longest, and every step does, so all states
// are met.
TEST(Crash, KilledAtAnyMomentNothingIsLostAndNothingDrawnTwice) {
  Campaign campaign(Planted::none);
  std::mt19937_64 random(dither::testing::run_seed());
  for (int i = 0; i < (nightly() ? 1000 : 30); ++i) campaign.kill_at_any_moment(random);
  print("at any moment", campaign.states);
  EXPECT_GT(campaign.lost, 0);
  EXPECT_EQ(campaign.wrong, 0);
  if (nightly()) expect_every_state(campaign);
}

int caught(Planted planted, int rounds) {
  Campaign campaign(planted);
  campaign.kill_at_every_step(rounds);
  return campaign.wrong;
}
TEST(Crash, PlantedChargeAfterNoiseIsCaught) { EXPECT_GT(caught(Planted::charge_after_noise, 1), 0); }
TEST(Crash, PlantedRefundAfterOpenIsCaught) { EXPECT_GT(caught(Planted::refund_after_open, 1), 0); }
TEST(Crash, PlantedRedrawOnRereadIsCaught) { EXPECT_GT(caught(Planted::redraw_on_reread, 3), 0); }

}  // namespace
}  // namespace dither::ledger
