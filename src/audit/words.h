// Words as cells of outputs.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dither::audit {

// The codes of words, and what they stand for, for people. Copies share one dictionary; any thread.
class Words {
 public:
  Words() = default;
  // The codes of a known list are places in it, from 0.
  explicit Words(const std::vector<std::string>& in_order);

  // A whole number of 53 bits that depends on the text alone: neither on the run that said it nor on what was said
  // before, so that a code tells nothing that the word does not. Words that share one, once in 2^53 pairs, count as one,
  // which is post-processing. The first kMostKept texts are kept.
  double code(const std::string& word);

  // Nothing for codes that are unknown here.
  std::optional<std::string> text(double code) const;

  static constexpr std::size_t kMostKept = 1'000'000;

 private:
  struct Dictionary {
    std::mutex mutex;
    std::map<double, std::string> texts;
  };
  std::shared_ptr<Dictionary> dictionary_ = std::make_shared<Dictionary>();
};

}  // namespace dither::audit
