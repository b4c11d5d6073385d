#include "accounting/event.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

const char* const kExample = R"(
neighbours: add-remove
events:
  - {mechanism: gaussian, sigma: 10, times: 30}
  - {mechanism: laplace, scale: 20, times: 50}
  - {sample: {poisson: 0.01}, of: {mechanism: gaussian, sigma: 1.0}, times: 10000}
)";

TEST(Events, TheExampleReadsExactly) {
  const EventList list = parse_events(kExample, "events.yaml");
  EXPECT_EQ(list.neighbours, Neighbours::add_remove);
  ASSERT_EQ(list.events.size(), 3u);
  EXPECT_EQ(list.events[0], (Event{{}, Gaussian{Rational(10)}, 30}));
  EXPECT_EQ(list.events[1], (Event{{}, Laplace{Rational(20)}, 50}));
  EXPECT_EQ(list.events[2], (Event{Poisson{Rational(1, 100), {}}, Gaussian{Rational(1)}, 10000}));
}

// Spec: A-01
TEST(Events, TheCanonicalFormIsStable) {
  EXPECT_EQ(
      canonical_json(parse_events(kExample, "events.yaml")),
      R"({"format":"dither-events","version":1,"neighbours":"add-remove","unit":"record","group":1,"events":[)"
      R"({"mechanism":"gaussian","sigma":10,"sensitivity":1,"times":30},)"
      R"({"mechanism":"laplace","scale":20,"sensitivity":1,"times":50},)"
      R"({"sample":{"poisson":"1/100"},"of":{"mechanism":"gaussian","sigma":1,"sensitivity":1},"times":10000}]})");
}

Rational some_positive() { return Rational(*rc::gen::inRange(1L, 100000L), *rc::gen::inRange(1L, 1000L)); }
std::uint64_t some_count() { return *rc::gen::inRange<std::uint64_t>(1, 1000000); }
Rational some_share() {
  const long denominator = *rc::gen::inRange(2L, 1000L);
  return {*rc::gen::inRange(1L, denominator), denominator};
}

Mechanism some_noise() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return Gaussian{some_positive(), some_positive()};
    case 1:
      return Laplace{some_positive(), some_positive()};
    case 2:
      return DiscreteGaussian{some_positive(), Rational(static_cast<long>(some_count()))};
    default:
      return DiscreteLaplace{some_positive(), Rational(static_cast<long>(some_count()))};
  }
}

Mechanism some_mechanism() {
  switch (*rc::gen::inRange(0, 18)) {
    case 0:
      return RandomisedResponse{some_positive(), 1 + some_count()};
    case 1:
      return Exponential{some_positive()};
    case 2:
      return PermuteAndFlip{some_positive()};
    case 3:
      return NoisyMax{some_positive(), *rc::gen::element(NoisyMax::Noise::laplace, NoisyMax::Noise::gumbel)};
    case 4:
      return SparseVector{some_positive()};
    case 5:
      return Staircase{some_positive(), some_share()};
    case 6:
      return BlackBox{some_positive(), some_share()};
    case 7:
      return Zcdp{some_positive(), some_share()};
    case 8:
      return Renyi{{Rational(3, 2), Rational(2)}, {some_positive(), some_positive()}, some_share()};
    case 9:
      return Gdp{some_positive()};
    case 10:
      return Tree{some_positive(), some_count(), some_positive()};
    case 11:
      return Matrix{some_positive(), some_count(), {Rational(1), some_share()}, some_count(), some_count()};
    case 12:
      return HiddenState{some_positive(), some_positive(), some_positive(), some_positive(), some_count(), 1, true};
    case 13:
      return Shuffle{some_positive(), some_count()};
    case 14: {
      const Rational share = some_share();
      return Mixture{{share, Rational(1) - share}, {some_noise(), some_noise()}};
    }
    case 15:
      return KeyRelease{some_noise(), some_count(), some_positive()};
    case 16:
      return Tuning{some_noise(), some_share(), some_share(), 0};
    default:
      return some_noise();
  }
}

std::optional<Sampler> some_sampler() {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return Poisson{some_share(), {}};
    case 1:
      return Poisson{some_share(), Poisson::Cut{some_count(), some_count()}};
    case 2:
      return WithoutReplacement{1, some_count()};
    case 3:
      return WithReplacement{some_count(), some_count()};
    case 4:
      return ShuffledBatches{some_count()};
    case 5:
      return RandomAllocation{some_count()};
    default:
      return {};
  }
}

