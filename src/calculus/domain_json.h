// Domains as text: what a stored plan says about its input.
#pragma once

#include <string>
#include <string_view>

#include "calculus/domain.h"

namespace dither::calculus {

// JSON without spaces, keys in fixed order, facts that are not declared left out. Numbers are exact text; cells are null,
// true, false, {"integer":"-5"}, {"real":"<16 hexadecimal digits of the bits>"} or {"text":"..."}; public keys are bytes
// in hexadecimal. Refuses names and categories that are not UTF-8 (bad-syntax).
//
//   {"table":{"columns":[{"name":"age","type":"integer","nullable":false,"bounds":["0","120"]}],"rows_per_unit":"3"}}
std::string canonical_json(const Domain& domain);

// The reverse. Strict: only text that canonical_json writes (bad-syntax), of a domain that require_domain accepts.
Domain domain_from_json(std::string_view text);

}  // namespace dither::calculus
