// For tests of attacks on statements.
#pragma once

#include <memory>
#include <vector>

#include "audit/attacks_check.h"
#include "audit/sql_subject.h"

namespace dither::audit::check {

inline std::shared_ptr<const SqlSubject> statement_of(const Attack& attack) {
  return std::get<std::shared_ptr<const SqlSubject>>(attack.subject());
}

// Those that ask for whole answers, or the others.
inline std::vector<Attack> statements(bool whole) {
  std::vector<Attack> all = attacks_with({"stat-dp", "dp-sniper", "dp-sniper-bits"}, true);
  std::erase_if(all, [whole](const Attack& attack) { return statement_of(attack)->whole != whole; });
  return all;
}

}  // namespace dither::audit::check
