// `dither verify` and `dither mechanisms`, which a program of their own does: dither-verify, beside this one.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/verbs.h"

namespace dither::cli {

namespace {

// Refuses    an installation without that program (cannot-read).
[[noreturn]] void start(std::string verb, Words words) {
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("dither-verify").string();
  std::string name = "dither";
  std::vector<char*> arguments{name.data(), verb.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw Error{Code::cannot_read, fmt::format("cannot start {}", echo(program)),
              "run `./dev build`, which builds it, or copy it there from where `dither` comes from"};
}

}  // namespace

void mechanisms(const Words& words) { start("mechanisms", words); }
void verify(const Words& words) { start("verify", words); }

}  // namespace dither::cli
