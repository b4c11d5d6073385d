#include "audit/command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "audit/likelihood.h"
#include "audit/pace.h"
#include "audit/run_line.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

// Reads questions, prints what the shell line `say` prints for each run; $input is the input.
std::string program(const std::string& say) {
  return "while read -r line; do input=${line#*: }; input=${input%%,*}; runs=${line##*: }; runs=${runs%\\}}; i=0; "
         "while [ $i -lt $runs ]; do " +
         say + "; i=$((i+1)); done; done";
}

// The same in Python, where `say` is an expression of x, the input.
std::string python(const std::string& say) {
  return "python3 -c 'import json, random, sys, os, math\n"
         "for line in sys.stdin:\n"
         "  q = json.loads(line); x = q[\"input\"]\n"
         "  for _ in range(q[\"runs\"]): print(" +
         say +
         ")\n"
         "  sys.stdout.flush()'";
}

CommandLimits alone() {
  CommandLimits limits;
  limits.alone = true;
  return limits;
}

CommandLimits impatient() {
  CommandLimits limits = alone();
  limits.batch = std::chrono::milliseconds(200);
  return limits;
}

std::shared_ptr<CommandMechanism> mechanism(const std::string& command, CommandLimits limits = {}) {
  return std::make_shared<CommandMechanism>(command, std::move(limits));
}

TEST(CommandMechanism, ValuesOfEveryKind) {
  const auto values =
      mechanism(python("[\"1.5\", \"[1, \\\"a\\\", true, null]\", \"NaN\", \"[-Infinity, \\\"NaN,\\\"]\", "
                       "\"\\\"word\\\"\", \"1e999\", \"[[2]]\"][_]"))
          ->draw("0", 7);
  ASSERT_EQ(values.size(), 7);
  EXPECT_EQ(values[0].cells, (std::vector<RunCell>{1.5}));
  EXPECT_EQ(values[1].cells, (std::vector<RunCell>{1.0, "a", "true", "null"}));
  EXPECT_TRUE(std::isnan(std::get<double>(values[2].cells.at(0))));
  EXPECT_EQ(values[3].cells, (std::vector<RunCell>{-HUGE_VAL, "NaN,"}));
  EXPECT_EQ(values[4].cells, (std::vector<RunCell>{"word"}));
  EXPECT_EQ(values[5].cells, (std::vector<RunCell>{HUGE_VAL}));
  EXPECT_EQ(values[6].cells, (std::vector<RunCell>{"[2]"}));
}

TEST(CommandMechanism, InputsAndRunsArriveAsWritten) {
  const auto command = mechanism(python("json.dumps([x[0], q[\"runs\"]])"));
  const auto first = command->draw("[41, 2]", 8);
  ASSERT_EQ(first.size(), 8);
  for (const RunValue& value : first) EXPECT_EQ(value.cells, (std::vector<RunCell>{41.0, 8.0}));
  EXPECT_EQ(command->draw("[42]", 3).at(2).cells, (std::vector<RunCell>{42.0, 3.0}));
  command->finish();
}

// Programs that answer one batch and end, crash now and then, or say nothing: every run is there, with its status.
// Spec: T-48
TEST(CommandMechanism, EndsAndFailuresAreOutputs) {
  const auto one_batch = mechanism(
      "read line; runs=${line##*: }; runs=${runs%\\}}; i=0; while [ $i -lt $runs ]; do echo $i; i=$((i+1)); done");
  const auto values = one_batch->draw("0", 40);
  ASSERT_EQ(values.size(), 40);
  for (const RunValue& value : values) EXPECT_EQ(value.status, "ok");
  const std::string fourth = program("n=$((n+1)); if [ $n -eq 4 ]; then exit 7; fi; echo 1");
  EXPECT_THROW(mechanism(fourth)->draw("0", 12), RunsLost);  // what was printed before may be lost
  const auto crashing = mechanism(fourth, alone())->draw("0", 12);
  ASSERT_EQ(crashing.size(), 12);
  EXPECT_EQ(crashing[2].status, "ok");
  EXPECT_EQ(crashing[3].status, "exit status 7");
  EXPECT_EQ(crashing[4].status, "ok");
  const auto garbage = mechanism(program("echo oops"))->draw("0", 2);
  EXPECT_EQ(garbage.at(0).status, "not JSON");
}

