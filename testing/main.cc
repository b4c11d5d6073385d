// The entry of every test program: GoogleTest, plus one line on each failed test that repeats the failure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "testing/seed.h"

namespace {

// Test programs lie in tests/<room>/, so the folder names the room.
std::string room_of(const char* program) {
  return std::filesystem::absolute(program).lexically_normal().parent_path().filename().string();
}

class Reproducer : public testing::EmptyTestEventListener {
 public:
  explicit Reproducer(std::string room) : room_(std::move(room)) {}

  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Failed()) return;
    fmt::print("reproduce: ./dev test {} --filter {}.{} --seed {}\n", room_, test.test_suite_name(), test.name(),
               dither::testing::run_seed());
    std::fflush(stdout);
  }

 private:
  std::string room_;
};

// Every draw of the run, RapidCheck's and those of child processes too, comes from one seed.
void share_seed() {
  const std::uint64_t seed = dither::testing::run_seed();
  const char* params = std::getenv("RC_PARAMS");
  setenv("DITHER_SEED", std::to_string(seed).c_str(), 1);
  setenv("RC_PARAMS", dither::testing::rapidcheck_params_with_seed(params == nullptr ? "" : params, seed).c_str(), 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string room = room_of(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  try {
    share_seed();
  } catch (const dither::Error& error) {
    fmt::print(stderr, "{}\n", error.str());
    return 2;
  }
  testing::UnitTest::GetInstance()->listeners().Append(new Reproducer(room));  // GoogleTest owns it from here
  return RUN_ALL_TESTS();
}
