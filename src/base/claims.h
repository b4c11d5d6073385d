// What each part of the system promises, in a list that documents are made from and the verifier attacks.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dither {

// What kind of thing makes the promise.
enum class Subject { sampler, transformation, measurement, combinator, interactive, statement };
std::string_view subject_name(Subject subject);
std::span<const Subject> all_subjects();

// One promise. Names are unique over all rooms, in the words of recipes and files ("discrete-laplace").
struct Claim {
  std::string name;
  std::string room;
  std::string guarantee;             // what holds, with its map: "L1 distance d costs epsilon = d / scale"
  std::string conditions;            // when it holds, and what is refused
  std::vector<std::string> rows;     // of the specification: "F-67"
  std::vector<std::string> testers;  // tests that would fail if it did not hold: "DiscreteLaplace.FollowsTheLaw"
  std::vector<std::string> mutants;  // planted bugs that one of them catches: "DiscreteLaplace.PlantedBiasIsCaught"
  Subject subject;
};

// The claims that were added, in order. Each room's `claims.cc` has an `add_claims(Registry&)`, called by name: nothing
// registers itself.
class Registry {
 public:
  // Refuses a name that is taken (duplicate-key) and a claim with an empty part (missing-key): a promise without a
  // tester or a mutant is none.
  void add(Claim claim);
  // The same of a claim that is attacked together with others of its kind (src/audit/attack.h): the test that runs these
  // attacks is another tester of it, and the test that plants a bug in every path of this kind another mutant. Not for
  // statements, which have several such tests.
  void add_attacked(Claim claim);

  std::span<const Claim> all() const { return claims_; }
  const Claim* find(std::string_view name) const;  // null when there is none

 private:
  std::vector<Claim> claims_;
};

}  // namespace dither
