// The steps of a release after its reservation.
#include <fmt/format.h>

#include "base/error.h"
#include "ledger/detail/answer_file.h"
#include "ledger/detail/core.h"

namespace dither::ledger {

using detail::Json;

namespace {

void require_state(const Release& release, State state, std::string_view step) {
  if (release.state == state) return;
  throw Error{Code::wrong_state,
              fmt::format("release {} cannot be {}: it is {}", release.id, step, state_name(release.state)),
              release.state == State::lost ? "its charge stays; ask again with --again, which is paid for anew"
                                           : "reserve it again"};
}

// Whether what was reserved may not be opened any more, for reasons that came up since.
bool is_stale(detail::Book& book, const Release& release) {
  const Dataset dataset = book.need_dataset(release.dataset);
  if (dataset.version().label != release.version) return true;
  for (const std::string& path : lineage(release.budget)) {
    if (book.need_budget(path).standing != Standing::active) return true;
  }
  return false;
}

}  // namespace

Ticket::Ticket(std::shared_ptr<detail::Core> core, std::string release)
    : core_(std::move(core)), release_(std::move(release)) {}
Ticket::Ticket(Ticket&&) noexcept = default;
Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this == &other) return *this;
  drop();
  core_ = std::move(other.core_);
  release_ = std::move(other.release_);
  return *this;
}
Ticket::~Ticket() { drop(); }

void Ticket::open() {
  if (!core_) throw Error{Code::wrong_state, "a ticket is opened that is used up", "reserve again"};
  const bool stale = core_->writing([&] {
    core_->require_writable();
    const Release release = core_->book.need_release(release_);
    require_state(release, State::reserved, "opened");
    const bool is = is_stale(core_->book, release);
    if (is) {
      core_->append("voided", {{"release", release_}, {"why", "frozen before it was opened"}});
    } else {
      core_->append("opened", {{"release", release_}});
    }
    return is;
  });
  core_->note_head();
  if (!stale) return;
  core_.reset();
  throw Error{Code::frozen, fmt::format("release {} was frozen before it was opened; nothing was spent", release_),
              "ask the steward of the data set"};
}

StoredAnswer Ticket::commit(std::string_view answer) {
  if (!core_) throw Error{Code::wrong_state, "a ticket is committed that is used up", "reserve again"};
  const Digest hash = sha256(answer);
  const bool in_file = !core_->options.path.empty() && answer.size() > core_->options.most_inline;
  if (in_file) detail::write_answer_file(answers_folder_of(core_->options.path), hash.hex(), answer);
  StoredAnswer stored = core_->writing([&] {
    core_->require_writable();
    require_state(core_->book.need_release(release_), State::opened, "committed");
    if (!in_file) core_->store->put(Table::answers, hash.hex(), answer);
    core_->append("committed",
                  {{"release", release_}, {"answer", hash.hex()}, {"bytes", answer.size()}, {"in_file", in_file}});
    return StoredAnswer{core_->book.need_release(release_), std::string(answer)};
  });
  const std::shared_ptr<detail::Core> core = std::move(core_);
  core->note_head();
  return stored;
}

void Ticket::give_back(std::string_view why) {
  if (!core_) return;
  require_text("the reason", why);
  core_->writing([&] {
    require_state(core_->book.need_release(release_), State::reserved, "voided");
    core_->append("voided", {{"release", release_}, {"why", why}});
  });
  const std::shared_ptr<detail::Core> core = std::move(core_);
  core->note_head();
}

// The last chance to say what became of it. When that fails, recovery says it once this process has ended.
void Ticket::drop() noexcept {
  if (!core_) return;
  try {
    core_->writing([&] {
      const Release release = core_->book.need_release(release_);
      if (release.state == State::reserved) core_->append("voided", {{"release", release_}, {"why", "not used"}});
      if (release.state == State::opened) core_->append("lost", {{"release", release_}, {"why", "not committed"}});
    });
    core_->note_head();
  } catch (const std::exception&) {  // the charge stays, which is safe
  }
  core_.reset();
}

}  // namespace dither::ledger