// Spec: A-01
RC_GTEST_PROP(Events, EveryListReadsBackEqualAndPrintsTheSameBytes, ()) {
  EventList list{*rc::gen::element(Neighbours::add_remove, Neighbours::replace_one, Neighbours::both),
                 PrivacyUnit{*rc::gen::element<std::string>("person", "a \"quoted\" \\ unit", "Haushalt ä")},
                 some_count(),
                 {}};
  const int size = *rc::gen::inRange(0, 5);
  for (int i = 0; i < size; ++i) list.events.push_back({some_sampler(), some_mechanism(), some_count()});
  for (const Event& event : list.events) RC_ASSERT(event_from_json(canonical_json(event)) == event);
  const std::string text = canonical_json(list);
  const EventList again = parse_events(text, "stored");
  RC_ASSERT(again == list);
  RC_ASSERT(canonical_json(again) == text);
}

std::string refusal(const std::string& events, const std::string& head = "neighbours: add-remove\n") {
  try {
    parse_events(head + "events:\n  - " + events + "\n", "e.yaml");
  } catch (const Error& error) {
    return error.str();
  }
  return "";
}

TEST(Events, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(refusal("{mechanism: gausian, sigma: 1}"),
            "error: unknown-mechanism: e.yaml:3:17: there is no mechanism \"gausian\"\n"
            "hint:  write gaussian; `dither account --list` shows all");
  EXPECT_EQ(refusal("{mechanism: gaussian, sigam: 1}"),
            "error: unknown-key: e.yaml:3:27: \"sigam\" is not a key of an event\nhint:  write sigma");
  EXPECT_NE(refusal("{mechanism: gaussian}").find("missing-key: e.yaml:3:5"), std::string::npos);
  EXPECT_NE(refusal("{mechanism: gaussian, sigma: 1, time: 3}").find("write times"), std::string::npos);
  EXPECT_NE(refusal("{mechanism: gaussian, sigma: -1}").find("bad-scale: e.yaml:3:5"), std::string::npos);
  EXPECT_NE(refusal("{mechanism: gaussian, sigma: 0}").find("bad-scale"), std::string::npos);
  EXPECT_NE(refusal("{mechanism: gaussian, sigma: .inf}").find("bad-syntax"), std::string::npos);
  EXPECT_NE(refusal("{mechanism: gaussian, sigma: 1e-308}").find("out-of-range"), std::string::npos);
  EXPECT_NE(refusal("{mechanism: gaussian, sigma: 1, times: 1000000000001}").find("bad-count"), std::string::npos);
  EXPECT_NE(refusal("{sample: {poisson: 1.5}, of: {mechanism: gaussian, sigma: 1}}").find("bad-probability"),
            std::string::npos);
  EXPECT_NE(refusal("{mechanism: laplace, scale: 1}", "neighbours: bounded\n").find("unknown-neighbours: e.yaml:1:13"),
            std::string::npos);
  EXPECT_NE(refusal("{mechanism: laplace, scale: 1}", "").find("missing-key"), std::string::npos);
}

TEST(Events, OneRelationAndOneSampler) {
  EXPECT_NE(refusal("{mechanism: laplace, scale: 1, neighbours: replace-one}").find("mixed-neighbours: e.yaml:3:48"),
            std::string::npos);
  EXPECT_NE(
      refusal("{sample: {poisson: 0.2, without_replacement: 10, population: 100}, of: {mechanism: laplace, scale: 1}}")
          .find("two samplers"),
      std::string::npos);
  EXPECT_NE(refusal("{mechanism: laplace, scale: 1, weight: 1}").find("unknown-key"), std::string::npos);
}

TEST(Events, AnEmptyListIsAList) {
  EXPECT_TRUE(parse_events("neighbours: both\nevents: []\n", "e.yaml").events.empty());
}

