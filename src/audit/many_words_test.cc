// Outputs with many different words, which follow one law whatever the input: that most of them are seen once, and which
// of them were seen first, is no leak. Every tester, on files and on targets.
//
// False alarm  each tester makes 3 tests at 1e-6 of each form and may be wrong once: twice has probability 3e-12, for all
//              testers and both forms together below 1e-10. Codes that tell the side are called violated in every test of
//              10^9 and of 20000 words.
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "audit/outputs_file.h"
#include "audit/tester.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "random/uniform.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

constexpr std::uint64_t kLexicons[] = {1'000'000'000, 20'000, 5'000};
constexpr int kRows = 6000;

std::string word(std::uint64_t lexicon, random::Source& source) {
  return "w" + std::to_string(random::uniform_below(lexicon, source));
}

std::vector<RunValue> recorded(std::uint64_t lexicon) {
  std::vector<RunValue> runs;
  for (int i = 0; i < kRows; ++i) runs.push_back({.cells = {word(lexicon, random::Source::this_thread())}});
  return runs;
}

// A count with noise and a word that means nothing, coded as a command's outputs are: by one table for both inputs.
Target noisy_count_with_a_word(std::uint64_t lexicon) {
  struct Shared {
    RunTable table;
    std::mutex mutex;
  };
  const auto shared = std::make_shared<Shared>();
  shared->table.see({.cells = {1.0, "w"}});
  const auto draw = [&](double count) -> Draw {
    return [shared, lexicon, count, law = random::DiscreteLaplace(1)](Outputs& out, std::int64_t runs,
                                                                      random::Source& source) {
      std::vector<RunValue> values;
      for (std::int64_t i = 0; i < runs; ++i) {
        values.push_back({.cells = {count + static_cast<double>(law.draw(source)), word(lexicon, source)}});
      }
      const std::lock_guard lock(shared->mutex);
      out.append(shared->table.rows(values));
    };
  };
  return {"count",
          Promise::pure(1),
          shared->table.shape(),
          {{"0", "1", draw(0), draw(1)}},
          shared->table.words(),
          shared->table.parts()};
}

Effort effort_of(std::uint64_t lexicon) {
  return {.search = kRows / 2, .certify = kRows / 2, .false_alarm = 1e-6, .seed = testing::run_seed() + lexicon};
}

void expect_no_alarm(const std::string& tester_name) {
  int files = 0, targets = 0;
  for (const std::uint64_t lexicon : kLexicons) {
    const RecordedRuns runs{recorded(lexicon), recorded(lexicon), "a.csv", "b.csv"};
    const Report file = test_outputs(runs, Promise::pure(1), tester_name, effort_of(lexicon));
    files += file.verdict == Verdict::violated ? 1 : 0;
    const Target target = noisy_count_with_a_word(lexicon);
    const Report report = tester(tester_name).test(target, effort_of(lexicon));
    targets += report.verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_LE(files, 1) << tester_name;
  EXPECT_LE(targets, 1) << tester_name;
}

// Spec: T-35
TEST(ManyWords, AreNoLeakToAnyTester) {
  for (const Tester& one : all_testers()) expect_no_alarm(std::string(one.name));
  expect_no_alarm("likelihood");
}

// One word in four outputs tells the input, among words that are all seen once. False alarm 1e-6; 750 of 3000 kept rows
// against none bound epsilon from below by 3 or more: each is caught with probability above 1 - 1e-9.
TEST(ManyWords, PlantedFrequentWordIsCaughtAmongThem) {
  RecordedRuns runs{recorded(1'000'000'000), recorded(1'000'000'000), "a.csv", "b.csv"};
  for (std::size_t i = 0; i < runs.first.size(); i += 4) runs.first[i].cells = {"aha"};
  for (const char* name :
       {"stat-dp", "dp-finder", "dp-sniper", "hockey-stick", "renyi", "stochastic", "histogram", "likelihood"}) {
    const Report report = test_outputs(runs, Promise::pure(1), name, effort_of(1));
    EXPECT_EQ(report.verdict, Verdict::violated) << name;
  }
}

}  // namespace
}  // namespace dither::audit
