#include "cli/input.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "base/error.h"
#include "base/text.h"

namespace dither::cli {

std::string read_bytes(const std::string& path, const std::string& option) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  std::string bytes;
  if (in.good()) bytes.assign(std::istreambuf_iterator<char>(in), {});
  if (in.good() || in.eof()) return bytes;
  throw Error{
      Code::cannot_read,
      fmt::format("{} is {}, which cannot be read: {}", option, echo(path), std::generic_category().message(errno)),
      "name a file that is there"};
}

}  // namespace dither::cli
