#include "ledger/owner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/descriptor.h"

namespace dither::ledger {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestStat = 4096;

// What we read of /proc/<pid>/stat: "pid (command) state ppid ...".
struct Stat {
  std::uint64_t pid = 0;
  char state = '?';
  std::uint64_t threads = 0;  // field 20
  std::uint64_t started = 0;  // field 22
};

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view next_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

// The command may hold any character, also ')' and spaces: it ends at the last parenthesis.
std::optional<Stat> parsed(std::string_view text) {
  const std::size_t open = text.find(" (");
  const std::size_t close = text.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const auto pid = number_in(text.substr(0, open));
  std::string_view rest = text.substr(close + 2);
  const std::string_view state = next_word(rest);  // field 3
  for (int field = 4; field < 20; ++field) next_word(rest);
  const auto threads = number_in(next_word(rest));
  next_word(rest);
  const auto started = number_in(next_word(rest));
  if (!pid || state.size() != 1 || !threads || !started) return std::nullopt;
  return Stat{*pid, state[0], *threads, *started};
}

std::string read_file(const std::string& path) {
  const detail::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) detail::throw_cannot_read(path, errno);
  return detail::read_up_to(file, kLongestStat, path);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

std::string pid_space(const std::string& proc) {
  const std::string path = proc + "/self/ns/pid";
  std::array<char, 64> name{};
  const ssize_t size = readlink(path.c_str(), name.data(), name.size());
  if (size < 0) detail::throw_cannot_read(path, errno);
  return {name.data(), static_cast<std::size_t>(size)};
}

std::string boot_id(const std::string& proc) {
  std::string text = read_file(proc + "/sys/kernel/random/boot_id");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// A process that /proc does not show may be hidden (hidepid), and then the kernel still knows its number.
Alive unless_hidden(std::uint64_t pid) {
  const bool exists = pid <= 0x7FFF'FFFF && (kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
  return exists ? Alive::unknown : Alive::no;
}

// The first thread of a process may end before the others; then it waits for them as a zombie.
bool has_ended(const Stat& stat) { return (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1; }

// A whole number; 0, which no owner has, for anything else.
std::uint64_t whole(const json& value) { return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0; }

}  // namespace

Owner this_process(const std::string& proc) {
  const std::string path = proc + "/self/stat";
  const auto stat = parsed(read_file(path));
  if (!stat) detail::throw_cannot_read(path, EINVAL);
  return {host_name(), pid_space(proc), boot_id(proc), stat->pid, stat->started};
}

Alive is_alive(const Owner& owner, const std::string& proc) {
  if (owner.host != host_name()) return Alive::unknown;
  if (owner.boot != boot_id(proc)) return Alive::no;
  if (owner.space != pid_space(proc)) return Alive::unknown;
  const std::string path = fmt::format("{}/{}/stat", proc, owner.pid);
  const detail::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return errno == ENOENT ? unless_hidden(owner.pid) : Alive::unknown;
  std::optional<Stat> stat;
  try {
    stat = parsed(detail::read_up_to(file, kLongestStat, path));
  } catch (const Error&) {  // it ended after the file was opened
    return unless_hidden(owner.pid);
  }
  if (!stat) return Alive::unknown;
  return stat->started == owner.started && !has_ended(*stat) ? Alive::yes : Alive::no;
}

std::string owner_text(const Owner& owner) {
  const json text = {{"boot", owner.boot},
                     {"host", owner.host},
                     {"pid", owner.pid},
                     {"space", owner.space},
                     {"started", owner.started}};
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

Owner owner_from_text(std::string_view text) {
  try {
    const json read = json::parse(text);
    Owner owner{read.at("host").get<std::string>(), read.at("space").get<std::string>(),
                read.at("boot").get<std::string>(), whole(read.at("pid")), whole(read.at("started"))};
    if (owner_text(owner) == text) return owner;
  } catch (const json::exception&) {  // told below
  }
  throw Error{Code::bad_syntax, fmt::format("{} does not name a process", echo(text)),
              "give the line as the ledger wrote it"};
}

}  // namespace dither::ledger
