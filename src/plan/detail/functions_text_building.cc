// Texts that become longer: joined, repeated, padded, replaced. NULL beyond kLongestText bytes, so that a row's cost is
// bounded.
#include "plan/detail/characters.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "text";
constexpr std::string_view kTooLong = "longer than 64 KiB";

Cell joined(Cells cells) {
  std::size_t bytes = 0;
  for (const Cell& cell : cells) bytes += is_null(cell) ? 0 : text(cell).size();
  if (bytes > kLongestText) return {};
  std::string result;
  for (const Cell& cell : cells) result += is_null(cell) ? "" : text(cell);
  return result;
}

bool joined_two(std::string_view a, std::string_view b, std::string& result) {
  if (a.size() + b.size() > kLongestText) return false;
  result.append(a).append(b);
  return true;
}

bool repeated(std::string_view part, std::int64_t times, std::string& result) {
  if (times <= 0 || part.empty()) return true;
  if (static_cast<Int128>(part.size()) * times > static_cast<Int128>(kLongestText)) return false;
  for (std::int64_t i = 0; i < times; ++i) result += part;
  return true;
}

// The filling for a text of so many characters; the text itself cut where it is longer.
template <bool in_front>
bool padded(std::string_view all, std::int64_t characters, std::string_view fill, std::string& result) {
  if (characters > static_cast<std::int64_t>(kLongestText)) return false;
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(characters, 0));
  const std::size_t have = count_characters(all);
  std::string filling;
  if (have < wanted && !fill.empty()) {
    const std::size_t missing = wanted - have, in_fill = count_characters(fill);
    for (std::size_t i = 0; i < missing / in_fill && filling.size() <= kLongestText; ++i) filling += fill;
    filling += fill.substr(0, bytes_of(fill, missing % in_fill));
  }
  const std::string_view cut = all.substr(0, bytes_of(all, wanted));
  result.append(in_front ? filling : cut).append(in_front ? cut : filling);
  return result.size() <= kLongestText;
}

bool replaced(std::string_view all, std::string_view from, std::string_view to, std::string& result) {
  std::size_t at = 0;
  for (std::size_t next = from.empty() ? all.npos : find_part(all, from); next != all.npos;
       next = find_part(all, from, at)) {
    result.append(all.substr(at, next - at)).append(to);
    at = next + from.size();
    if (result.size() > kLongestText) return false;
  }
  result.append(all.substr(at));
  return result.size() <= kLongestText;
}

std::uint64_t repeated_bytes(Known known) {
  const auto times = range_of(known[1]);
  if (!times || times->high.sign() <= 0) return times ? 0 : kLongestText;
  const Rational bytes = times->high * static_cast<long>(known[0].longest);
  return bytes < Rational(static_cast<long>(kLongestText)) ? static_cast<std::uint64_t>(bytes.floor()) : kLongestText;
}

std::uint64_t padded_bytes(Known known) { return bytes_of_characters(known[1], kLongestText); }

// At most as many places as fit one behind the other; the bytes between them stay.
std::uint64_t replaced_bytes(Known known) {
  const std::string *from = only_text(known[1]), *to = only_text(known[2]);
  const std::uint64_t all = known[0].longest;
  if (from == nullptr || to == nullptr) return kLongestText;
  if (from->empty() || to->size() <= from->size()) return std::min(all, kLongestText);
  const std::uint64_t longest = all / from->size() * to->size() + all % from->size();
  return std::min(longest, kLongestText);
}

// Engines refuse an empty filling even where it is not used.
std::string pad_form(std::string_view function) {
  return fmt::format("(CASE WHEN $2 <= 65536 THEN CASE WHEN octet_length({0}) <= 65536 THEN {0} END END)",
                     fmt::format("(CASE WHEN $3 = '' THEN left($1, CAST(GREATEST($2, 0) AS INTEGER)) ELSE "
                                 "{}($1, CAST(GREATEST(LEAST($2, 65536), 0) AS INTEGER), "
                                 "(CASE WHEN $3 = '' THEN ' ' ELSE $3 END)) END)",
                                 function));
}

// The length is known before the text is made: each place that `from` has in t gives or takes as many bytes.
std::string replace_form(std::string_view divide) {
  return fmt::format(
      "(CASE WHEN $2 = '' THEN CASE WHEN {0}($1) <= 65536 THEN $1 END "
      "WHEN {0}($1) + (({0}($1) - {0}(replace($1, $2, ''))) {1} NULLIF({0}($2), 0)) * ({0}($3) - {0}($2)) <= 65536 "
      "THEN replace($1, $2, $3) END)",
      "octet_length", divide);
}

}  // namespace

void add_text_building(Table& table) {
  auto& f = table.functions;
  const std::string short_enough = "(CASE WHEN octet_length($1) + octet_length($2) <= 65536 THEN $1 || $2 END)";
  f.push_back(
      gives_bytes(as_all, row<joined_two>("concatenate", "||", "t || u", kGroup, {T, T}, T, "one behind the other",
                                          kTooLong, nullptr, short_enough, short_enough)));
  f.push_back(gives_bytes(
      as_all, own(variadic(row("concat", "concat", "CONCAT(t, u, ...)", kGroup, {T}, T,
                               "one behind the other, without those that are NULL", kTooLong, joined, nullptr,
                               {"(CASE WHEN strlen(concat($*)) <= 65536 THEN concat($*) END)",
                                "(CASE WHEN octet_length(concat($*)) <= 65536 THEN concat($*) END)",
                                "(CASE WHEN octet_length(concat_ws('', $*)) <= 65536 THEN concat_ws('', $*) END)"})))));
  f.push_back(gives_bytes(
      repeated_bytes,
      row<repeated>(
          "repeat", "repeat", "REPEAT(t, n)", kGroup, {T, I}, T, "n times, one behind the other", kTooLong, nullptr,
          "(CASE WHEN $1 = '' OR $2 <= 0 THEN CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN '' END "
          "WHEN octet_length($1)::numeric * $2 <= 65536 THEN repeat($1, $2::int) END)",
          "(CASE WHEN $1 = '' OR $2 <= 0 THEN CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN '' END "
          "WHEN try_multiply(CAST(octet_length($1) AS BIGINT), $2) <= 65536 THEN repeat($1, CAST($2 AS INT)) END)")));
  f.push_back(with_constants(
      gives_bytes(padded_bytes, row<padded<true>>("lpad", "lpad", "LPAD(t, n, fill)", kGroup, {T, I, T}, T,
                                                  "cut or filled in front to n characters; n and fill constants",
                                                  kTooLong, nullptr, pad_form("lpad"), pad_form("lpad"))),
      2));
  f.push_back(with_constants(
      gives_bytes(padded_bytes, row<padded<false>>("rpad", "rpad", "RPAD(t, n, fill)", kGroup, {T, I, T}, T,
                                                   "cut or filled behind to n characters; n and fill constants",
                                                   kTooLong, nullptr, pad_form("rpad"), pad_form("rpad"))),
      2));
  f.push_back(with_constants(
      touches_bytes(
          of_search,
          gives_bytes(replaced_bytes, row<replaced>("replace", "replace", "REPLACE(t, from, to)", kGroup, {T, T, T}, T,
                                                    "with every `from` replaced; from and to constants", kTooLong,
                                                    nullptr, replace_form("/"), replace_form("div")))),
      2));
}

}  // namespace dither::plan::detail
