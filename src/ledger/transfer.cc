#include "ledger/transfer.h"

#include <fmt/format.h>

#include <istream>
#include <ostream>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/answer_file.h"
#include "ledger/detail/new_ledger.h"
#include "ledger/detail/replay.h"
#include "ledger/ledger.h"
#include "ledger/sqlite_store.h"

namespace dither::ledger {
namespace {

using detail::Json;

constexpr std::string_view kFormat = "dither-ledger";

// Each line has one text. Reading takes a line apart, writes it again and compares.
std::string first_line(const std::string& ledger, const std::string& public_key) {
  return Json{{"format", kFormat}, {"version", kTextVersion}, {"ledger", ledger}, {"public_key", public_key}}.dump();
}
std::string record_line(const Record& record) {
  return Json{{"record", record.number}, {"body", record.body}, {"hash", record.hash.hex()}}.dump();
}
std::string answer_line(const std::string& hash, std::string_view bytes) {
  return Json{{"answer", hash}, {"bytes", to_hex(bytes)}}.dump();
}
std::string head_line(const SignedHead& head) { return fmt::format(R"({{"head":{}}})", head_text(head)); }

// Writes lines, each with its end.
class Lines {
 public:
  explicit Lines(std::ostream& to) : to_(to) {}
  void write(const std::string& line) {
    to_ << line << '\n';
    if (!to_) throw Error{Code::cannot_write, "the export could not be written", "make room, or choose another place"};
  }
  void end() {
    to_.flush();
    if (!to_) throw Error{Code::cannot_write, "the export could not be written", "make room, or choose another place"};
  }

 private:
  std::ostream& to_;
};

// Writes the records and gives the answers that go with them.
detail::AnswersDue write_records(Store& store, Lines& lines) {
  detail::AnswersDue answers;
  Head head;
  store.records(0, [&](const Record& record) {
    if (record != next_record(head, record.body)) detail::throw_damaged(fmt::format("at record {}", head.number + 1));
    head = head_at(record);
    lines.write(detail::reading([&] { return record_line(record); }));
    detail::reading([&] { answers.note(record); });
    return true;
  });
  return answers;
}

void write_answers(Store& store, const std::string& folder, const detail::AnswersDue& answers, Lines& lines) {
  detail::AnswersDue::ByHash all = answers.inside;
  all.insert(answers.in_files.begin(), answers.in_files.end());
  for (const auto& [hash, record] : all) {
    const auto bytes =
        answers.inside.contains(hash) ? store.get(Table::answers, hash) : detail::read_answer_file(folder, hash);
    if (!bytes || sha256(*bytes).hex() != hash) {
      detail::throw_damaged(fmt::format("the answer {} of record {} is not there", hash, record));
    }
    lines.write(answer_line(hash, *bytes));
  }
}

}  // namespace

void export_ledger(Store& store, const std::string& answers_folder, std::ostream& to) {
  const Transaction transaction(store, Access::read);
  const detail::Book::Identity identity = detail::Book(store).identity();
  const SignedHead head{identity.id, store.head(), store.note("signature")};
  if (!head_verifies(head, identity.public_key)) detail::throw_damaged("its head does not carry its key's signature");
  Lines lines(to);
  lines.write(first_line(identity.id, identity.public_key));
  const detail::AnswersDue answers = write_records(store, lines);
  write_answers(store, answers_folder, answers, lines);
  lines.write(head_line(head));
  lines.end();
}

void export_file(const std::string& path, std::ostream& to) {
  SqliteStore store(path, Opening::read_only);
  export_ledger(store, answers_folder_of(path), to);
}

namespace {

// Reads a text line by line, and knows where it is.
class Reader {
 public:
  explicit Reader(std::istream& from) : from_(from) {}

  // The next line, taken apart; none at the end. A line without an end was cut off.
  bool next() {
    std::getline(from_, line_);
    ++number_;
    if (from_.bad()) throw Error{Code::cannot_read, "the text could not be read to its end", "try again"};
    if (from_.eof() && line_.empty()) return false;
    if (from_.eof()) refuse("it is cut off");
    if (detail::is_too_deep(line_)) refuse("it is not a line of an exported ledger");
    json_ = Json::parse(line_, nullptr, false);
    if (!json_.is_object()) refuse("it is not a line of an exported ledger");
    return true;
  }
  bool has(const char* member) const { return json_.contains(member); }
  const Json& json() const { return json_; }

  template <class T>
  T member(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) refuse(fmt::format("it has no \"{}\"", name));
    try {
      return found->get<T>();
    } catch (const Json::exception&) {
      refuse(fmt::format("its \"{}\" is of another type", name));
    }
  }
  Digest hash(const char* name) const {
    const auto text = member<std::string>(name);
    if (text.size() != 64) refuse(fmt::format("its \"{}\" is no hash", name));
    return Digest::from_hex(text);
  }
  // Members that are not known, other spellings, numbers that were not written so.
  void require_text(const std::string& text) const {
    if (text != line_) refuse("it is not spelled as it is written");
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error{Code::bad_syntax, fmt::format("line {}: {}", number_, why), "give the whole text of an export"};
  }
  [[noreturn]] void refuse_content(const std::string& why) const {
    throw Error{Code::ledger_damaged, fmt::format("line {}: {}", number_, why),
                "the text was changed after it was exported: find another copy of it"};
  }

