#include "audit/sql_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "base/canonical.h"
#include "base/error.h"
#include "engine/engine.h"
#include "ledger/signing_key.h"
#include "session/answer.h"
#include "session/draw.h"
#include "sql/query.h"

namespace dither::audit {

namespace {

constexpr int kFirstAnswers = 8;  // of each database, to see which keys there are
constexpr int kFirstDraws = 200;

// Durable records take milliseconds on a disk, and nobody wants these.
std::filesystem::path temporary() {
  std::error_code ignored;
  const std::filesystem::path memory = "/dev/shm";
  const bool chosen = std::getenv("TMPDIR") != nullptr;
  return !chosen && std::filesystem::is_directory(memory, ignored) ? memory : std::filesystem::temp_directory_path();
}

// An empty folder that goes with its contents.
class Folder {
 public:
  Folder() {
    std::string name = (temporary() / "dither-verify-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(Code::cannot_write, "no folder can be made among the system's temporary files",
                  "make room there, or let TMPDIR name a folder that can be written");
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }

 private:
  std::filesystem::path path_;
};

// A folder with a project, and the session that asks it.
class Project {
 public:
  Project(const SqlSubject& subject, const CsvTables& rows) : session_(open(folder_, subject, rows)) {
    session_.use_key(ledger::SigningKey::make());
    session_.use_limits(kLimits);
  }
  session::Session& session() { return session_; }

  static constexpr std::uint64_t kMemory = std::uint64_t{1} << 28;
  static inline const engine::Limits kLimits{.memory = kMemory, .threads = 1, .spill = ""};

 private:
  static session::Session open(const Folder& folder, const SqlSubject& subject, const CsvTables& rows) {
    folder.write("dither.yaml", project_text(subject));
    for (const auto& [name, text] : rows) folder.write(name, text);
    return session::Session::open(folder.file("dither.yaml"));
  }

  Folder folder_;
  session::Session session_;
};

double number_in(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? 1 : 0;
  return std::numeric_limits<double>::quiet_NaN();
}

// What one run shows: numbers by key, and of whole answers what is said beside them.
struct Shown {
  std::string key;
  std::vector<double> numbers;
};
struct Seen {
  std::vector<Shown> rows = {};
  std::string said = {};
};

// Beside its rows: what it cost, of which types it is, and what a reader should know.
std::string said_of(const session::Answer& answer) {
  std::string said = "cost " + canonical_json(answer.cost) + ", types";
  for (const plan::Type type : answer.types) said += fmt::format(" {}", plan::type_name(type));
  for (const std::string& note : answer.notes) said += "; " + note;
  return said;
}

// Numbers, and behind all of them what each may be off by.
std::vector<double> numbers_of(const session::Answer& answer, std::size_t row, std::size_t keys) {
  std::vector<double> numbers;
  for (std::size_t i = keys; i < answer.rows[row].size(); ++i) numbers.push_back(number_in(answer.rows[row][i]));
  for (std::size_t i = keys; i < answer.rows[row].size(); ++i) {
    const session::ValueError& error = answer.errors.at(row).at(i);
    for (const std::optional<double>& end : {error.low, error.high, error.standard_error})
      numbers.push_back(end.value_or(absent()));
  }
  return numbers;
}

// One database, asked again and again.
class Database {
 public:
  virtual ~Database() = default;
  virtual Seen ask() = 0;
};

// By whole answers.
class Answering : public Database {
 public:
  Answering(const SqlSubject& subject, const CsvTables& rows)
      : subject_(subject), rows_(rows), answers_left_(answers_of(subject)) {
    ask_.by = "verify";
    ask_.again = true;
    project_ = std::make_unique<Project>(subject_, rows_);
  }

  Seen ask() override {
    const std::lock_guard lock(mutex_);
    if (answers_left_-- == 0) {
      project_ = std::make_unique<Project>(subject_, rows_);
      answers_left_ = answers_of(subject_) - 1;
    }
    const session::Answer answer = subject_.query(project_->session(), subject_.statement, subject_.wanted, ask_);
    Seen seen{{}, said_of(answer)};
    for (std::size_t row = 0; row < answer.rows.size(); ++row) {
      seen.rows.push_back(
          {canonical(std::span(answer.rows[row]).first(subject_.keys)), numbers_of(answer, row, subject_.keys)});
    }
    return seen;
  }

 private:
  static std::int64_t answers_of(const SqlSubject& subject) {
    return subject.delta.sign() == 0 ? 100'000 : static_cast<std::int64_t>((Rational(8, 10) / subject.delta).floor());
  }

  SqlSubject subject_;
  CsvTables rows_;
  session::Ask ask_;
  std::int64_t answers_left_;
  std::unique_ptr<Project> project_;
  std::mutex mutex_;
};

// By draws of the noise alone; the engine has run.
class Drawing : public Database {
 public:
  Drawing(const SqlSubject& subject, const CsvTables& rows) : Drawing(subject, Project(subject, rows)) {}

  Seen ask() override {
    const session::Released released = session::draw(plan_, exact_);
    Seen seen;
    if (as_columns_) {
      for (const auto& row : estimate_(plan_, released).rows) {
        Shown shown{canonical(std::span(row).first(plan_.exact.keys)), {}};
        for (std::size_t i = plan_.exact.keys; i < row.size(); ++i) shown.numbers.push_back(number_in(row[i]));
        seen.rows.push_back(std::move(shown));
      }
      return seen;
    }
    for (std::size_t i = 0; i < released.keys.size(); ++i) {
      Shown shown{canonical(std::span(released.keys[i])), {}};
      for (const auto& part : released.parts) shown.numbers.push_back(static_cast<double>(part[i]));
      seen.rows.push_back(std::move(shown));
    }
    return seen;
  }

