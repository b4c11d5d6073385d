// Trees: steps that stand on each other, for terminals and as SVG.
#pragma once

#include <string>
#include <vector>

namespace dither::show {

// A step with what there is to say about it, and those it stands on.
struct TreeNode {
  std::string title;
  std::vector<std::string> lines;
  std::vector<TreeNode> below;
};

// The step on top first, what it stands on below. A single step stands straight under its parent, several are indented:
//
//   average
//   |  of two sums
//   +- first sum
//   |  |  by day
//   |  |
//   |  visits
//   +- second sum
//
// Text is made printable, and wrapped between words so that no line is longer than `width` where words allow it.
std::string text_tree(const TreeNode& root, std::size_t width = 100);

// The same as one SVG document, ended by a line feed: boxes of text joined by lines, each step centred over what it stands
// on. The same tree gives the same bytes. Light, or dark where the reader prefers that; all text is escaped; there are no
// scripts, no links, no fonts from elsewhere. `title` and `description` are for those who cannot see it.
std::string svg_tree(const std::string& title, const std::string& description, const TreeNode& root);

}  // namespace dither::show