 private:
  std::istream& from_;
  std::string line_;
  std::uint64_t number_ = 0;
  Json json_;
};

class Import {
 public:
  Import(std::istream& from, Store& into, const std::string& folder) : from_(from), into_(into), folder_(folder) {}

  void run() {
    Transaction transaction(into_, Access::write);
    if (into_.head() != Head{}) {
      throw Error{Code::cannot_write, "the store has records already", "import into a new ledger"};
    }
    read_first_line();
    bool more = from_.next();
    for (; more && from_.has("record"); more = from_.next()) read_record();
    for (; more && from_.has("answer"); more = from_.next()) read_answer();
    if (!more) from_.refuse("the text ends without a head");
    read_head();
    if (from_.next()) from_.refuse("something follows the head");
    finish();
    transaction.commit();
  }

 private:
  void read_first_line() {
    if (!from_.next()) from_.refuse("the text is empty");
    if (from_.member<std::string>("format") != kFormat) from_.refuse("it is not an exported ledger");
    const auto version = from_.member<std::int64_t>("version");
    if (version > kTextVersion) {
      throw Error{Code::ledger_newer,
                  fmt::format("the text has version {}; this program knows up to {}", version, kTextVersion),
                  "use the program that wrote it, or a newer one"};
    }
    identity_.id = from_.member<std::string>("ledger");
    identity_.public_key = from_.member<std::string>("public_key");
    from_.require_text(first_line(identity_.id, identity_.public_key));
  }

  void read_record() {
    const Record record{from_.member<std::uint64_t>("record"), from_.member<std::string>("body"), from_.hash("hash")};
    from_.require_text(record_line(record));
    if (record != next_record(head_, record.body)) {
      from_.refuse_content(fmt::format("it is not the record that follows {}", head_.number));
    }
    if (const auto why = replay_.apply(record)) from_.refuse_content(*why);
    into_.append(record);
    head_ = head_at(record);
  }

  void read_answer() {
    const std::string hash = from_.hash("answer").hex();
    const std::string bytes = bytes_from(from_.member<std::string>("bytes"));
    from_.require_text(answer_line(hash, bytes));
    if (hash <= last_answer_) from_.refuse("an answer is not in its order");
    const bool inside = replay_.answers().inside.contains(hash);
    const bool in_file = replay_.answers().in_files.contains(hash);
    if (!inside && !in_file) from_.refuse_content("an answer belongs to no release");
    if (sha256(bytes).hex() != hash) from_.refuse_content("an answer is not the one that was given");
    if (inside) into_.put(Table::answers, hash, bytes);
    if (in_file) detail::write_answer_file(folder_, hash, bytes);
    last_answer_ = hash;
    answers_ += 1;
  }

  std::string bytes_from(const std::string& digits) const {
    try {
      return bytes_from_hex(digits);
    } catch (const Error& error) {
      from_.refuse(error.what());
    }
  }

  void read_head() {
    if (!from_.has("head")) from_.refuse("it is neither a record nor an answer nor a head in its place");
    try {
      signed_head_ = head_from_text(from_.json().at("head").dump());
    } catch (const Error& error) {
      from_.refuse(error.what());
    }
    from_.require_text(head_line(signed_head_));
    if (head_.number == 0) from_.refuse("there are no records");
    const detail::Book::Identity replayed = replay_.book().identity();
    if (replayed.id != identity_.id || replayed.public_key != identity_.public_key) {
      from_.refuse_content("the first line is of another ledger than the records");
    }
    if (signed_head_.ledger != identity_.id || signed_head_.head != head_) {
      from_.refuse_content("the head is not that of the last record");
    }
    if (!head_verifies(signed_head_, identity_.public_key)) {
      from_.refuse_content("the head does not carry the key's signature");
    }
    detail::AnswersDue::ByHash due = replay_.answers().inside;
    due.insert(replay_.answers().in_files.begin(), replay_.answers().in_files.end());
    if (answers_ != due.size()) from_.refuse_content(fmt::format("{} answers are missing", due.size() - answers_));
  }

  void finish() {
    detail::replace_tables(into_, replay_);
    into_.set_note("signature", signed_head_.signature);
    into_.set_note("copy", "import");
  }

  Reader from_;
  Store& into_;
  const std::string& folder_;
  detail::Replay replay_;
  detail::Book::Identity identity_;
  Head head_;
  SignedHead signed_head_;
  std::string last_answer_;
  std::size_t answers_ = 0;
};

}  // namespace

void import_ledger(std::istream& from, Store& into, const std::string& answers_folder) {
  Import(from, into, answers_folder).run();
}

void import_file(std::istream& from, const std::string& path) {
  detail::NewLedger made(path);
  {
    SqliteStore store(made.file(), Opening::fresh);
    import_ledger(from, store, made.answers_folder());
  }
  made.place();
}

}  // namespace dither::ledger
