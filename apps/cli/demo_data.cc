#include "cli/demo_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>

#include "cli/output.h"
#include "plan/type.h"

namespace dither::cli {

namespace {

constexpr int kPeople = 60'000;
constexpr int kYear = 2025;
constexpr std::int64_t kFirst = 20'089;  // 2025-01-01, in days since 1970
constexpr int kDays = 365;

// Numbers that look random and are the same everywhere: splitmix64. For made-up data alone, never for noise.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  double fraction() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // from 0 to below 1
  int below(int end) { return static_cast<int>(fraction() * end); }
  bool happens(double probability) { return fraction() < probability; }
  double normal() { return std::sqrt(-2 * std::log(1 - fraction())) * std::cos(2 * std::numbers::pi * fraction()); }
  int poisson(double mean) {  // arrivals of rate 1 until `mean` has passed
    int count = 0;
    for (double left = mean + std::log(1 - fraction()); left > 0; left += std::log(1 - fraction())) ++count;
    return count;
  }
  // The place of a weight, in proportion to it.
  template <class Weights, class Weight>
  std::size_t among(const Weights& all, const Weight& weight) {
    double total = 0;
    for (const auto& one : all) total += weight(one);
    double at = fraction() * total;
    std::size_t place = 0;
    for (; place + 1 < std::size(all); ++place) {
      at -= weight(all[place]);
      if (at < 0) break;
    }
    return place;
  }

 private:
  std::uint64_t state_;
};

struct Region {
  const char* name;
  int population;  // thousands
  const char* kind;
  double illness;  // visits per person, compared with the country
  double prices;   // compared with the country
};
constexpr std::array kRegions = {
    Region{"Amberley", 910, "city", 1.05, 1.24},      Region{"Brackwater", 640, "coast", 0.95, 0.97},
    Region{"Coldharbour", 270, "coast", 1.18, 0.9},   Region{"Dunmere", 380, "country", 0.92, 0.88},
    Region{"Eastholm", 720, "city", 1.0, 1.12},       Region{"Fenwick", 450, "country", 1.1, 0.93},
    Region{"Glenrock", 190, "mountains", 0.78, 0.99}, Region{"Highmoor", 230, "mountains", 0.84, 0.95},
};

struct Drug {
  const char* code;
  const char* name;
  const char* group;
  double use;     // how often, compared with the others
  double price;   // of a visit that ends with it, in the middle
  double winter;  // how much more often in winter
};
constexpr std::array kDrugs = {
    Drug{"A01", "calmeron", "pain", 14, 24, 0.1},     Drug{"A02", "dolexin", "pain", 9, 31, 0.1},
    Drug{"B01", "corvadil", "heart", 10, 68, 0.1},    Drug{"B02", "tensira", "heart", 12, 54, 0.05},
    Drug{"B03", "lipovane", "heart", 7, 61, 0.0},     Drug{"C01", "glucobal", "diabetes", 8, 83, 0.0},
    Drug{"C02", "insulore", "diabetes", 5, 142, 0.0}, Drug{"D01", "bronchial", "lungs", 7, 72, 0.6},
    Drug{"D02", "aerolund", "lungs", 5, 96, 0.5},     Drug{"E01", "penicort", "infection", 11, 38, 0.9},
    Drug{"E02", "virastop", "infection", 6, 57, 1.0}, Drug{"F01", "serenol", "mind", 6, 78, 0.2},
    Drug{"F02", "luminal-b", "mind", 4, 91, 0.3},     Drug{"G01", "dermacool", "skin", 5, 29, -0.3},
    Drug{"Z00", "no drug", "none", 16, 35, 0.1},
};

struct Person {
  std::size_t region;
  int birth_year;
  char sex;
  double frailty;  // visits a year
};

Person born(Dice& dice) {
  Person person{};
  person.region = dice.among(kRegions, [](const Region& one) { return one.population; });
  const int age = static_cast<int>(std::min(99.0, std::abs(41 + 23 * dice.normal())));
  person.birth_year = kYear - age;
  person.sex = dice.happens(0.507) ? 'f' : 'm';
  const double by_age = age < 5 ? 4.5 : 1.6 + 0.045 * age + (age > 70 ? 1.5 : 0);
  person.frailty = by_age * kRegions[person.region].illness * std::exp(0.4 * dice.normal() - 0.6);
  return person;
}

// 1 at midwinter, -1 at midsummer.
double winter(int day) { return std::cos(2 * std::numbers::pi * (day - 20) / kDays); }

// Fewer visits in summer, and few at weekends.
int visit_day(Dice& dice) {
  for (;;) {
    const int day = dice.below(kDays);
    const bool weekend = (kFirst + day + 3) % 7 >= 5;  // day 0 of 1970 was a Thursday
    if (dice.happens((1 + 0.3 * winter(day)) / 1.3 * (weekend ? 0.25 : 1))) return day;
  }
}

// What a clerk may type instead.
std::string typed_cost(double cost, Dice& dice) {
  if (dice.happens(0.0008)) return "n/a";
  if (dice.happens(0.0004)) return fmt::format("-{:.2f}", cost);
  return fmt::format("{:.2f}", cost);
}

void add_visit(int id, const Person& person, Dice& dice, std::string& lines) {
  const int day = visit_day(dice);
  const std::size_t place = dice.happens(0.07) ? static_cast<std::size_t>(dice.below(kRegions.size())) : person.region;
  const Region& region = kRegions[place];
  const Drug& drug =
      kDrugs[dice.among(kDrugs, [&](const Drug& one) { return one.use * (1 + one.winter * winter(day)); })];
  const double cost = drug.price * region.prices * std::exp(0.7 * dice.normal() + (dice.happens(0.02) ? 2.2 : 0));
  const int minutes = 4 + static_cast<int>(9 * std::exp(0.5 * dice.normal()));
  fmt::format_to(std::back_inserter(lines), "{},{},{},{},{},{}\n", dice.happens(0.0006) ? "" : std::to_string(id),
                 plan::date_text(kFirst + day), dice.happens(0.001) ? "unknown" : region.name, drug.code,
                 typed_cost(cost, dice), dice.happens(0.0003) ? 6000 : minutes);
}

}  // namespace

void write_demo_data(const std::string& folder) {
  Dice dice(8);
  std::string people = "person,region,birth_year,sex\n", visits = "person,day,region,drug,cost,minutes\n";
  for (int i = 0; i < kPeople; ++i) {
    const int id = 100'000 + i;
    const Person person = born(dice);
    fmt::format_to(std::back_inserter(people), "{},{},{},{}\n", id, kRegions[person.region].name, person.birth_year,
                   person.sex);
    for (int left = dice.poisson(person.frailty); left > 0; --left) add_visit(id, person, dice, visits);
  }
  std::string drugs = "code,name,class\n", regions = "region,population,kind\n";
  for (const Drug& drug : kDrugs) drugs += fmt::format("{},{},{}\n", drug.code, drug.name, drug.group);
  for (const Region& region : kRegions) {
    regions += fmt::format("{},{},{}\n", region.name, 1000 * region.population, region.kind);
  }
  write_answer(folder + "/people.csv", people, "the file");
  write_answer(folder + "/visits.csv", visits, "the file");
  write_answer(folder + "/drugs.csv", drugs, "the file");
  write_answer(folder + "/regions.csv", regions, "the file");
}

}  // namespace dither::cli