// Every kind of mechanism and sampler, at least once, whatever the random lists hold.
// Spec: A-01
TEST(Events, EveryKindOfEventReadsBackFromItsText) {
  const Inner noise = Mechanism(Laplace{Rational(3)});
  const std::vector<Mechanism> mechanisms{
      Gaussian{Rational(1, 3)},
      DiscreteGaussian{Rational(2)},
      Laplace{Rational(7, 2), Rational(2)},
      DiscreteLaplace{Rational(5)},
      RandomisedResponse{Rational(1), 4},
      Exponential{Rational(1)},
      PermuteAndFlip{Rational(1)},
      NoisyMax{Rational(1), NoisyMax::Noise::exponential},
      SparseVector{Rational(1)},
      Staircase{Rational(1), Rational(1, 2)},
      BlackBox{Rational(1), Rational(1, 100)},
      Zcdp{Rational(1, 2), 0},
      Renyi{{Rational(3, 2), 2}, {1, 2}, 0},
      Gdp{Rational(1)},
      Tree{Rational(1), 8},
      Matrix{Rational(1), 4, {}, 2, 2},
      HiddenState{Rational(1), 1, 1, Rational(1, 2), 9, 3, true, true, false},
      Shuffle{Rational(1), 100},
      Mixture{{Rational(1, 4), Rational(3, 4)}, {noise, Mechanism(Gaussian{Rational(2)})}},
      KeyRelease{noise, 2, Rational(20)},
      Tuning{noise, 1, Rational(1, 10), 0},
      Tuning{noise, 1, 0, 5}};
  std::set<std::size_t> kinds;
  for (const Mechanism& mechanism : mechanisms) {
    const Event event{{}, mechanism, 3};
    EXPECT_EQ(event_from_json(canonical_json(event)), event) << canonical_json(event);
    kinds.insert(mechanism.kind.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Mechanism::Kind>);
  for (const Sampler& sampler : std::vector<Sampler>{
           Poisson{Rational(1, 9), {}}, Poisson{Rational(1, 9), Poisson::Cut{10, 50}}, WithoutReplacement{3, 9},
           WithReplacement{3, 9}, ShuffledBatches{7}, RandomAllocation{7}, AllOrNothing{Rational(1, 2)}}) {
    const Event event{sampler, Gaussian{Rational(1)}, 1};
    EXPECT_EQ(event_from_json(canonical_json(event)), event) << canonical_json(event);
  }
}

// Readers of JSON that keep numbers as doubles would round what lies beyond 2^53.
TEST(Events, LongNumbersAreTexts) {
  for (const char* scale : {"9007199254740992", "9007199254740993", "100000000000000000000000000000001"}) {
    const Event event{{}, Laplace{Rational::parse(scale), 1}, 1};
    const std::string text = canonical_json(event);
    EXPECT_EQ(text.find('"' + std::string(scale) + "/1\"") != std::string::npos, scale[15] != '2') << text;
    EXPECT_EQ(event_from_json(text), event);
    const EventList list{Neighbours::add_remove, {"record"}, 1, {event}};
    EXPECT_EQ(parse_events(canonical_json(list), "list"), list);
  }
}

TEST(Events, OtherTextOfAnEventIsRefused) {
  const auto code = [](const std::string& text) { return dither::testing::refusal([&] { event_from_json(text); }); };
  const std::string good = R"({"mechanism":"laplace","scale":"7/2","sensitivity":1,"times":30})";
  EXPECT_EQ(code(good), std::nullopt);
  for (std::size_t i = 0; i < good.size(); ++i) EXPECT_NE(code(good.substr(0, i)), std::nullopt) << i;
  const char* const wrong[] = {
      R"({"mechanism":"laplace","scale":"7/2","sensitivity":1,"times":30} )",
      R"({"mechanism":"laplace", "scale":"7/2","sensitivity":1,"times":30})",
      R"({"mechanism":"laplace","scale":"14/4","sensitivity":1,"times":30})",
      R"({"mechanism":"laplace","scale":"3.5","sensitivity":1,"times":30})",
      R"({"mechanism":"laplace","scale":"7/2","sensitivity":01,"times":30})",
      R"({"mechanism":"laplace","scale":"7/2","sensitivity":"1","times":30})",
      R"({"mechanism":"laplace","sensitivity":1,"scale":"7/2","times":30})",
      R"({"mechanism":"laplace","scale":"7/2","times":30})",
      R"({"mechanism":"lapalce","scale":"7/2","sensitivity":1,"times":30})",
      R"({"mechanism":"laplace","scale":"7/2","sensitivity":1,"times":-30})",
      R"({"mechanism":"laplace","scale":"7/2","sensitivity":1,"times":99999999999999999999})",
      R"({"mechanism":"noisy-max","epsilon":1,"noise":"gauss","times":1})",
      R"({"mechanism":"tuning","base":{"mechanism":"laplace","scale":1,"sensitivity":1},"shape":1,"stop":0,"runs":0,"times":1})",
      R"({"sample":{"poison":"1/2"},"of":{"mechanism":"gaussian","sigma":1,"sensitivity":1},"times":1})"};
  for (const char* text : wrong) EXPECT_EQ(code(text), Code::bad_syntax) << text;
  EXPECT_EQ(code(R"({"mechanism":"laplace","scale":"x","sensitivity":1,"times":30})"), Code::bad_number);
  EXPECT_EQ(code(R"({"mechanism":"laplace","scale":-1,"sensitivity":1,"times":30})"), Code::bad_scale);
  EXPECT_EQ(code(R"({"mechanism":"laplace","scale":1,"sensitivity":1,"times":1000000000001})"), Code::bad_count);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"mechanism":"tuning","base":)";
  EXPECT_EQ(code(deep), Code::bad_syntax);
}

}  // namespace
}  // namespace dither::accounting
