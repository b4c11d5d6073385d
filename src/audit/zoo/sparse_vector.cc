// The sparse vector technique in the six forms that Lyu, Su and Li compared, and one that answers with numbers (T-51).
// Ten answers, all of which one person may move by 1; epsilon 1/10; at most one answer above the threshold unless noted.
#include "audit/zoo/sparse_vector.h"

namespace dither::audit::zoo {

namespace {

constexpr std::size_t kQueries = 10;

// Five up, five down: what shows comparisons with too little noise.
const Neighbours kCrossing = {{1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}};
// Everything up but the last: the price of many answers below.
const Neighbours kLastBelow = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}};

constexpr std::int64_t kSearch = 400'000;        // runs
constexpr std::int64_t kLongSearch = 2'000'000;  // where the telling event is one of many that look much the same
constexpr std::int64_t kCertify = 16'000'000;

// The scales at epsilon 1/10 with c = 1: epsilon / 2 = 1/20 for the threshold unless noted.
const SparseVector kForms[] = {
    {.threshold_scale = 20, .answer_scale = 40, .threshold = {1, 2}},
    {.threshold_scale = 20,
     .answer_scale = 40},  // draws the threshold anew after an answer above, of which there is one
    {.threshold_scale = 20, .answer_scale = 20, .shows_value = true},
    {.threshold_scale = 40, .answer_scale = {40, 3}},  // epsilon / 4 and 3 epsilon / 4, and no factor two
    {.threshold_scale = 20, .answer_scale = 0, .most_above = kQueries},
    {.threshold_scale = 20, .answer_scale = 20, .most_above = kQueries},
};

// Wang et al.: a third of epsilon each for the threshold, the comparisons and the answers, at most two of those.
const SparseVector kNumerical = {
    .threshold_scale = 30, .answer_scale = 120, .most_above = 2, .shows_value = true, .value_scale = 60};

// `times` as much epsilon as 1/10: a loud form needs few runs to be heard.
Target made(const std::string& name, const SparseVector& form, long times, const std::vector<Neighbours>& pairs) {
  SparseVector louder = form;
  for (Rational* scale : {&louder.threshold_scale, &louder.answer_scale, &louder.value_scale}) *scale /= times;
  return target("zoo." + name + (times > 1 ? ".loud" : ""), Promise::pure(Rational(times, 10)), numbers(kQueries),
                sparse_vector(louder), pairs);
}

template <int kNumber, int kTimes>
Target make() {
  return made("svt-" + std::to_string(kNumber), kForms[kNumber - 1], kTimes, {kNumber >= 5 ? kCrossing : kLastBelow});
}

template <int kTimes>
Target numerical() {
  return made("numerical-svt", kNumerical, kTimes, {kLastBelow});
}

}  // namespace

Mechanism sparse_vector(const SparseVector& form) {
  const Laplace threshold_noise(form.threshold_scale);
  // A scale of nothing is no noise.
  const auto answer_noise = form.answer_scale > 0 ? std::optional(Laplace(form.answer_scale)) : std::nullopt;
  const auto value_noise = form.value_scale > 0 ? std::optional(Laplace(form.value_scale)) : std::nullopt;
  const double threshold = form.threshold.to_double_up();
  return [=](std::span<const double> input, std::span<double> row, random::Source& source) {
    const double noisy_threshold = threshold + threshold_noise.draw(source);
    std::size_t above = 0;
    for (std::size_t i = 0; i < input.size() && above < form.most_above; ++i) {
      const double noisy = input[i] + (answer_noise ? answer_noise->draw(source) : 0);
      const bool is_above = noisy >= noisy_threshold;
      above += is_above ? 1 : 0;
      const double said = !form.shows_value ? 1 : value_noise ? input[i] + value_noise->draw(source) : noisy;
      row[i] = is_above ? said : 0;
    }
  };
}

void add_sparse_vector(std::vector<Entry>& to) {
  // Who catches the quiet form, and who the loud one.
  using Names = std::vector<std::string_view>;
  const auto add = [&](const std::string& name, const std::string& what, Target (*quiet)(), Target (*loud)(),
                       const std::string& twin, std::optional<double> true_epsilon, const Names& by_quiet,
                       const Names& by_loud, std::int64_t search = kSearch, std::int64_t certify = kCertify) {
    const bool finite = true_epsilon && *true_epsilon < kInfinite;
    const bool broken = !by_loud.empty();
    to.push_back({"zoo." + name,
                  what,
                  quiet,
                  broken,
                  "zoo." + twin,
                  true_epsilon,
                  by_quiet,
                  "",
                  {"T-51", "W-69"},
                  search,
                  certify});
    to.push_back({"zoo." + name + ".loud",
                  what + "; epsilon 1",
                  loud,
                  broken,
                  "zoo." + twin + ".loud",
                  finite ? std::optional(10 * *true_epsilon) : true_epsilon,
                  by_loud,
                  "",
                  {"W-69"},
                  50'000,
                  400'000});
  };
  add("svt-1", "half for the threshold, noise 4 c / epsilon on answers", make<1, 1>, make<1, 10>, "svt-4", {}, {}, {});
  add("svt-2", "the same with a fresh threshold after every answer above", make<2, 1>, make<2, 10>, "svt-6", {}, {},
      {});
  add("svt-3", "answers with the noisy number that it compared", make<3, 1>, make<3, 10>, "numerical-svt", kInfinite,
      Names{"stat-dp"}, all_but({"dp-finder", "dp-sniper-bits", "hockey-stick", "renyi", "kernel", "histogram"}),
      kLongSearch, 2 * kCertify);
  add("svt-4", "answers with noise as if they were one", make<4, 1>, make<4, 10>, "svt-1", 0.175, Names{"stat-dp"},
      all_but({"hockey-stick", "renyi", "kernel", "histogram"}), kLongSearch, 2 * kCertify);
  add("svt-5", "no noise on answers", make<5, 1>, make<5, 10>, "svt-1", kInfinite, Names{"dp-sniper", "dp-sniper-mlp"},
      all_but({}));
  add("svt-6", "any number of answers above", make<6, 1>, make<6, 10>, "svt-2", kInfinite,
      Names{"dp-sniper", "dp-sniper-mlp"}, all_but({"kernel"}));
  add("numerical-svt", "fresh noise for the numbers it answers", numerical<1>, numerical<10>, "svt-3", 0.1, {}, {});
}

}  // namespace dither::audit::zoo
