// How the content of tables in memory is written down, and compared with what was written down before.
#pragma once

#include <string>
#include <string_view>

namespace dither::engine {

// Of one table, by the digest of its content. Another way to work out the digest needs another form here.
std::string memory_fingerprint(std::string_view table, std::string_view digest);

// Whether the fingerprint of one table is one of those that were noted, between which stands "; ".
bool is_noted(std::string_view one, std::string_view noted);

// Whether an earlier build noted these, whose digests of the same content are others.
bool noted_by_earlier_build(std::string_view noted);

}  // namespace dither::engine
