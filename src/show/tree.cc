#include "show/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "show/detail/svg.h"

namespace dither::show {

namespace {

using detail::escaped;
using detail::px;

// Lines of at most `width` columns, broken at spaces; a word that is longer stands alone.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  const std::string safe = printable(text);
  for (std::string_view rest = safe; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::string& line = lines.back();
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.emplace_back(word);
    } else {
      line += (line.empty() ? "" : " ") + std::string(word);
    }
  }
  return lines;
}

class Writer {
 public:
  explicit Writer(std::size_t width) : width_(width) {}

  // `first` stands before the title, `rest` before all other lines of the node and what it stands on.
  void write(const TreeNode& node, const std::string& first, const std::string& rest) {
    const std::string bar = rest + (node.below.empty() ? "   " : "|  ");
    put(node.title, first, node.below.empty() ? rest : rest + "|  ");
    for (const std::string& line : node.lines) put(line, bar, bar);
    if (node.below.size() == 1) {
      text_ += rest + "|\n";
      write(node.below.front(), rest, rest);
      return;
    }
    for (std::size_t i = 0; i < node.below.size(); ++i) {
      write(node.below[i], rest + "+- ", rest + (i + 1 < node.below.size() ? "|  " : "   "));
    }
  }

  std::string text() && { return std::move(text_); }

 private:
  void put(const std::string& content, const std::string& first, const std::string& rest) {
    const std::size_t room = width_ > rest.size() + 20 ? width_ - rest.size() : 20;
    const std::string* before = &first;
    for (const std::string& line : wrapped(content, room)) {
      text_ += *before + line;
      while (text_.ends_with(' ')) text_.pop_back();
      text_ += '\n';
      before = &rest;
    }
  }

  std::size_t width_;
  std::string text_;
};

constexpr double kLetter = 6.9;      // about the width of a character of the 12 px used
constexpr double kLine = 18;         // from one line to the next
constexpr double kPadding = 12;      // of a box
constexpr double kGap = 28;          // between boxes, across and down
constexpr double kMargin = 16;       // of the page
constexpr std::size_t kWidest = 64;  // of a line in a box, in characters

constexpr std::string_view kStyle = R"(<style>
.dither-page{fill:#ffffff}
.dither-box{fill:#f4f6f8;stroke:#767676}
.dither-edge{stroke:#767676;fill:none;stroke-width:1.5}
.dither-text{fill:#333333;font-family:system-ui,sans-serif;font-size:12px}
.dither-title{font-weight:600}
@media (prefers-color-scheme:dark){
.dither-page{fill:#16181d}
.dither-box{fill:#20242b;stroke:#8a9099}
.dither-edge{stroke:#8a9099}
.dither-text{fill:#d0d4da}
}
</style>
)";

// A node with its measures settled, then with its place.
struct Box {
  std::vector<std::string> titles, lines;
  std::vector<Box> below;
  double width = 0, height = 0;  // of the box
  double span = 0;               // of all below it
  double x = 0, y = 0;           // its left upper corner
};

std::vector<std::string> all_wrapped(const std::vector<std::string>& texts) {
  std::vector<std::string> lines;
  for (const std::string& text : texts) {
    for (std::string& line : wrapped(text, kWidest)) lines.push_back(std::move(line));
  }
  return lines;
}

Box measured(const TreeNode& node) {
  Box box{all_wrapped({node.title}), all_wrapped(node.lines), {}};
  std::size_t widest = 0;
  for (const auto* texts : {&box.titles, &box.lines}) {
    for (const std::string& line : *texts) widest = std::max(widest, display_width(line));
  }
  box.width = 2 * kPadding + kLetter * static_cast<double>(widest);
  box.height = 2 * kPadding - 4 + kLine * static_cast<double>(box.titles.size() + box.lines.size());
  for (const TreeNode& one : node.below) {
    box.below.push_back(measured(one));
    box.span += (box.below.size() > 1 ? kGap : 0) + std::max(box.below.back().width, box.below.back().span);
  }
  return box;
}

// Places it in the middle of the stretch from x on that it spans; the lowest end of all.
double place(Box& box, double x, double y) {
  const double all = std::max(box.width, box.span);
  box.x = x + (all - box.width) / 2;
  box.y = y;
  double bottom = y + box.height;
  double left = x + (all - box.span) / 2;
  for (Box& one : box.below) {
    bottom = std::max(bottom, place(one, left, y + box.height + kGap));
    left += std::max(one.width, one.span) + kGap;
  }
  return bottom;
}

std::string drawn(const Box& box) {
  std::string out;
  const double middle = box.x + box.width / 2, bottom = box.y + box.height;
  for (const Box& one : box.below) {
    out += fmt::format("<path class=\"dither-edge\" d=\"M{} {}V{}H{}V{}\"/>\n", px(middle), px(bottom),
                       px(bottom + kGap / 2), px(one.x + one.width / 2), px(one.y));
  }
  out += fmt::format("<rect class=\"dither-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n", px(box.x),
                     px(box.y), px(box.width), px(box.height));
  double y = box.y + kPadding + 8;
  const auto write = [&](const std::vector<std::string>& lines, std::string_view classes) {
    for (const std::string& line : lines) {
      out += fmt::format("<text class=\"dither-text{}\" x=\"{}\" y=\"{}\">{}</text>\n", classes, px(box.x + kPadding),
                         px(y), escaped(line));
      y += kLine;
    }
  };
  write(box.titles, " dither-title");
  write(box.lines, "");
  for (const Box& one : box.below) out += drawn(one);
  return out;
}

}  // namespace

std::string text_tree(const TreeNode& root, std::size_t width) {
  Writer writer(width);
  writer.write(root, "", "");
  return std::move(writer).text();
}

std::string svg_tree(const std::string& title, const std::string& description, const TreeNode& root) {
  Box box = measured(root);
  const double width = std::max(box.width, box.span) + 2 * kMargin;
  const double height = place(box, kMargin, kMargin) + kMargin;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "role=\"img\">\n<title>{2}</title>\n<desc>{3}</desc>\n{4}<rect class=\"dither-page\" width=\"{0}\" "
             "height=\"{1}\"/>\n",
             px(width), px(height), escaped(title), escaped(description), kStyle) +
         drawn(box) + "</svg>\n";
}

}  // namespace dither::show