// A file that is not there yet, and is gone afterwards.
class Marker {
 public:
  ~Marker() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = fmt::format("{}hung-{}", ::testing::TempDir(), getpid());
};

// A program that hangs in its fourth run, once: that run is an output, and those after it are asked for again. Five
// seconds are ample for the shell to print a line also on a busy machine, so that nothing else is late.
// Spec: T-48
TEST(CommandMechanism, AHangIsAnOutput) {
  const Marker hung;
  CommandLimits limits = alone();
  limits.batch = std::chrono::seconds(5);
  const std::string once =
      fmt::format("n=$((n+1)); if [ $n -eq 4 ] && [ ! -e {0} ]; then : > {0}; sleep 1000; fi; echo 1", hung.path());
  const auto values = mechanism(program(once), limits)->draw("0", 40);
  ASSERT_EQ(values.size(), 40);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i].status, i == 3 ? "no answer in time" : "ok") << i;
}

// A slow machine only takes it for hung sooner.
TEST(CommandMechanism, PlantedThirdHangIsCaught) {
  const std::string fourth = program("n=$((n+1)); if [ $n -eq 4 ]; then sleep 1000; fi; echo 1");
  EXPECT_EQ(testing::refusal([&] { mechanism(fourth, impatient())->draw("0", 40); }), Code::bad_source);
}

// Programs that end after every answer are started again; one that was seen to stay and then ends has failed in that
// run, also with status 0. Here four runs in ten end so: of 300 not 65 or 175 of them do with probability 1e-10.
TEST(CommandMechanism, AnEndWithStatusZeroIsAnOutput) {
  const std::string bash = "bash -c 'while read -r line; do if ((RANDOM < 13107)); then exit 0; fi; echo 1; done'";
  const auto values = mechanism(bash, alone())->draw("0", 300);
  const auto ended = std::count_if(values.begin(), values.end(), [](const auto& run) { return run.status != "ok"; });
  EXPECT_GT(ended, 65);
  EXPECT_LT(ended, 175);
}

// One run in fifty on 0, and five times as many on 1, end a program that keeps what it says until a batch is over:
// epsilon is log 5.003 = 1.61 and the claim holds. Counted as one end for every batch that was lost, failures on 1
// would be six times as many and more. False alarm 1e-6; of 600 runs on 1 not 15 or 110 fail with probability 1e-9.
TEST(CommandTarget, LostRunsAreAskedForOneByOne) {
  const std::string buffered = R"(bash -c 'while read -r line; do input=${line#*: }; input=${input%%,*};
    runs=${line##*: }; runs=${runs%\}}; out=; for ((i = 0; i < runs; ++i)); do
    if ((RANDOM < 655 + 2622 * input)); then exit 3; fi; out+="0\n"; done; printf "$out"; done')";
  EXPECT_THROW(mechanism(buffered)->draw("1", 2000), RunsLost);
  const auto target = [](const std::shared_ptr<CommandMechanism>& command) {
    return command_target(command, std::vector<CommandInputs>{{"0", "1"}}, Promise::pure(Rational(162, 100)));
  };
  Effort effort = foreign_effort(2000, std::chrono::minutes(5));
  effort.false_alarm = 1e-6;
  effort.seed = testing::run_seed();
  const Report report = test_command(buffered, {}, target, {"likelihood"}, effort).front();
  EXPECT_EQ(report.verdict, Verdict::none_found);
  EXPECT_EQ(report.false_alarm, 1e-6);
  EXPECT_NE(report.notes.back().find("one at a time"), std::string::npos) << report.notes.back();
  const auto values = mechanism(buffered, alone())->draw("1", 600);
  const auto failed = std::count_if(values.begin(), values.end(), [](const auto& run) { return run.status != "ok"; });
  EXPECT_GT(failed, 15);
  EXPECT_LT(failed, 110);
}

TEST(CommandMechanism, NamedErrors) {
  const auto refused = [](const std::string& command) {
    return testing::refusal([&] {
      const auto program = mechanism(command, impatient());
      program->draw("0", 5);
      program->finish();
    });
  };
  EXPECT_EQ(refused("sleep 1000"), Code::bad_source);
  EXPECT_EQ(refused("yes 1"), Code::bad_source);
  EXPECT_EQ(refused("no-such-program"), Code::cannot_read);
  EXPECT_EQ(refused("while read x; do for i in 1 2 3 4 5; do echo 1; done; sleep 0.05; echo 6; done"),
            Code::bad_source);
}

TEST(CommandTarget, AProgramThatAlwaysFailsProvesNothing) {
  for (const char* command : {"(exit 3)", "false", "read x; kill -9 $$", "while read x; do echo nonsense; done"}) {
    const auto refused = testing::refusal([&] {
      command_target(mechanism(command, impatient()), {{"0", "1"}}, Promise::pure(Rational(1)));
    });
    EXPECT_EQ(refused, Code::bad_source) << command;
  }
}

// Ten runs of each input tell it, not all that there is time for: it is started once for each.
TEST(CommandTarget, AlwaysFailingIsKnownSoon) {
  const std::string log = ::testing::TempDir() + "starts";
  std::remove(log.c_str());
  const auto refused = testing::refusal([&] {
    command_target(mechanism("echo x >> " + log + "; exit 3", alone()), {{"0", "1"}}, Promise::pure(Rational(1)));
  });
  EXPECT_EQ(refused, Code::bad_source);
  std::ifstream starts(log);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(starts), {}, 'x'), 20);
  std::remove(log.c_str());
}

