// Every mechanism that can be described, with the names of its parameters.
#pragma once

#include <string>
#include <vector>

namespace dither::accounting {

struct MechanismEntry {
  std::string name;                   // "gaussian"
  std::vector<std::string> required;  // keys in files
  std::vector<std::string> optional;  // keys that have a default
};

// In the order of Mechanism::Kind. The keys are those that event files take and canonical_json writes.
std::vector<MechanismEntry> mechanism_catalogue();

}  // namespace dither::accounting
