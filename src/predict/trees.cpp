#include "predict/trees.hpp"

#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "predict/trees_forms.hpp"

namespace sextant::predict {

Trees::Trees(std::vector<Feature> features) : features_(std::move(features)) {
  std::set<std::string> names;
  for (const Feature& feature : features_) {
    if (feature.name.empty()) throw UserError("an input (feature) of the model has no name");
    if (!std::isfinite(feature.low) || !std::isfinite(feature.high))
      throw UserError("the feature `" + feature.name + "` of the model has an infinite range");
    if (!names.insert(feature.name).second)
      throw UserError("the model has the feature `" + feature.name + "` twice");
  }
}

Trees Trees::read(std::string_view text, const std::string& where) {
  return text.starts_with(compact_magic) ? read_compact_trees(text, where) : read_json_trees(text, where);
}

void Trees::add(Entry entry) {
  for (const Entry& other : entries_)
    if (other.option == entry.option && other.target == entry.target && other.term == entry.term)
      throw UserError(std::string("the model has two sets of trees for ") + name_of(entry.option) + ", " +
                      name_of(entry.target) + ", " + name_of(entry.term));
  entries_.push_back(std::move(entry));
}

std::optional<float> Trees::at(Option option, Target target, Term term, std::span<const float> x) const {
  if (x.size() != features_.size())
    throw std::invalid_argument("the model has " + std::to_string(features_.size()) + " features, not " +
                                std::to_string(x.size()));
  for (const Entry& entry : entries_)
    if (entry.option == option && entry.target == target && entry.term == term) return entry.ensemble.at(x);
  return {};
}

}  // namespace sextant::predict
