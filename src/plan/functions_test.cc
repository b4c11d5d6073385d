#include "plan/functions.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <set>

#include "base/error.h"
#include "plan/detail/rules.h"
#include "plan/facts_check.h"

namespace dither::plan {
namespace {

Expression whole(std::int64_t value) { return constant({Type::integer, value}); }
Expression real(double value) { return constant({Type::real, value}); }
Expression text(std::string value) { return constant({Type::text, std::move(value)}); }
Expression truth(bool value) { return constant({Type::boolean, value}); }
Expression null() { return constant({Type::text, {}}); }
Expression date(const char* written) { return resolve("cast date", {text(written)}); }
Expression moment(const char* written) { return resolve("cast timestamp", {text(written)}); }

// What a call of constants gives, as text.
std::string value(std::string_view name, std::vector<Expression> arguments) {
  const Expression result = resolve(name, std::move(arguments));
  return str(std::get<Constant>(result.content()));
}

Error refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was refused";
  return {Code::bad_argument, "", ""};
}

TEST(Functions, AreManyAndNamedOnce) {
  EXPECT_GE(count_names(), 100U);
  std::set<std::string_view> names;
  for (const Function& function : all_functions()) {
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
    EXPECT_EQ(&function_named(function.name), &function);
    EXPECT_FALSE(function.does.empty() || function.usage.empty() || function.takes.empty()) << function.name;
    EXPECT_LE(function.constants, function.takes.size());
  }
}

TEST(Functions, SpellingsNameTheirArguments) {
  for (const Function& function : all_functions()) {
    EXPECT_FALSE(function.spelling.duckdb.empty()) << function.name;  // the engine that is always there
    for (const std::string_view form :
         {function.spelling.duckdb, function.spelling.postgresql, function.spelling.spark}) {
      std::set<char> named;
      bool all = false;
      for (std::size_t at = form.find('$'); at != std::string_view::npos; at = form.find('$', at + 1)) {
        if (form[at + 1] >= '1' && form[at + 1] <= '9') named.insert(form[at + 1]);
        all = all || form[at + 1] == '*' || form[at + 1] == '[';
      }
      EXPECT_EQ(std::count(form.begin(), form.end(), '('), std::count(form.begin(), form.end(), ')')) << form;
      if (form.empty() || all) continue;
      for (std::size_t i = 0; i < function.takes.size(); ++i) {
        EXPECT_TRUE(named.count(static_cast<char>('1' + i)) != 0) << function.name << ": " << form;
      }
      EXPECT_EQ(named.size(), function.takes.size()) << function.name << ": " << form;
    }
  }
}

TEST(Logic, HasThreeValues) {
  const std::vector<Expression> three = {truth(true), truth(false), null()};
  const char* and_table[3][3] = {{"true", "false", "NULL"}, {"false", "false", "false"}, {"NULL", "false", "NULL"}};
  const char* or_table[3][3] = {{"true", "true", "true"}, {"true", "false", "NULL"}, {"true", "NULL", "NULL"}};
  const char* not_table[3] = {"false", "true", "NULL"};
  const auto cell = [](const Expression& e) { return std::get<Constant>(e.content()).value; };
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(value("not", {three[i]}), not_table[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(value("and", {three[i], three[j]}), and_table[i][j]);
      EXPECT_EQ(value("or", {three[i], three[j]}), or_table[i][j]);
      // Without the short cuts of constants.
      const Cells both = {cell(three[i]), cell(three[j])};
      EXPECT_EQ(str({Type::boolean, value_of_call(function_named("and"), both)}), and_table[i][j]);
      EXPECT_EQ(str({Type::boolean, value_of_call(function_named("or"), both)}), or_table[i][j]);
    }
  }
  EXPECT_EQ(value("is true", {null()}), "false");
  EXPECT_EQ(value("is not true", {null()}), "true");
  EXPECT_EQ(value("is null", {null()}), "true");
  EXPECT_EQ(value("in", {whole(1), whole(2), null()}), "NULL");
  EXPECT_EQ(value("in", {whole(1), whole(1), null()}), "true");
  EXPECT_EQ(value("not in", {whole(1), whole(2), null()}), "NULL");
}

TEST(Comparisons, OrderNanAboveAllAndTextsByBytes) {
  const auto less = [](double a, double b) { return detail::order(a, b) < 0; };
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(less(inf, nan));
  EXPECT_FALSE(less(nan, inf) || less(nan, nan) || less(-0.0, 0.0));
  EXPECT_TRUE(detail::order(nan, nan) == 0);
  EXPECT_EQ(value("<", {text("Z"), text("a")}), "true");
  EXPECT_EQ(value("<", {text("z"), text("\xc3\xbc")}), "true");
  EXPECT_EQ(value("is distinct from", {null(), whole(1)}), "true");
  EXPECT_EQ(value("is not distinct from", {null(), null()}), "true");
  EXPECT_EQ(value("=", {whole(1), real(1)}), "true");
  EXPECT_EQ(value("<", {date("2024-01-01"), moment("2024-01-01 00:00:01")}), "true");
  EXPECT_EQ(value("<", {text("2024-01-02"), date("2024-01-10")}), "true");  // a constant text beside a date is a date
}

TEST(Choices, SkipNulls) {
  EXPECT_EQ(value("coalesce", {null(), whole(2), whole(3)}), "2");
  EXPECT_EQ(value("greatest", {whole(2), null(), whole(3)}), "3");
  EXPECT_EQ(value("least", {whole(2), null(), real(3)}), "2.0");
  EXPECT_EQ(value("nullif", {whole(2), whole(2)}), "NULL");
  EXPECT_EQ(value("case", {null(), whole(1), whole(2)}), "2");
}

TEST(Arithmetic, OfIntegersIsPostgresqlsAndNeverOverflows) {
  EXPECT_EQ(value("/", {whole(7), whole(2)}), "3");
  EXPECT_EQ(value("/", {whole(-7), whole(2)}), "-3");
  EXPECT_EQ(value("%", {whole(-7), whole(2)}), "-1");
  EXPECT_EQ(value("/", {whole(1), whole(0)}), "NULL");
  EXPECT_EQ(value("%", {whole(1), whole(0)}), "NULL");
  EXPECT_EQ(value("+", {whole(INT64_MAX), whole(1)}), "NULL");
  EXPECT_EQ(value("-", {whole(INT64_MIN), whole(1)}), "NULL");
  EXPECT_EQ(value("*", {whole(INT64_MIN), whole(-1)}), "NULL");
  EXPECT_EQ(value("/", {whole(INT64_MIN), whole(-1)}), "NULL");
  EXPECT_EQ(value("%", {whole(INT64_MIN), whole(-1)}), "0");
  EXPECT_EQ(value("neg", {whole(INT64_MIN)}), "NULL");
  EXPECT_EQ(value("abs", {whole(INT64_MIN)}), "NULL");
}

TEST(Arithmetic, OfRealsIsNullWhereItIsNotFinite) {
  EXPECT_EQ(value("+", {real(0.1), real(0.2)}), "0.30000000000000004");
  EXPECT_EQ(value("*", {real(1e308), real(10)}), "NULL");
  EXPECT_EQ(value("/", {real(1), real(0)}), "NULL");
  EXPECT_EQ(value("/", {real(1), whole(4)}), "0.25");
  EXPECT_EQ(value("sqrt", {real(-1)}), "NULL");
  EXPECT_EQ(value("ln", {real(0)}), "NULL");
  EXPECT_EQ(value("power", {real(0), real(-1)}), "NULL");
  EXPECT_EQ(value("exp", {real(1000)}), "NULL");
  EXPECT_EQ(value("asin", {real(1.5)}), "NULL");
  EXPECT_EQ(value("power", {whole(2), whole(10)}), "1024.0");
  EXPECT_EQ(value("log2", {real(8)}), "3.0");
}

TEST(Rounding, IsHalfToEven) {
  EXPECT_EQ(value("round", {real(2.5)}), "2.0");
  EXPECT_EQ(value("round", {real(-3.5)}), "-4.0");
  EXPECT_EQ(value("round", {real(-0.4)}), "0.0");
  EXPECT_EQ(value("round", {real(2.345), whole(1)}), "2.3");
  EXPECT_EQ(value("round", {real(0.125), whole(2)}), "0.12");
  EXPECT_EQ(value("round", {real(1250), whole(-2)}), "1200.0");
  EXPECT_EQ(value("round", {real(1e301), whole(-2)}), "1e+301");
  EXPECT_EQ(value("round", {real(1), whole(23)}), "NULL");
  EXPECT_EQ(value("trunc", {real(-2.7)}), "-2.0");
  EXPECT_EQ(value("floor", {real(-2.1)}), "-3.0");
  EXPECT_EQ(value("ceiling", {real(-2.9)}), "-2.0");
}

TEST(Buckets, CutWhereTheySay) {
  const auto bucket = [](double x) { return value("width_bucket", {real(x), real(0), real(10), whole(5)}); };
  EXPECT_EQ(bucket(-0.1), "0");
  EXPECT_EQ(bucket(0), "1");
  EXPECT_EQ(bucket(1.999), "1");
  EXPECT_EQ(bucket(2), "2");
  EXPECT_EQ(bucket(9.999999999999999), "5");
  EXPECT_EQ(bucket(10), "6");
  EXPECT_EQ(value("width_bucket", {real(1), real(10), real(0), whole(5)}), "NULL");
  EXPECT_EQ(value("bin", {whole(-1), whole(10)}), "-10");
  EXPECT_EQ(value("bin", {whole(INT64_MIN), whole(10)}), "NULL");
  EXPECT_EQ(value("bin", {real(7.9), real(2.5)}), "7.5");
  EXPECT_EQ(value("clamp", {whole(7), whole(0), whole(5)}), "5");
  EXPECT_EQ(value("clamp", {whole(7), whole(5), whole(0)}), "NULL");
  EXPECT_EQ(value("clamp", {date("2030-01-01"), date("2020-01-01"), date("2024-12-31")}), "DATE '2024-12-31'");
}

TEST(Texts, CountCharacters) {
  const Expression city = text("Z\xc3\xbcrich");
  EXPECT_EQ(value("length", {city}), "6");
  EXPECT_EQ(value("octet_length", {city}), "7");
  EXPECT_EQ(value("upper", {city}), "'Z\xc3\xbcRICH'");  // only a to z
  EXPECT_EQ(value("substring", {city, whole(2), whole(2)}), "'\xc3\xbcr'");
  EXPECT_EQ(value("substring", {city, whole(-1), whole(3)}), "'Z'");  // positions -1, 0, 1
  EXPECT_EQ(value("substr", {city, whole(5)}), "'ch'");
  EXPECT_EQ(value("left", {city, whole(2)}), "'Z\xc3\xbc'");
  EXPECT_EQ(value("right", {city, whole(5)}), "'\xc3\xbcrich'");
  EXPECT_EQ(value("strpos", {city, text("r")}), "3");
  EXPECT_EQ(value("strpos", {city, text("")}), "1");
  EXPECT_EQ(value("strpos", {city, text("x")}), "0");
  EXPECT_EQ(value("trim", {text("  a b ")}), "'a b'");
  EXPECT_EQ(value("rtrim", {text("\xc3\xbcx\xc3\xbc"), text("\xc3\xbc")}), "'\xc3\xbcx'");
  EXPECT_EQ(value("split_part", {text("a-b-c"), text("-"), whole(2)}), "'b'");
  EXPECT_EQ(value("split_part", {text("a-b-c"), text("-"), whole(4)}), "''");
  EXPECT_EQ(value("lpad", {text("7"), whole(3), text("01")}), "'017'");
  EXPECT_EQ(value("rpad", {city, whole(2), text("x")}), "'Z\xc3\xbc'");
  EXPECT_EQ(value("replace", {text("aXbX"), text("X"), text("--")}), "'a--b--'");
  EXPECT_EQ(value("concat", {text("a"), null(), text("b")}), "'ab'");
  EXPECT_EQ(value("||", {text("a"), null()}), "NULL");
  EXPECT_EQ(value("ends_with", {city, text("ich")}), "true");
}

TEST(Texts, AreNullBeyondTheLimit) {
  const Expression full = text(std::string(kLongestText, 'x'));
  EXPECT_NE(value("||", {full, text("")}), "NULL");
  EXPECT_EQ(value("||", {full, text("y")}), "NULL");
  EXPECT_EQ(value("concat", {full, text("y")}), "NULL");
  EXPECT_EQ(value("repeat", {text("ab"), whole(32769)}), "NULL");
  EXPECT_EQ(value("repeat", {text("ab"), whole(INT64_MAX)}), "NULL");
  EXPECT_EQ(value("repeat", {text(""), whole(INT64_MAX)}), "''");
  EXPECT_EQ(value("lpad", {text("ab"), whole(65537), text("x")}), "NULL");
  EXPECT_EQ(value("lpad", {text("ab"), whole(65536), text("\xc3\xbc")}), "NULL");  // characters of two bytes
  EXPECT_EQ(value("replace", {full, text("x"), text("xx")}), "NULL");
}

TEST(Patterns, MatchAsPostgresqlDoes) {
  const auto like = [](const char* subject, const char* pattern) {
    return value("like", {text(subject), text(pattern)}) == "true";
  };
  EXPECT_TRUE(like("", ""));
  EXPECT_TRUE(like("", "%"));
  EXPECT_FALSE(like("", "_"));
  EXPECT_TRUE(like("abcabd", "%abd"));
  EXPECT_TRUE(like("abcabd", "a%b%d"));
  EXPECT_FALSE(like("abcabd", "a%e"));
  EXPECT_TRUE(like("Z\xc3\xbcrich", "Z_rich"));
  EXPECT_TRUE(like("100%", "100\\%"));
  EXPECT_FALSE(like("1000", "100\\%"));
  EXPECT_TRUE(like("a", "\\a"));
  EXPECT_EQ(value("ilike", {text("ABC"), text("a%")}), "true");
  const Expression t = column(0, Type::text);
  EXPECT_EQ(resolve("like", {t, text("\\a\\%")}), resolve("like", {t, text("a\\%")}));
  EXPECT_EQ(refusal([&] { resolve("like", {t, text("a\\")}); }).code(), Code::wrong_type);
  EXPECT_EQ(refusal([&] { resolve("like", {t, t}); }).code(), Code::wrong_type);
  // The worst case is text times pattern, not exponential.
  EXPECT_FALSE(like(std::string(3000, 'a').c_str(), "%a%a%a%a%a%a%a%a%a%a%a%b"));
}

// The meaning of a pattern, letter by letter.
bool fits_slowly(std::string_view all, std::string_view pattern) {
  if (pattern.empty()) return all.empty();
  if (pattern[0] == '%') {
    return fits_slowly(all, pattern.substr(1)) || (!all.empty() && fits_slowly(all.substr(1), pattern));
  }
  const bool escaped = pattern[0] == '\\';
  if (escaped) pattern.remove_prefix(1);
  if (all.empty() || ((escaped || pattern[0] != '_') && all[0] != pattern[0])) return false;
  return fits_slowly(all.substr(1), pattern.substr(1));
}

TEST(Patterns, MeanTheSameLetterByLetter) {
  std::mt19937 random(3);
  for (int n = 0; n < 20'000; ++n) {
    std::string all, pattern;
    for (std::size_t i = random() % 8; i > 0; --i) all += "ab%"[random() % 3];
    for (std::size_t i = random() % 7; i > 0; --i) {
      const std::string_view parts[] = {"a", "b", "%", "%", "_", "\\%"};
      pattern += parts[random() % 6];
    }
    ASSERT_EQ(value("like", {text(all.c_str()), text(pattern.c_str())}), fits_slowly(all, pattern) ? "true" : "false")
        << all << " LIKE " << pattern;
  }
}

// Every place of `part` in texts of two letters, also where it overlaps itself.
TEST(Texts, SearchesFindWhatIsThere) {
  std::mt19937 random(4);
  for (int n = 0; n < 5000; ++n) {
    std::string all, part;
    for (std::size_t i = random() % 40; i > 0; --i) all += "ab"[random() % 2];
    for (std::size_t i = random() % 6; i > 0; --i) part += "ab"[random() % 2];
    const std::size_t at = all.find(part);
    ASSERT_EQ(value("strpos", {text(all.c_str()), text(part.c_str())}), std::to_string(at == all.npos ? 0 : at + 1));
    ASSERT_EQ(value("contains", {text(all.c_str()), text(part.c_str())}), at == all.npos ? "false" : "true");
  }
}

TEST(Casts, GiveNullForWhatCannotBeRead) {
  EXPECT_EQ(value("cast integer", {text("-12")}), "-12");
  EXPECT_EQ(value("cast integer", {text(" 12")}), "NULL");
  EXPECT_EQ(value("cast integer", {text("9223372036854775808")}), "NULL");
  EXPECT_EQ(value("cast integer", {text("-9223372036854775808")}), "-9223372036854775808");
  EXPECT_EQ(value("cast integer", {real(2.5)}), "2");
  EXPECT_EQ(value("cast integer", {real(9.3e18)}), "NULL");
  EXPECT_EQ(value("cast real", {text("1.5e3")}), "1500.0");
  EXPECT_EQ(value("cast real", {text(".5")}), "0.5");
  EXPECT_EQ(value("cast real", {text("1e999")}), "NULL");
  EXPECT_EQ(value("cast real", {text("NaN")}), "NULL");
  EXPECT_EQ(value("cast real", {text("0x10")}), "NULL");
  EXPECT_EQ(value("cast real", {text(".")}), "NULL");
  EXPECT_EQ(value("cast boolean", {text("T")}), "true");
  EXPECT_EQ(value("cast boolean", {text("yes")}), "NULL");
  EXPECT_EQ(value("cast date", {text("2023-02-29")}), "NULL");
  EXPECT_EQ(value("cast date", {moment("1969-12-31 23:59:59.999999")}), "DATE '1969-12-31'");
  EXPECT_EQ(value("cast text", {date("2024-02-29")}), "'2024-02-29'");
  EXPECT_EQ(resolve("cast integer", {column(0, Type::integer)}), column(0, Type::integer));
}

TEST(Dates, HaveParts) {
  const Expression leap = date("2024-02-29");
  EXPECT_EQ(value("extract year", {leap}), "2024");
  EXPECT_EQ(value("extract quarter", {leap}), "1");
  EXPECT_EQ(value("extract doy", {leap}), "60");
  EXPECT_EQ(value("extract dow", {leap}), "4");  // a Thursday
  EXPECT_EQ(value("extract dow", {date("2024-03-03")}), "0");
  EXPECT_EQ(value("extract isodow", {date("2024-03-03")}), "7");
  EXPECT_EQ(value("extract week", {date("2021-01-03")}), "53");
  EXPECT_EQ(value("extract isoyear", {date("2021-01-03")}), "2020");
  EXPECT_EQ(value("extract century", {date("2000-12-31")}), "20");
  EXPECT_EQ(value("extract epoch", {date("1969-12-31")}), "-86400");
  EXPECT_EQ(value("extract epoch", {moment("1969-12-31 23:59:59.5")}), "-1");
  EXPECT_EQ(value("extract second", {moment("1969-12-31 23:59:59.5")}), "59");
  EXPECT_EQ(value("extract hour", {moment("0001-01-01 07:00:00")}), "7");
  EXPECT_EQ(value("date_part", {text("Month"), leap}), "2");
}

TEST(Dates, AreCutToUnits) {
  EXPECT_EQ(value("date_trunc", {text("month"), date("2024-02-29")}), "DATE '2024-02-01'");
  EXPECT_EQ(value("date_trunc", {text("week"), date("2024-03-03")}), "DATE '2024-02-26'");
  EXPECT_EQ(value("date_trunc", {text("quarter"), date("9999-12-31")}), "DATE '9999-10-01'");
  EXPECT_EQ(value("date_trunc", {text("hour"), moment("1969-12-31 23:59:59.5")}), "TIMESTAMP '1969-12-31 23:00:00'");
  EXPECT_EQ(value("date_trunc", {text("hour"), date("2024-03-03")}),
            "TIMESTAMP '2024-03-03 00:00:00'");  // a moment then
  EXPECT_EQ(refusal([] {
              resolve("date_trunc", {text("fortnight"), column(0, Type::date)});
            }).code(),
            Code::not_supported);
}

TEST(Dates, StepAndNeverLeaveTheCalendar) {
  EXPECT_EQ(value("+", {date("2024-02-28"), whole(2)}), "DATE '2024-03-01'");
  EXPECT_EQ(value("+", {whole(2), date("2024-02-28")}), "DATE '2024-03-01'");
  EXPECT_EQ(value("+", {date("9999-12-31"), whole(1)}), "NULL");
  EXPECT_EQ(value("-", {date("0001-01-01"), whole(INT64_MIN)}), "NULL");
  EXPECT_EQ(value("-", {date("2024-03-01"), date("2024-02-28")}), "2");
  EXPECT_EQ(value("make_date", {whole(2023), whole(2), whole(29)}), "NULL");
  EXPECT_EQ(value("last_day", {date("2024-02-03")}), "DATE '2024-02-29'");
  EXPECT_EQ(value("+ interval", {moment("2024-02-28 23:00:00"), text("1 day 90 minutes")}),
            "TIMESTAMP '2024-03-01 00:30:00'");
  EXPECT_EQ(value("- interval", {date("2024-03-01"), text("00:00:01")}), "TIMESTAMP '2024-02-29 23:59:59'");
  EXPECT_EQ(value("- interval", {date("0001-01-01"), text("1 second")}), "NULL");
  EXPECT_EQ(refusal([] {
              resolve("+ interval", {column(0, Type::timestamp), text("1 month")});
            }).code(),
            Code::not_supported);
}

TEST(Dates, DifferByBorders) {
  const auto diff = [](const char* unit, const char* a, const char* b) {
    return value("date_diff", {text(unit), moment(a), moment(b)});
  };
  EXPECT_EQ(diff("year", "2023-12-31 23:59:59", "2024-01-01"), "1");
  EXPECT_EQ(diff("month", "2023-11-30", "2024-02-01"), "3");
  EXPECT_EQ(diff("quarter", "2023-11-30", "2024-02-01"), "1");
  EXPECT_EQ(diff("week", "1969-12-28", "1969-12-29"), "1");
  EXPECT_EQ(diff("week", "1970-01-01", "1969-12-28"), "-1");
  EXPECT_EQ(diff("day", "1969-12-31 23:59:59", "1970-01-02"), "2");
  EXPECT_EQ(diff("hour", "2024-01-01 00:59:59", "2024-01-01 01:00:00"), "1");
  EXPECT_EQ(diff("second", "2024-01-01 00:00:00.9", "2024-01-01 00:00:01"), "1");
}

TEST(Dates, TimeZonesAreFixedOffsets) {
  const Expression noon = moment("2024-01-01 12:00:00");
  EXPECT_EQ(value("at time zone", {noon, text("UTC")}), "TIMESTAMP '2024-01-01 12:00:00'");
  EXPECT_EQ(value("at time zone", {noon, text("+02:00")}), "TIMESTAMP '2024-01-01 14:00:00'");
  EXPECT_EQ(value("at time zone", {noon, text("-0330")}), "TIMESTAMP '2024-01-01 08:30:00'");
  for (const char* zone : {"Europe/Berlin", "+25:00", "+02:75", "02:00", "", "+", "+1234567"}) {
    EXPECT_EQ(refusal([&] { resolve("at time zone", {noon, text(zone)}); }).code(), Code::not_supported) << zone;
  }
}

TEST(Resolve, WidensAndRefusesByName) {
  const Expression i = column(0, Type::integer), x = column(1, Type::real), t = column(2, Type::text);
  EXPECT_EQ(resolve("+", {i, x}).type(), Type::real);
  EXPECT_EQ(resolve("+", {i, null()}).type(), Type::integer);
  EXPECT_EQ(resolve("case", {null(), null(), t}).type(), Type::text);
  EXPECT_EQ(wider(Type::date, Type::timestamp, "UNION"), Type::timestamp);
  EXPECT_EQ(refusal([&] { wider(Type::text, Type::integer, "UNION"); }).code(), Code::wrong_type);
  const Error unknown = refusal([&] { resolve("lowr", {t}); });
  EXPECT_EQ(unknown.str(),
            "error: unknown-function: there is no function \"lowr\"\n"
            "hint:  did you mean lower? `dither functions` lists all");
  const Error wrong = refusal([&] { resolve("+", {t, i}); });
  EXPECT_EQ(wrong.str(),
            "error: wrong-type: + does not take (text, integer)\n"
            "hint:  it takes (integer, integer), (real, real), (date, integer); CAST(x AS type) changes a type");
  EXPECT_EQ(refusal([&] { resolve("round", {x, i}); }).code(), Code::wrong_type);  // places must be a constant
  EXPECT_EQ(refusal([&] { resolve("between", {x, i}); }).code(), Code::wrong_type);
  EXPECT_EQ(refusal([&] { resolve("random", {}); }).code(), Code::unknown_function);
}

TEST(Spell, GuardsWhatEnginesRaise) {
  const std::vector<std::string> names = {"\"a\"", "\"b\""};
  const Expression quotient = resolve("/", {column(0, Type::integer), column(1, Type::integer)});
  EXPECT_EQ(spell(quotient, Dialect::duckdb, names), "dither_divide_integer(\"a\", \"b\")");
  EXPECT_NE(spell(quotient, Dialect::spark, names).find("NULLIF(\"b\", 0)"), std::string::npos);
  EXPECT_EQ(spell(resolve("=", {column(0, Type::text), text("it's")}), Dialect::duckdb, names), "(\"a\" = 'it''s')");
  EXPECT_EQ(spell(resolve("=", {column(0, Type::text), text("a\\'")}), Dialect::spark, names), "(\"a\" = 'a\\\\\\'')");
  EXPECT_EQ(spell(resolve("and", {resolve("is null", {column(0, Type::text)}), column(1, Type::boolean)}),
                  Dialect::duckdb, names),
            "(\"b\" AND (\"a\" IS NULL))");
  const Error none = refusal([&] {
    spell(resolve("power", {column(0, Type::real), column(1, Type::real)}), Dialect::postgresql, names);
  });
  EXPECT_EQ(none.code(), Code::not_supported);
  EXPECT_EQ(std::string(none.what()), "PostgreSQL has no POWER(x, y) (power) with the same meaning");
  EXPECT_EQ(spell(whole(INT64_MIN), Dialect::postgresql, names), "(-9223372036854775807 - 1)");
}

TEST(Spell, ListsWhatIsOneOfMany) {
  const std::vector<std::string> names = {"a", "b"};
  const Expression a = column(0, Type::integer), b = column(1, Type::integer);
  const Expression few = resolve("in", {a, whole(1), whole(2)}),
                   many = resolve("in", {a, whole(1), whole(2), whole(3)});
  EXPECT_EQ(spell(few, Dialect::duckdb, names), "((a IN (CAST(1 AS BIGINT), CAST(2 AS BIGINT))))");
  EXPECT_EQ(spell(many, Dialect::duckdb, names), "(dither_among_integer(a, '2:i12:i22:i3'::BLOB))");
  EXPECT_EQ(spell(many, Dialect::spark, names), "((a IN (CAST(1 AS BIGINT), CAST(2 AS BIGINT), CAST(3 AS BIGINT))))");
  const Expression zurich = resolve("in", {column(0, Type::text), text("it's"), text("\xc3\xbc"), text("")});
  EXPECT_EQ(spell(zurich, Dialect::duckdb, names), "(dither_among_text(a, '1:t5:tit\\x27s3:t\\xC3\\xBC'::BLOB))");
  const Expression both = resolve("and", {resolve("is null", {a}), resolve("is null", {b})});
  EXPECT_EQ(spell(resolve("or", {resolve("=", {a, b}), both}), Dialect::duckdb, names),
            "((((a IS NULL) AND (b IS NULL)) IS TRUE) OR (a = b))");
}

TEST(Spell, KeepsCasesFlatAndZeroBytesWhole) {
  const std::vector<std::string> names = {"a", "b"};
  const Expression a = column(0, Type::integer), yes = column(1, Type::boolean);
  const Expression inner = resolve("case", {resolve("is null", {a}), whole(2), a});
  EXPECT_EQ(spell(resolve("case", {yes, whole(1), inner}), Dialect::duckdb, names),
            "(CASE WHEN b THEN CAST(1 AS BIGINT) WHEN (a IS NULL) THEN CAST(2 AS BIGINT) ELSE a END)");
  EXPECT_EQ(spell(text(std::string("a\0b", 3)), Dialect::duckdb, names), "decode('a\\x00b'::BLOB)");
}

}  // namespace
}  // namespace dither::plan
