#include "testing/path_mutants.h"

#include "audit/sql_subject.h"
#include "testing/statement_mutants.h"
#include "testing/view_mutants.h"

namespace dither::testing {

std::vector<audit::Subject> path_mutants_of(const audit::Attack& attack) {
  const audit::Subject subject = attack.subject();
  if (const auto* view = std::get_if<audit::View>(&subject)) return view_mutants_of(attack, *view);
  if (const auto* statement = std::get_if<std::shared_ptr<const audit::SqlSubject>>(&subject))
    return statement_mutants_of(attack, **statement);
  return {};
}

}  // namespace dither::testing
