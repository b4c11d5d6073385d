// A page of headed sections, for a terminal or as Markdown.
#pragma once

#include <string>
#include <vector>

namespace dither::cli {

struct Section {
  std::string heading;
  std::vector<std::string> paragraphs;
  std::vector<std::string> titles;  // of a table after them; empty: none
  std::vector<std::vector<std::string>> rows;
};

struct Page {
  std::string title;
  std::vector<Section> sections;
};

// Paragraphs are wrapped at 100 columns. What others wrote is made printable.
std::string page_text(const Page& page);
// What others wrote cannot pass for Markdown or HTML.
std::string page_markdown(const Page& page);

}  // namespace dither::cli
