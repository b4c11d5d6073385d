// Questions that follow answers: an analyst who asks as long as somebody answers.
#include "accounting/odometer.h"
#include "audit/attacks/counts.h"
#include "calculus/adaptive.h"
#include "calculus/agents.h"
#include "calculus/parts.h"
#include "calculus/queryable.h"
#include "random/source.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: measurements, metrics and numbers
using namespace counts;    // NOLINT
using accounting::LossAmount;

namespace {

Place place() { return {rows(), {MetricKind::symmetric}, Rational(1)}; }
accounting::PureRule rule(const Rational& epsilon) { return {LossAmount::down(epsilon)}; }

// Two questions of one price: all rows, and those from 3 on. Which is next follows the answer before.
struct Questions {
  explicit Questions(const Rational& epsilon) : all(count(epsilon)), high(count_from(3, epsilon)) {}
  const AnyMeasurement& after(const Data& answer) const { return first(answer) % 2 == 0 ? all : high; }

  AnyMeasurement all, high;
};

Data together(std::vector<Data> answers) {
  Answers all;
  for (Data& one : answers) all.parts.push_back({std::move(one)});
  return all;
}

// Asks until it is refused, ten times at most.
Data ask_all(const Queryable& view, const Questions& ask, random::Source& source) {
  std::vector<Data> answers{view.ask(ask.all, source).value()};
  try {
    while (answers.size() < 10) answers.push_back(view.ask(ask.after(answers.back()), source).value());
  } catch (const Error&) {  // over budget: known beforehand, so it says nothing
  }
  return together(std::move(answers));
}

void add(Attacks& attacks, const std::string& claim, const std::string& what, const Promise& promise,
         std::function<Data(const Private&, random::Source&)> ask) {
  add_view(attacks, {claim, what, "dp-sniper", 40.0, [promise, ask = std::move(ask)] {
                       return View{"", promise, one_more(), ask};
                     }});
}

void add_trees(Attacks& attacks) {
  const Questions halves(Rational(1, 2));
  const Questions quarters(Rational(1, 4));
  add(attacks, "queryable", "questions until the budget is spent", Promise::pure(1),
      [halves](const Private& data, random::Source& source) {
        return ask_all(Queryable::with_filter(data, place(), rule(1), Interleaving::sequential), halves, source);
      });
  const auto split = make_partition_by_key(rows(), {MetricKind::symmetric}, "x", {Cell(std::int64_t{5})}, true);
  add(attacks, "queryable", "both parts of a split, each until the budget is spent", Promise::pure(1),
      [halves, split](const Private& data, random::Source& source) {
        const auto root = Queryable::with_filter(data, place(), rule(1), Interleaving::concurrent);
        const std::vector<Queryable> parts = root.split(split);
        return together({ask_all(parts[0], halves, source), ask_all(parts[1], halves, source)});
      });
  add(attacks, "agents", "two who share a budget", Promise::pure(1),
      [quarters](const Private& data, random::Source& source) {
        Agents agents(Queryable::with_filter(data, place(), rule(1), Interleaving::concurrent));
        agents.add("anna", rule(Rational(3, 4)));
        agents.add("bob", rule(Rational(3, 4)));
        return together({ask_all(agents.of("anna"), quarters, source), ask_all(agents.of("bob"), quarters, source)});
      });
}

// The other kinds of charges: until two is shown. What is shown follows from the charges alone, and so is public.
void add_odometers(Attacks& attacks) {
  struct Kind {
    Measure counted;
    AnyMeasurement question;
  };
  const auto slack = accounting::DeltaAmount::up(Rational(1, 20));
  const accounting::Odometer start(accounting::SquareAmount::up(Rational(1, 4)), slack, {});
  for (const Kind& kind : {Kind{Measure::approximate(), count(Rational(1, 2))},
                           Kind{Measure::concentrated(), gaussian_count(2, Measure::concentrated())},
                           Kind{Measure::gaussian(), gaussian_count(2, Measure::gaussian())}}) {
    const auto ask = [kind, start](const Private& data, random::Source& source) {
      const auto view = Queryable::with_odometer(data, place(), start, kind.counted);
      std::vector<Data> answers;
      while (view.reading().epsilon < 2) answers.push_back(view.ask(kind.question, source).value());
      return std::pair{together(std::move(answers)), view.reading()};
    };
    add_view(attacks,
             {"odometer", std::string(kind.counted.name()) + ", until it shows epsilon 2", "dp-sniper", 40.0, [ask] {
                const auto shown = ask(Private(table({})), random::Source::this_thread()).second;
                return View{"", Promise::approximate(Rational::from_double(shown.epsilon), shown.delta.value()),
                            one_more(),
                            [ask](const Private& data, random::Source& source) { return ask(data, source).first; }};
              }});
  }
}

}  // namespace

void add_interactive_attacks(Attacks& attacks) {
  add_trees(attacks);
  const Questions halves(Rational(1, 2));
  add(attacks, "odometer", "until it shows epsilon 1", Promise::pure(1),
      [halves](const Private& data, random::Source& source) {
        const auto view = Queryable::with_odometer(data, place(), accounting::PureOdometer{});
        std::vector<Data> answers{view.ask(halves.all, source).value()};
        while (view.reading().epsilon < 1) answers.push_back(view.ask(halves.after(answers.back()), source).value());
        return together(std::move(answers));
      });
  add_odometers(attacks);
  add(attacks, "adaptive-composition", "two places of a list", Promise::pure(1),
      [large = count(Rational(3, 4)), small = Questions(Rational(1, 4))](const Private& data, random::Source& source) {
        AdaptiveComposition list(data, place(), Measure::pure(), {pure(Rational(3, 4)), pure(Rational(1, 4))});
        std::vector<Data> answers{list.ask(large, source).value()};
        answers.push_back(list.ask(small.after(answers[0]), source).value());
        return together(std::move(answers));
      });
}

}  // namespace dither::audit
