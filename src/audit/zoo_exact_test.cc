// Mechanisms of the zoo whose outputs are few: the exact examiner on them, and whether they do what it examines.
#include <algorithm>
#include <cmath>
#include <map>

#include "audit/channel.h"
#include "audit/law.h"
#include "audit/zoo_check.h"
#include "random/source.h"

namespace dither::audit::zoo {
namespace {

std::vector<const Entry*> finite_ones() {
  std::vector<const Entry*> result;
  for (const Entry& one : all()) {
    if (one.channel != nullptr) result.push_back(&one);
  }
  return result;
}

// Spec: T-56, W-69
TEST(ZooExact, BrokenOnesAreViolatedAndRightOnesAreNot) {
  for (const Entry* one : finite_ones()) {
    const Report report = test_channel(one->channel(), one->make().promise);
    EXPECT_EQ(report.verdict, one->broken ? Verdict::violated : Verdict::none_found) << one->name;
    EXPECT_EQ(check::contradiction(report), "") << one->name;
  }
}

// What the zoo says of them is what their probabilities say; 1e-9 leaves room for coins that are rounded down by 1e-12.
// Spec: T-56
TEST(ZooExact, TheirTrueEpsilonIsExact) {
  for (const Entry* one : finite_ones()) {
    ASSERT_TRUE(one->true_epsilon.has_value()) << one->name;
    const LossBounds found = min_distance(one->channel());
    if (std::isinf(*one->true_epsilon)) {
      EXPECT_EQ(found.at_least, *one->true_epsilon) << one->name;
    } else {
      EXPECT_NEAR(found.at_least, *one->true_epsilon, 1e-9) << one->name;
      EXPECT_NEAR(found.at_most, *one->true_epsilon, 1e-9) << one->name;
    }
  }
}

// What is drawn for one input, numbered as the channel does; what it does not know comes after the last.
SampledLaw law_of(const Channel& channel, std::size_t input, const Draw& draw, const Shape& shape) {
  std::map<std::string, std::int64_t> numbers;
  for (const std::string& name : channel.outputs()) numbers.emplace(name, static_cast<std::int64_t>(numbers.size()));
  const auto outputs = static_cast<std::int64_t>(numbers.size());
  return {channel.inputs()[input], 0, outputs - 1,
          [&channel, input](std::int64_t output) {
            return channel.probability(input, static_cast<std::size_t>(output)).low();
          },
          [numbers, outputs, draw, width = shape.size()](std::span<std::int64_t> out, random::Source& source) {
            Outputs rows(width);
            draw(rows, static_cast<std::int64_t>(out.size()), source);
            for (std::size_t i = 0; i < out.size(); ++i) {
              const auto found = numbers.find(output_name(rows.row(static_cast<std::int64_t>(i))));
              out[i] = found == numbers.end() ? outputs : found->second;
            }
          }};
}

// Whether the mechanism draws by the law that the channel writes down, on every input. 40,000 draws each, false alarm
// 1e-9 each.
bool draws_as_written(const Target& target, const Channel& channel) {
  const Effort effort{.certify = 40'000, .false_alarm = 1e-9};
  for (std::size_t i = 0; i < target.pairs.size(); ++i) {
    const Pair& pair = target.pairs[i];
    EXPECT_EQ(channel.inputs()[2 * i], pair.first);
    EXPECT_EQ(channel.inputs()[2 * i + 1], pair.second);
    for (const std::size_t side : {0U, 1U}) {
      const Draw& draw = side == 0 ? pair.draw_first : pair.draw_second;
      if (check_law(law_of(channel, 2 * i + side, draw, target.shape), effort).verdict == Verdict::violated)
        return false;
    }
  }
  return true;
}

TEST(ZooExact, TheyDrawWhatIsWritten) {
  for (const Entry* one : finite_ones()) EXPECT_TRUE(draws_as_written(one->make(), one->channel())) << one->name;
}

// The channel of the twin. The closest two are the truncated geometric ones: 0 on input 2 has probability .418 and
// .456, 15 standard errors, of which the verdict takes 8.
TEST(ZooExact, PlantedWrongChannelIsCaught) {
  for (const Entry* one : finite_ones()) {
    EXPECT_FALSE(draws_as_written(one->make(), entry(one->twin).channel())) << one->name;
  }
}

}  // namespace
}  // namespace dither::audit::zoo
