// A program that does not outlive us.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace dither::audit::detail {

// Starts a program, found as a shell finds it, in a process group of its own: with these open files, neither of which is one
// of the first three, for its standard input and output, and nothing for its standard error. 0, or the system's number of
// what went wrong.
//
// Promise    it is killed when this process ends, in whatever way, but for programs that change their user.
int start_program(const std::vector<std::string>& words, int input, int output, pid_t& process);

}  // namespace dither::audit::detail
