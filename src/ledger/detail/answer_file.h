// Long answers, which live beside the ledger in files that are named by their hash.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dither::ledger::detail {

// The bytes of the answer with this hash, whatever they are; nothing when there is no such file. cannot-read.
std::optional<std::string> read_answer_file(const std::string& folder, const std::string& hash);
// Writes it durably, in a folder that is made if need be. cannot-write.
void write_answer_file(const std::string& folder, const std::string& hash, std::string_view bytes);

}  // namespace dither::ledger::detail
