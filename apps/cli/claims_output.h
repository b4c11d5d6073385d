// Claims for people, for programs and for the reference page.
#pragma once

#include <span>
#include <string>

#include "base/claims.h"
#include "show/json.h"

namespace dither::cli {

// A line each: name, kind, room and the first clause of the guarantee.
std::string claims_table(std::span<const Claim> claims);

// All of one claim, in lines of at most 100 columns.
std::string claim_text(const Claim& claim);

// The members name, kind, room, guarantee, conditions, rows, testers, mutants.
show::Json claim_json(const Claim& claim);

// docs/mechanisms.md: every claim, by kind.
std::string claims_markdown(std::span<const Claim> claims);

}  // namespace dither::cli
