#include "sql/detail/column_names.h"

namespace dither::sql::detail {

std::vector<std::string> names_of(const plan::Project& project, const plan::Relation& relation) {
  std::vector<std::string> names;
  if (const auto* scan = std::get_if<plan::Scan>(&relation->step())) {
    for (const auto& column : project.table(scan->table).columns) names.push_back(column.name);
  } else if (const auto* join = std::get_if<plan::Join>(&relation->step())) {
    names = names_of(project, join->left);
    for (std::string& name : names_of(project, join->right)) names.push_back(std::move(name));
  } else if (const auto* filtered = std::get_if<plan::Filter>(&relation->step())) {
    names = names_of(project, filtered->input);
  } else if (const auto* once = std::get_if<plan::Distinct>(&relation->step())) {
    names = names_of(project, once->input);
  } else if (const auto* sorted = std::get_if<plan::Sort>(&relation->step())) {
    names = names_of(project, sorted->input);
  } else if (const auto* cut = std::get_if<plan::Limit>(&relation->step())) {
    names = names_of(project, cut->input);
  } else if (const auto* all = std::get_if<plan::Union>(&relation->step())) {
    names = names_of(project, all->inputs[0]);
  } else if (const auto* projected = std::get_if<plan::Projection>(&relation->step())) {
    const std::vector<std::string> below = names_of(project, projected->input);
    for (const plan::Expression& e : projected->columns) names.push_back(in_words(e, below));
  }
  names.resize(relation->columns().size(), project.unit.name);
  return names;
}

}  // namespace dither::sql::detail
