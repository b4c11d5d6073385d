#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace dither {
namespace {

const std::filesystem::path kPages = std::filesystem::path(DITHER_SOURCE_DIR) / "docs" / "errors";

std::set<std::string> codes() {
  std::set<std::string> words;
  for (Code code : all_codes()) words.emplace(code_name(code));
  return words;
}

std::set<std::string> pages() {
  std::set<std::string> words;
  for (const auto& entry : std::filesystem::directory_iterator(kPages)) words.insert(entry.path().stem().string());
  words.erase("README");
  return words;
}

TEST(Error, EveryCodeHasAPageAndEveryPageACode) { EXPECT_EQ(codes(), pages()); }

// A page names its code first and shows the two lines a person sees.
bool is_a_page(const std::string& text, const std::string& code) {
  return text.starts_with("# " + code + "\n") && text.find("error: " + code + ": ") != std::string::npos &&
         text.find("hint:  ") != std::string::npos;
}

TEST(Error, PagesShowAnExampleAndItsHint) {
  for (const std::string& code : codes()) {
    std::ifstream file(kPages / (code + ".md"));
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(is_a_page(text.str(), code)) << code;
    EXPECT_FALSE(is_a_page(text.str(), code + "x"));
  }
}

TEST(Error, CodesAreDistinctWordsInOrder) {
  const auto all = all_codes();
  EXPECT_EQ(codes().size(), all.size());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](Code a, Code b) { return code_name(a) < code_name(b); }));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(all[i]), i) << "a code is not listed";
  for (const std::string& word : codes()) {
    EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos) << word;
  }
}

TEST(Error, ShowsCodeMessageAndHint) {
  const Error error{Code::bad_scale, "sigma is -1, but noise needs sigma > 0", "give a positive sigma"};
  EXPECT_EQ(error.str(), "error: bad-scale: sigma is -1, but noise needs sigma > 0\nhint:  give a positive sigma");
  EXPECT_EQ(error.code(), Code::bad_scale);
  EXPECT_STREQ(error.what(), "sigma is -1, but noise needs sigma > 0");
}

}  // namespace
}  // namespace dither
