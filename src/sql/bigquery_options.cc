#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "sql/detail/bigquery_options.h"

namespace dither::sql {
namespace {

const std::vector<std::string> kOptions{"epsilon",
                                        "delta",
                                        "max_groups_contributed",
                                        "max_rows_contributed",
                                        "privacy_unit_column",
                                        "group_selection_strategy"};

class OptionsReader {
 public:
  OptionsReader(const Text& text, const std::string& sql, const std::vector<Token>& tokens, std::size_t& next)
      : text_(text), sql_(sql), tokens_(tokens), next_(next) {}

  PrivacyClause read() {
    take(PG_QUERY__TOKEN__OPTIONS, "OPTIONS");
    take(PG_QUERY__TOKEN__ASCII_40, "(");
    while (true) {
      option();
      if (kind() == PG_QUERY__TOKEN__ASCII_41) break;
      take(PG_QUERY__TOKEN__ASCII_44, "a comma or )");
    }
    ++next_;
    if (clause_.options.keys_per_unit && clause_.options.rows_per_unit) {
      text_.refuse(Code::bad_argument, clause_.place,
                   "max_groups_contributed and max_rows_contributed exclude each other", "keep one of them");
    }
    return std::move(clause_);
  }

 private:
  int kind() const { return next_ < tokens_.size() ? tokens_[next_].kind : 0; }
  std::size_t place() const { return next_ < tokens_.size() ? tokens_[next_].start : sql_.size(); }

  void take(int wanted, std::string_view name) {
    if (kind() != wanted) {
      text_.refuse(Code::bad_sql, place(), fmt::format("{} is missing here", name),
                   "write OPTIONS(epsilon = 1, delta = 1e-6, privacy_unit_column = id)");
    }
    ++next_;
  }

  void option() {
    const std::size_t at = place();
    clause_.place = at;
    if (next_ >= tokens_.size()) take(PG_QUERY__TOKEN__ASCII_41, ")");
    const std::string name = word_of(sql_, tokens_[next_++]);
    if (std::find(kOptions.begin(), kOptions.end(), name) == kOptions.end()) {
      text_.refuse(Code::not_supported, at, fmt::format("the option {} is not answered", echo(name)),
                   fmt::format("leave it out, or write {}", nearest(name, kOptions)));
    }
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) {
      text_.refuse(Code::duplicate_key, at, fmt::format("the option {} is given twice", name), "keep one of them");
    }
    seen_.push_back(name);
    take(PG_QUERY__TOKEN__ASCII_61, "=");
    value(name);
  }

  void value(const std::string& name) {
    const std::size_t at = place();
    if (name == "epsilon") {
      clause_.options.epsilon = number(name);
      if (clause_.options.epsilon->sign() <= 0) {
        text_.refuse(Code::bad_argument, at, "epsilon must be above 0", "write a positive number");
      }
    } else if (name == "delta") {
      clause_.options.delta = number(name);
      if (*clause_.options.delta < 0 || *clause_.options.delta >= 1) {
        text_.refuse(Code::bad_probability, at, "delta must be at least 0 and below 1", "write a small number: 1e-6");
      }
    } else if (name == "max_groups_contributed") {
      clause_.options.keys_per_unit = limit(name);
    } else if (name == "max_rows_contributed") {
      clause_.options.rows_per_unit = limit(name);
    } else if (name == "privacy_unit_column") {
      unit_column();
    } else {
      strategy();
    }
  }

  Rational number(const std::string& name) {
    const std::size_t at = place();
    std::string digits;
    if (kind() == PG_QUERY__TOKEN__ASCII_45) digits = "-", ++next_;
    if (kind() != PG_QUERY__TOKEN__ICONST && kind() != PG_QUERY__TOKEN__FCONST) {
      text_.refuse(Code::wrong_type, at, fmt::format("{} is no number", name), "write a number");
    }
    std::string written = sql_.substr(tokens_[next_].start, tokens_[next_].end - tokens_[next_].start);
    ++next_;
    if (written.starts_with('.')) written = "0" + written;
    const std::size_t point = written.find('.');
    if (point != std::string::npos && (point + 1 == written.size() || written[point + 1] < '0'))
      written.insert(point + 1, "0");
    return text_.at(at, [&] { return Rational::parse(digits + written); });
  }

  std::uint64_t limit(const std::string& name) {
    const std::size_t at = place();
    const Rational value = number(name);
    if (!value.is_integer() || value < 1 || value > Rational(1'000'000'000)) {
      text_.refuse(Code::bad_limit, at, fmt::format("{} must be a whole number from 1 to 1000000000", name),
                   "write 1 or more");
    }
    return static_cast<std::uint64_t>(value.floor());
  }

  void unit_column() {
    clause_.unit_place = place();
    while (true) {
      if (next_ >= tokens_.size() || kind() < PG_QUERY__TOKEN__IDENT || kind() == PG_QUERY__TOKEN__SCONST) {
        text_.refuse(Code::wrong_type, place(), "privacy_unit_column is no column", "write its name without quotes");
      }
      clause_.unit.push_back(word_of(sql_, tokens_[next_++]));
      if (kind() != PG_QUERY__TOKEN__ASCII_46) break;
      ++next_;
    }
    if (clause_.unit.size() > 2) {
      text_.refuse(Code::not_supported, clause_.unit_place, "a schema before a column is not answered",
                   "write table.column or column");
    }
  }

  void strategy() {
    const std::size_t at = place();
    std::string name = next_ < tokens_.size() ? word_of(sql_, tokens_[next_++]) : "";
    if (name.starts_with('\'') && name.ends_with('\'') && name.size() > 1) name = name.substr(1, name.size() - 2);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (name != "laplace_threshold" && name != "public_groups") {
      text_.refuse(Code::not_supported, at, fmt::format("group_selection_strategy={} is not answered", echo(name)),
                   "write LAPLACE_THRESHOLD or PUBLIC_GROUPS");
    }
    clause_.public_groups = name == "public_groups";
  }

  const Text& text_;
  const std::string& sql_;
  const std::vector<Token>& tokens_;
  std::size_t& next_;
  PrivacyClause clause_;
  std::vector<std::string> seen_;
};

}  // namespace

std::string word_of(const std::string& sql, const Token& token) {
  std::string word = sql.substr(token.start, token.end - token.start);
  if (word.size() > 1 && word.starts_with('"')) return word.substr(1, word.size() - 2);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return word;
}

PrivacyClause read_options(const Text& text, const std::string& sql, const std::vector<Token>& tokens,
                           std::size_t& next) {
  return OptionsReader(text, sql, tokens, next).read();
}

StatementOptions agreed(const Text& text, const std::vector<PrivacyClause>& clauses) {
  if (clauses.empty()) return {};
  for (const PrivacyClause& clause : clauses) {
    if (clause.options == clauses[0].options) continue;
    text.refuse(Code::bad_argument, clause.place, "this clause states other options than an earlier one",
                "state the same epsilon, delta and limits everywhere, or once");
  }
  return clauses[0].options;
}

}  // namespace dither::sql