 private:
  Drawing(const SqlSubject& subject, Project project)
      : as_columns_(subject.as_columns),
        estimate_(subject.estimate),
        plan_(planned(subject, project.session().project())),
        exact_(engine::open_duckdb(project.session().project(), Project::kLimits)->run(plan_.exact, {})) {}

  static session::PricedPlan planned(const SqlSubject& subject, const plan::Project& project) {
    session::PricedPlan plan = sql::privatize(project, sql::bind(project, subject.statement), subject.wanted);
    if (subject.spoil) subject.spoil(plan);
    return plan;
  }

  bool as_columns_;
  decltype(SqlSubject::estimate) estimate_;
  session::PricedPlan plan_;
  engine::ExactNumbers exact_;
};

std::shared_ptr<Database> open(const SqlSubject& subject, const CsvTables& rows) {
  if (subject.whole) return std::make_shared<Answering>(subject, rows);
  return std::make_shared<Drawing>(subject, rows);
}

// Where the numbers of each key stand.
struct Layout {
  bool whole = false;  // the last columns are the order of the keys, and what is said
  std::size_t numbers = 0;
  std::map<std::string, std::size_t> places = {};
  mutable Words words = {};

  void widen(const Seen& seen) {
    for (const Shown& shown : seen.rows) {
      numbers = std::max(numbers, shown.numbers.size());
      places.try_emplace(shown.key, places.size());
    }
  }
  // A key may be shown without numbers, so that it has a column of its own.
  std::size_t each() const { return numbers + 1; }
  Shape shape() const {
    Shape shape(places.size() * each() + 1, Reading::number);
    if (whole) shape.insert(shape.end(), 2, Reading::word);
    return shape;
  }

  void write(const Seen& seen, std::span<double> cells) const {
    std::size_t others = 0;
    std::string order;
    for (const Shown& shown : seen.rows) {
      const auto found = places.find(shown.key);
      if (found == places.end()) {
        ++others;
        continue;
      }
      order += (order.empty() ? "" : ", ") + shown.key;
      const auto place = cells.subspan(found->second * each(), each());
      place[0] = 1;
      std::copy_n(shown.numbers.begin(), std::min(numbers, shown.numbers.size()), place.begin() + 1);
    }
    cells[places.size() * each()] = static_cast<double>(others);
    if (!whole) return;
    cells[cells.size() - 2] = words.code("keys in the order " + order);
    cells.back() = words.code(seen.said);
  }
};

Draw draw_of(const std::shared_ptr<Database>& database, const std::shared_ptr<const Layout>& layout,
             const CancelToken& cancel) {
  return [database, layout, cancel](Outputs& out, std::int64_t runs, random::Source&) {
    const std::span<double> cells = out.add(runs);
    const std::size_t width = out.width();
    for (std::int64_t run = 0; run < runs; ++run) {
      cancel.check();
      const auto row = cells.subspan(static_cast<std::size_t>(run) * width, width);
      row.back() = 0;
      try {
        layout->write(database->ask(), row.first(width - 1));
      } catch (const Error& error) {
        row.back() = layout->words.code(error.str());
      }
    }
  };
}

}  // namespace

std::string project_text(const SqlSubject& subject) {
  // Answers_of() takes a new ledger before so much is spent.
  const std::string plenty = fmt::format("{{{}: 1000000, delta: 0.9}}", subject.wanted.rho ? "rho" : "epsilon");
  return fmt::format(
      "version: 1\ndata_version: \"1\"\nprivacy: {{unit: person, neighbours: {}}}\ntables:\n{}"
      "budgets:\n  main: {}\n",
      subject.relation, subject.tables, subject.budget.empty() ? plenty : subject.budget);
}

Target target_of(const SqlSubject& subject, const Effort& effort) {
  auto layout = std::make_shared<Layout>();
  layout->whole = subject.whole;
  bool answered = false;
  std::optional<Error> refused;
  const auto look = [&](Database& database) {
    try {
      layout->widen(database.ask());
      answered = true;
    } catch (const Error& error) {  // an answer like any other: the last column
      refused = error;
    }
  };
  std::vector<std::pair<std::shared_ptr<Database>, std::shared_ptr<Database>>> databases;
  for (const SqlPair& pair : subject.pairs) {
    databases.emplace_back(open(subject, pair.x), open(subject, pair.y));
    for (int i = 0; i < (subject.whole ? kFirstAnswers : kFirstDraws); ++i) {
      effort.cancel.check();
      look(*databases.back().first);
      look(*databases.back().second);
    }
  }
  if (!answered && refused) throw *refused;
  Target target{subject.name, subject.promise, layout->shape(), {}, layout->words};
  target.shape.push_back(Reading::word);
  for (std::size_t i = 0; i < databases.size(); ++i) {
    target.pairs.push_back({subject.pairs[i].first, subject.pairs[i].second,
                            draw_of(databases[i].first, layout, effort.cancel),
                            draw_of(databases[i].second, layout, effort.cancel)});
  }
  return target;
}

}  // namespace dither::audit
