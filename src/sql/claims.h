// What answers to statements promise.
#pragma once

#include "base/claims.h"

namespace dither::sql {

// One claim for each aggregate, each kind of key, source and unit: "sql-sum", "sql-join".
void add_claims(Registry& registry);

}  // namespace dither::sql
