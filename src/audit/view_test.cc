// Errors are answers: where asking fails for some data alone, that is what a tester bets on.
#include "audit/view.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "audit/attacks/views.h"
#include "audit/tester.h"
#include "base/error.h"
#include "mechanisms/discrete_laplace.h"
#include "random/source.h"
#include "testing/calculus_access.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

using calculus::Data;
using calculus::Integers;
using calculus::Private;

// A count of 0 or 1 at epsilon 1, or what happens instead.
using Ask = decltype(View::ask);
View count_or(const std::function<Ask(const Ask& right)>& instead) {
  View view = view_of("a count", mechanisms::make_discrete_laplace({1}, 1).any(), Rational(1), {numbers({0}, {1})});
  view.ask = instead(view.ask);
  return view;
}
Int128 number_in(const Private& data) { return calculus::as<Integers>(testing::look(data)).at(0); }
[[noreturn]] void fail(const std::string& why) { throw Error{Code::run_failed, why, "ask again"}; }

// False alarm 1e-7. What happens always on one side and never on the other is found with certainty in so many runs.
Report attacked(const View& view) {
  return stat_dp(target_of(view),
                 {.search = 1000, .certify = 1000, .looks = 1, .false_alarm = 1e-7, .seed = testing::run_seed()});
}

// An answer that is not there tells as much.
// Spec: T-48
TEST(View, PlantedErrorOnOneTableAloneIsCaught) {
  const Report report = attacked(count_or([](const Ask& right) -> Ask {
    return [right](const Private& data, random::Source& source) {
      if (number_in(data) == 1) fail("there is a row");
      return right(data, source);
    };
  }));
  EXPECT_EQ(report.verdict, Verdict::violated);
}

// Where every question fails, the error is all there is.
// Spec: T-48
TEST(View, PlantedErrorOfAnotherCodeIsCaught) {
  const Report report = attacked(count_or([](const Ask&) -> Ask {
    return [](const Private& data, random::Source&) -> Data {
      throw Error{number_in(data) == 1 ? Code::run_failed : Code::over_budget, "no answer", "ask again"};
    };
  }));
  EXPECT_EQ(report.verdict, Verdict::violated);
  EXPECT_NE(report.witness.value().event.find("no answer"), std::string::npos) << report.witness->event;
}

// People see the text as well as the code.
TEST(View, PlantedErrorThatSaysANumberIsCaught) {
  const Report report = attacked(count_or([](const Ask&) -> Ask {
    return [](const Private& data, random::Source&) -> Data { fail("rows: " + to_string(number_in(data))); };
  }));
  EXPECT_EQ(report.verdict, Verdict::violated);
  EXPECT_NE(report.witness.value().event.find("rows: "), std::string::npos) << report.witness->event;
}

// The twin: as often on both sides.
TEST(View, ErrorsByACoinAreNoViolation) {
  const Report report = attacked(count_or([](const Ask& right) -> Ask {
    return [right](const Private& data, random::Source& source) {
      if (source.bits(1) == 0) fail("tails");
      return right(data, source);
    };
  }));
  EXPECT_EQ(report.verdict, Verdict::none_found);
}

}  // namespace
}  // namespace dither::audit
