#include "testing/seed.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace dither::testing {
namespace {

TEST(Seed, OneForTheWholeRunAndKnownToChildren) {
  EXPECT_EQ(run_seed(), run_seed());
  ASSERT_NE(std::getenv("DITHER_SEED"), nullptr);
  EXPECT_EQ(std::getenv("DITHER_SEED"), std::to_string(run_seed()));
  EXPECT_EQ(seed_asked_for(nullptr, std::getenv("RC_PARAMS")), run_seed());
}

TEST(Seed, OurVariableComesBeforeRapidChecks) {
  EXPECT_EQ(seed_asked_for("7", "seed=9"), 7u);
  EXPECT_EQ(seed_asked_for(nullptr, "max_size=10 seed=9"), 9u);
  EXPECT_EQ(seed_asked_for(nullptr, "max_size=10"), std::nullopt);
  EXPECT_EQ(seed_asked_for(nullptr, nullptr), std::nullopt);
  EXPECT_EQ(seed_asked_for("18446744073709551615", nullptr), 18446744073709551615u);
}

TEST(Seed, OtherParametersOfRapidCheckStay) {
  EXPECT_EQ(rapidcheck_params_with_seed("", 5), "seed=5");
  EXPECT_EQ(rapidcheck_params_with_seed("max_success=10 seed=9 max_size=3", 5), "seed=5 max_success=10 max_size=3");
}

TEST(Seed, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "x", "-1", "1.5", "12 ", "18446744073709551616"}) {
    try {
      seed_asked_for(text, nullptr);
      ADD_FAILURE() << "accepted \"" << text << "\"";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::bad_number);
    }
  }
}

struct Outcome {
  std::string output;
  int status;
};

// This program again, in an environment of its own.
Outcome run_again(const std::string& environment, const std::string& filter) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "env " + environment + " '" + program + "' --gtest_filter=" + filter + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  return {output, WEXITSTATUS(pclose(pipe))};
}

// Passes, except in a child of the tests below.
RC_GTEST_PROP(Reproducer, FailsWhenAsked, (int drawn)) {
  RC_ASSERT(std::getenv("DITHER_TEST_FAILS_ON_PURPOSE") == nullptr || drawn < 3);
}

TEST(Reproducer, AFailedTestPrintsOneLineThatRepeatsIt) {
  const std::string environment = "DITHER_TEST_FAILS_ON_PURPOSE=1 DITHER_SEED=123456";
  const Outcome first = run_again(environment, "Reproducer.FailsWhenAsked");
  EXPECT_EQ(first.status, 1);
  const std::string line = "reproduce: ./dev test testing --filter Reproducer.FailsWhenAsked --seed 123456\n";
  const std::size_t found = first.output.find(line);
  ASSERT_NE(found, std::string::npos) << first.output;
  EXPECT_EQ(first.output.find("reproduce: ", found + 1), std::string::npos);
  EXPECT_NE(first.output.find("seed=123456"), std::string::npos) << "RapidCheck draws from the same seed";
}

TEST(Reproducer, APassedTestPrintsNone) {
  const Outcome passed = run_again("DITHER_SEED=123456", "Reproducer.FailsWhenAsked");
  EXPECT_EQ(passed.status, 0);
  EXPECT_EQ(passed.output.find("reproduce: "), std::string::npos);
}

TEST(Reproducer, ABadSeedIsRefusedBeforeAnyTest) {
  const Outcome refused = run_again("DITHER_SEED=lucky", "Reproducer.FailsWhenAsked");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(refused.output.starts_with("error: bad-number: ")) << refused.output;
}

}  // namespace
}  // namespace dither::testing
