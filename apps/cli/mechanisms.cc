// dither mechanisms: what every sampler, transformation and mechanism promises.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "audit/attack.h"
#include "base/claims.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/claims_output.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "show/show.h"

namespace dither::cli {

namespace {

constexpr std::size_t kMostSuggested = 5;

const std::array kOptions = {
    Option{"kind", "KIND", "only these: measurement, interactive, transformation, combinator, statement or sampler"},
    Option{"json", "", "the same answer for programs"},
    Option{"markdown", "", "the whole reference page, docs/mechanisms.md"},
    Option{"out", "FILE", "write there instead of standard output; the file appears when it is complete"},
    Option{"help", "", "this text"},
};

std::string help() {
  return "Show what every mechanism, transformation and sampler promises, when it holds, and which tests attack it.\n"
         "Reads no data, spends nothing.\n"
         "Usage:  dither mechanisms [--kind KIND] [--json] [--out FILE]\n"
         "        dither mechanisms NAME [--json] [--out FILE]\n"
         "        dither mechanisms --markdown [--out FILE]\n" +
         options_help(kOptions) + R"(Example:  dither mechanisms discrete-laplace
          dither mechanisms --kind transformation
Exit:     0 done   2 mistake in the request   4 failed
)";
}

[[noreturn]] void refuse_name(const Registry& registry, const std::string& typed) {
  std::vector<std::string> names, holding;
  for (const Claim& claim : registry.all()) {
    names.push_back(claim.name);
    if (claim.name.find(typed) != std::string::npos) holding.push_back(claim.name);
  }
  if (holding.empty() || typed.empty()) holding = {nearest(typed, names)};
  const std::string advice = holding.size() > kMostSuggested
                                 ? fmt::format("{} names hold it;", holding.size())
                                 : fmt::format("did you mean {}?", fmt::join(holding, " or "));
  throw Error{Code::unknown_mechanism, fmt::format("there is no mechanism \"{}\"", echo(typed)),
              advice + " `dither mechanisms` lists all"};
}

const Claim& find(const Registry& registry, const std::string& name) {
  const Claim* found = registry.find(name);
  if (found == nullptr) refuse_name(registry, name);
  return *found;
}

Subject read_kind(const std::string& typed) {
  std::vector<std::string> names;
  for (Subject subject : all_subjects()) {
    if (typed == subject_name(subject)) return subject;
    names.emplace_back(subject_name(subject));
  }
  throw Error{Code::bad_argument,
              fmt::format("--kind is \"{}\", but must be one of {}", echo(typed), fmt::join(names, ", ")),
              fmt::format("did you mean {}?", nearest(typed, names))};
}

std::vector<Claim> chosen(const Registry& registry, const std::optional<Subject>& kind) {
  std::vector<Claim> claims;
  for (const Claim& claim : registry.all()) {
    if (!kind || claim.subject == *kind) claims.push_back(claim);
  }
  return claims;
}

std::string list(const std::vector<Claim>& claims, bool json) {
  if (!json) return claims_table(claims);
  show::Json all = show::Json::array();
  for (const Claim& claim : claims) all.push_back(claim_json(claim));
  return show::json_pretty({{"mechanisms", all}}) + '\n';
}

void refuse_both(const Given& given, const char* option, std::initializer_list<const char*> others) {
  for (const char* other : others) {
    if (!given.contains(option) || !given.contains(other)) continue;
    const std::string shown = given.at(other).empty() ? fmt::format("--{}", other) : echo(given.at(other));
    throw Error{Code::bad_argument, fmt::format("--{} and {} are both given", option, shown), "leave one out"};
  }
}

std::string answer(const Given& given) {
  const Registry registry = audit::all_claims();
  const bool json = given.contains("json");
  if (given.contains("markdown")) return claims_markdown(registry.all());
  if (given.contains("NAME")) {
    const Claim& claim = find(registry, given.at("NAME"));
    return json ? show::json_pretty(claim_json(claim)) + '\n' : claim_text(claim);
  }
  const auto kind = given.contains("kind") ? std::optional(read_kind(given.at("kind"))) : std::nullopt;
  return list(chosen(registry, kind), json);
}

}  // namespace

void mechanisms(const Words& words) {
  const Given given = read_options("mechanisms", kOptions, words, "NAME");
  if (given.contains("help")) return write_answer("", help());
  refuse_both(given, "markdown", {"json", "kind", "NAME"});
  refuse_both(given, "kind", {"NAME"});
  write_answer(given.contains("out") ? given.at("out") : "", answer(given));
}

}  // namespace dither::cli
