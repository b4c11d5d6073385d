// Who holds a reservation: a process, in a way that outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dither::ledger {

// One run of one process. Process ids come back, so its start belongs to it; starts count from boot, so the boot does;
// and ids mean something within one pid namespace only.
struct Owner {
  std::string host;           // the machine's name
  std::string space;          // the pid namespace, as in "pid:[4026531836]"
  std::string boot;           // the kernel's id of this boot
  std::uint64_t pid = 0;      // as /proc shows it
  std::uint64_t started = 0;  // in clock ticks since boot
  bool operator==(const Owner&) const = default;
};

// The calling process. Asked of the kernel every time, so that it is right after a fork. cannot-read without /proc.
Owner this_process(const std::string& proc = "/proc");

enum class Alive { yes, no, unknown };

// Whether the owner still runs. A process that has ended but was not yet waited for does not. Unknown on another host
// or in another pid namespace, and where /proc hides the process; never a guess: `no` is certain where names of hosts
// are distinct. `proc` is where the file system of processes lies.
Alive is_alive(const Owner& owner, const std::string& proc = "/proc");

// One line of JSON, with the members as its keys in alphabetical order; every owner has one text. The reverse refuses
// any other spelling (bad-syntax).
std::string owner_text(const Owner& owner);
Owner owner_from_text(std::string_view text);

}  // namespace dither::ledger
