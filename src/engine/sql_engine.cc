#include "engine/sql_engine.h"

#include <fmt/format.h>

#include "base/error.h"
#include "engine/bounded_sql.h"
#include "engine/detail/content.h"
#include "engine/detail/table_sql.h"
#include "plan/row_cost.h"

namespace dither::engine {
namespace {

class SqlEngine : public Engine {
 public:
  SqlEngine(const plan::Project& project, plan::Dialect dialect, std::shared_ptr<Executor> executor,
            TableInDatabase tables, std::string fingerprint)
      : project_(project),
        dialect_(dialect),
        executor_(std::move(executor)),
        leaves_(detail::table_leaves(project_, dialect, std::move(tables))),
        fingerprint_(std::move(fingerprint)) {}

  void prepare(const plan::BoundedAggregate& aggregate) override {
    require_room(aggregate);
    require_row(aggregate.rows, plan::kLeastForBatch);
    bounded_sql(aggregate, dialect_, rows_of(aggregate));  // refuses what has no spelling
    for (const std::string& table : aggregate.rows->tables()) look_at(table);
  }

  ExactNumbers run(const plan::BoundedAggregate& aggregate, const Watch& watch) override {
    try {
      const BoundedSql sql = bounded_sql(aggregate, dialect_, rows_of(aggregate));
      return ExactNumbers(detail::content_of(aggregate, sql, [&](const std::string& statement) {
        watch.token.check();
        return executor_->execute(statement);
      }));
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception&) {
      run_failed();
    }
  }

  std::string fingerprint(const std::vector<std::string>&) override { return fingerprint_; }

 private:
  std::string rows_of(const plan::BoundedAggregate& aggregate) const {
    return plan::relation_sql(aggregate.rows, dialect_, leaves_);
  }

  void look_at(const std::string& table) {
    const std::string rows = plan::relation_sql(plan::scan(project_, table), dialect_, leaves_);
    try {
      executor_->execute(fmt::format("SELECT * FROM ({}) AS t WHERE (1 = 0)", rows));
    } catch (const std::exception&) {
      throw Error{Code::bad_source, fmt::format("the database does not give the declared columns of \"{}\"", table),
                  "look whether it is there, and whether its columns have the declared names and types"};
    }
  }

  plan::Project project_;
  plan::Dialect dialect_;
  std::shared_ptr<Executor> executor_;
  plan::Leaf leaves_;
  std::string fingerprint_;
};

}  // namespace

std::unique_ptr<Engine> open_sql(const plan::Project& project, plan::Dialect dialect,
                                 std::shared_ptr<Executor> executor, TableInDatabase tables, std::string fingerprint) {
  return std::make_unique<SqlEngine>(project, dialect, std::move(executor), std::move(tables), std::move(fingerprint));
}

}  // namespace dither::engine
