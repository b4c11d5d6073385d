// The pages of the errors that steps give show what is really printed.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "calculus/calculus.h"
#include "calculus/queryable.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/truncated_geometric.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

std::string page(const std::string& code) {
  std::ostringstream text;
  text << std::ifstream(DITHER_SOURCE_DIR "/docs/errors/" + code + ".md").rdbuf();
  return text.str();
}

// Nothing when the page of the error shows it, else what it should show.
std::string missing(const std::function<void()>& mistake) {
  try {
    mistake();
  } catch (const Error& error) {
    const std::string code(code_name(error.code()));
    const std::string shown = "    error: " + code + ": " + error.what() + "\n    hint:  " + error.hint() + "\n";
    return page(code).find(shown) != std::string::npos ? "" : shown;
  }
  return "no error";
}

void ask_a_closed_view() {
  const TableDomain people{{{"unit", CellType::integer}}};
  const accounting::FilterRule rule = accounting::PureRule{accounting::LossAmount::up(1)};
  const Queryable data =
      Queryable::with_filter(Private(Table{}), {people, {MetricKind::symmetric}, 1}, rule, Interleaving::sequential);
  data.freeze();
  random::Source source = testing::seeded_source(1);
  data.ask(chain(make_count(people, {MetricKind::symmetric}), make_discrete_laplace({}, 1).any()), source);
}

TEST(ErrorPages, StepsPrintWhatThePagesShow) {
  const TableDomain people{{{"unit", CellType::integer}, {"city", CellType::text}}};
  const AnyTransformation count = make_count(people, {MetricKind::symmetric});
  EXPECT_EQ(missing([] { bounds(10, 0); }), "");
  EXPECT_EQ(missing([&] { count.map(Rational(-1)); }), "");
  EXPECT_EQ(missing([&] { make_keep_keys(people, {MetricKind::units_added}, 0); }), "");
  EXPECT_EQ(missing(ask_a_closed_view), "");
  EXPECT_EQ(missing([&] { chain(count, make_truncated_geometric({.bounds = bounds(0, 10)}, 1).any()); }), "");
  EXPECT_EQ(missing([&] { chain(count, make_gaussian({}, 1).any()); }), "");
  EXPECT_EQ(missing([] { measure_from("epsilon"); }), "");
  EXPECT_EQ(missing([] { metric_from("l3"); }), "");
  EXPECT_EQ(missing([] { metric_from("l4"); }).substr(0, 27), "    error: unknown-metric: ");  // no page shows this one
}

}  // namespace
}  // namespace dither::mechanisms