Report attacked(const std::string& say, std::int64_t runs) {
  const LearntTarget command = command_target(mechanism(python(say)), {{"0", "1"}}, Promise::pure(Rational(1)));
  Effort effort;
  effort.search = runs / 2;
  effort.certify = runs;
  effort.false_alarm = 1e-6;
  effort.seed = testing::run_seed();
  return likelihood(command.target, command.names, effort);
}

// Randomised response with epsilon 1 says the truth with probability 0.731; false alarm 1e-6. Its twin with 0.9 has epsilon
// 2.2: of 10,000 runs it shows 2.0 or more with probability above 1 - 1e-9.
TEST(CommandTarget, RightAndPlantedMechanisms) {
  EXPECT_EQ(attacked("x if random.random() < 0.7310585786 else 1 - x", 10'000).verdict, Verdict::none_found);
  const Report leaky = attacked("x if random.random() < 0.9 else 1 - x", 10'000);
  EXPECT_EQ(leaky.verdict, Verdict::violated);
  ASSERT_TRUE(leaky.witness.has_value());
  EXPECT_NE(leaky.witness->event.find("number 1 is "), std::string::npos) << leaky.witness->event;
  EXPECT_GT(leaky.witness->hits_first, 4 * leaky.witness->hits_second);
}

// One that fails for one input only, one that never varies but for the input, and one that never varies at all.
// Spec: T-48
TEST(CommandTarget, FailuresAndConstantsAreJudged) {
  const Report failing = attacked("\"oops\" if x == 1 and random.random() < 0.3 else 5", 2000);
  EXPECT_EQ(failing.verdict, Verdict::violated);
  EXPECT_EQ(attacked("x", 2000).verdict, Verdict::violated);
  const Report constant = attacked("5", 2000);
  EXPECT_EQ(constant.verdict, Verdict::none_found);
  EXPECT_EQ(constant.notes.back(), "the output never varied");
  EXPECT_EQ(attacked("\"NaN\" if x == 1 else 1", 2000).verdict, Verdict::violated);
  EXPECT_EQ(attacked("json.dumps(\"a\" if x == 1 else 1)", 2000).verdict, Verdict::violated);
}

// Draws that say which input it was: a total leak. The first pair never answers; the second is still the second.
TEST(Likelihood, PairsThatGiveNothingAreSkipped) {
  const auto says = [](double value) -> Draw {
    return [value](Outputs& out, std::int64_t runs, random::Source&) {
      for (double& cell : out.add(runs)) cell = value;
    };
  };
  const Draw nothing = [](Outputs&, std::int64_t, random::Source&) {};
  Target target{"leak", Promise::pure(Rational(1)), {Reading::number}, {}};
  target.pairs = {{"a", "b", nothing, nothing}, {"c", "d", says(1), says(2)}};
  Effort effort;
  effort.search = 1000;
  effort.certify = 1000;
  effort.false_alarm = 1e-6;
  const Report report = likelihood(target, {"number 1"}, effort);
  EXPECT_EQ(report.verdict, Verdict::violated);
  ASSERT_TRUE(report.witness.has_value());
  EXPECT_TRUE(report.witness->first == "c" || report.witness->first == "d");
}

// A run takes 5 ms or more: of a million in a second at most 30 of each input fit, so the least number is taken.
TEST(Pace, EffortsFitTheTime) {
  const Draw slow = [](Outputs& out, std::int64_t runs, random::Source&) {
    std::this_thread::sleep_for(runs * std::chrono::milliseconds(5));
    out.add(runs);
  };
  const Target target{"slow", Promise::pure(Rational(1)), {Reading::number}, {{"a", "b", slow, slow}}};
  Effort effort;
  effort.certify = 1'000'000;
  effort.search = 60;
  EXPECT_EQ(paced(target, effort).certify, 1'000'000);  // no deadline
  effort.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  EXPECT_EQ(paced(target, effort).certify, 100);
  EXPECT_EQ(paced(target, effort).search, 60);  // never more than asked for
}

class InputsFile {
 public:
  explicit InputsFile(const std::string& text) : path_(::testing::TempDir() + "pairs.jsonl") {
    std::ofstream(path_) << text;
  }
  ~InputsFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(InputPairs, OnePairALine) {
  const auto pairs = read_input_pairs(InputsFile("[[1, 2], [1]]\n\n[{\"a\": \"x\"}, null]\n").path());
  ASSERT_EQ(pairs.size(), 2);
  EXPECT_EQ(pairs[0].first, "[1,2]");
  EXPECT_EQ(pairs[1].first, "{\"a\":\"x\"}");
  EXPECT_EQ(pairs[1].second, "null");
}

// What reads and writes JSON calls itself for every level; a line of them must not reach the end of the stack.
TEST(CommandMechanism, NestingHasAnEnd) {
  const auto deep = [](int levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(run_of_line(deep(64)).status, "ok");
  EXPECT_EQ(run_of_line(deep(65)).status, "not JSON");
  EXPECT_EQ(run_of_line(deep(400'000)).status, "not JSON");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\\\"\":";
  EXPECT_EQ(run_of_line(objects).status, "not JSON");
  EXPECT_EQ(run_of_line('"' + deep(100) + '"').status, "ok");  // a word
  EXPECT_EQ(run_of_line("[" + deep(10) + ", NaN]").cells.size(), 2u);
  const auto hostile = mechanism(python("\"[\" * 400000 + \"]\" * 400000"))->draw("0", 3);
  EXPECT_EQ(hostile.at(2).status, "not JSON");
}

// Words are UTF-8, or no JSON.
TEST(CommandMechanism, BytesThatAreNoText) {
  EXPECT_EQ(run_of_line("\"\xc3\xa9\"").cells, (std::vector<RunCell>{"\xc3\xa9"}));
  EXPECT_EQ(run_of_line("\"\xff\"").status, "not JSON");
  const auto values = mechanism(program("printf '\"\\377\"\\n'"))->draw("0", 3);
  ASSERT_EQ(values.size(), 3);
  for (const RunValue& value : values) EXPECT_EQ(value.status, "not JSON");
}

// A number that no double holds is infinite, whether it is written with an exponent or with all its digits.
TEST(CommandMechanism, NumbersBeyondDoubles) {
  const std::string digits(400, '9');
  EXPECT_EQ(run_of_line(digits).cells, (std::vector<RunCell>{HUGE_VAL}));
  EXPECT_EQ(run_of_line("[-" + digits + ", 2]").cells, (std::vector<RunCell>{-HUGE_VAL, 2.0}));
  EXPECT_EQ(run_of_line("[\"\\\\\", 1e999]").cells, (std::vector<RunCell>{"\\", HUGE_VAL}));
  EXPECT_EQ(run_of_line("1e999x").status, "not JSON");
  EXPECT_EQ(run_of_line("1e999-1").status, "not JSON");
}

TEST(InputPairs, Mistakes) {
  const auto refused = [](const std::string& text) {
    return testing::refusal([&] { read_input_pairs(InputsFile(text).path()); });
  };
  EXPECT_EQ(refused(""), Code::bad_count);
  EXPECT_EQ(refused("[1]\n"), Code::bad_syntax);
  EXPECT_EQ(refused("{\"first\": 1}\n"), Code::bad_syntax);
  EXPECT_EQ(refused("[1, 2\n"), Code::bad_syntax);
  EXPECT_EQ(refused("[1, " + std::string(100'000, '[') + std::string(100'000, ']') + "]\n"), Code::bad_syntax);
  EXPECT_EQ(testing::refusal([] { read_input_pairs("no/such/file"); }), Code::cannot_read);
}

}  // namespace
}  // namespace dither::audit
