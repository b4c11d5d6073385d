// OPTIONS(name = value, ...) of a privacy clause.
#pragma once

#include <string>
#include <vector>

#include "sql/detail/bigquery.h"

namespace dither::sql {

// A name or keyword as SQL compares it: in lower case, or as it stands between double quotes.
std::string word_of(const std::string& sql, const Token& token);

// Reads from tokens[next], which should be OPTIONS; `next` is then behind the closing parenthesis.
PrivacyClause read_options(const Text& text, const std::string& sql, const std::vector<Token>& tokens,
                           std::size_t& next);

}  // namespace dither::sql
