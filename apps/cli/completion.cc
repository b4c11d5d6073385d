#include "cli/completion.h"

#include <algorithm>
#include <set>

#include "plan/aggregate_call.h"
#include "plan/functions.h"

namespace dither::cli {

using plan::AggregateKind;

namespace {

const std::vector<std::string> kKeywords = {
    "AND",  "AS",     "ASC",   "BETWEEN", "BY",    "CASE",   "CAST", "DESC",  "DISTINCT", "ELSE",
    "END",  "EXISTS", "FALSE", "FROM",    "GROUP", "HAVING", "IN",   "INNER", "IS",       "JOIN",
    "LEFT", "LIKE",   "LIMIT", "NOT",     "NULL",  "OFFSET", "ON",   "OR",    "ORDER",    "SELECT",
    "THEN", "TRUE",   "UNION", "USING",   "WHEN",  "WHERE",  "WITH"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool in_word(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

std::string mapped(std::string text, char (*to)(char)) {
  std::transform(text.begin(), text.end(), text.begin(), to);
  return text;
}

bool goes_on(const std::string& word, const std::string& typed) {
  return word.size() >= typed.size() && mapped(word.substr(0, typed.size()), lower) == mapped(typed, lower);
}

// Keywords and functions are known in capitals; whoever types small letters gets them.
std::string as_typed(const std::string& word, const std::string& typed) {
  const bool shouted = std::all_of(word.begin(), word.end(), [](char c) { return !(c >= 'a' && c <= 'z'); });
  const bool small = std::any_of(typed.begin(), typed.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return shouted && small ? mapped(word, lower) : word;
}

void add_function(std::string_view sql, std::set<std::string>& words) {
  const std::string name(sql.substr(0, sql.find(' ')));
  if (!name.empty() && std::all_of(name.begin(), name.end(), in_word)) words.insert(mapped(name, upper));
}

}  // namespace

std::vector<std::string> known_words(const plan::Project& project) {
  std::set<std::string> words(kKeywords.begin(), kKeywords.end());
  for (const plan::Function& function : plan::all_functions()) add_function(function.sql, words);
  for (const plan::Shorthand& shorthand : plan::all_shorthands()) add_function(shorthand.sql, words);
  for (auto kind = AggregateKind::count; kind <= AggregateKind::stddev_samp;
       kind = static_cast<AggregateKind>(static_cast<int>(kind) + 1)) {
    add_function(aggregate_name(kind), words);
  }
  for (const plan::TableDeclaration& table : project.tables) {
    words.insert(table.name);
    for (const plan::ColumnDeclaration& column : table.columns) words.insert(column.name);
  }
  return {words.begin(), words.end()};
}

Completions completions(const std::vector<std::string>& words, const std::vector<std::string>& commands,
                        const std::string& before) {
  Completions found;
  const bool command = before.starts_with('\\') && before.find(' ') == std::string::npos;
  std::size_t begin = before.size();
  while (!command && begin > 0 && in_word(before[begin - 1])) --begin;
  found.typed = command ? before : before.substr(begin);
  if (found.typed.empty()) return found;
  for (const std::string& word : command ? commands : words) {
    if (goes_on(word, found.typed)) found.words.push_back(as_typed(word, found.typed));
  }
  return found;
}

}  // namespace dither::cli
