// Reads boosted trees from JSON: one XGBoost model for each option, target and term, in one file.
//
//   {"sextant_trees": 1, "features": [{"name": "log_bytes", "low": 3.5, "high": 9.25}, …],
//    "ensembles": [{"option": "serial", "target": "call", "term": "residual", "xgboost": {"learner": …}}, …]}
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "predict/named.hpp"
#include "predict/trees_forms.hpp"

namespace sextant::predict {
namespace {

using TreesJson = nlohmann::json;

template <typename Read>
auto reading_trees(const std::string& where, Read&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw UserError(where + " is not a model of decision trees: " + error.what());
  }
}

float single(const TreesJson& json, const std::string& where) {
  const double value = json.get<double>();
  if (!(std::abs(value) <= std::numeric_limits<float>::max()))
    throw UserError(where + ": " + json.dump() + " is not a number in single precision");
  return static_cast<float>(value);
}

// Reads a number that XGBoost stored as text: "5E-1", or "[5E-1]" from version 3 on.
float number_in_text(std::string text, const std::string& where) {
  std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
  const TreesJson value = TreesJson::parse(text, nullptr, false);
  if (!value.is_number()) throw UserError(where + ": `" + text + "` is not a number");
  return single(value, where);
}

std::vector<TreeNode> nodes_of(const TreesJson& tree, const std::string& where) {
  const TreesJson &left = tree.at("left_children"), &right = tree.at("right_children"),
                  &features = tree.at("split_indices"), &values = tree.at("split_conditions"),
                  &missing = tree.at("default_left");
  const std::size_t count = left.size();
  for (const TreesJson* list : {&left, &right, &features, &values, &missing})
    if (!list->is_array() || list->size() != count)
      throw UserError(where + ": the arrays of a decision tree have different lengths");
  if (tree.contains("split_type"))
    for (const TreesJson& type : tree.at("split_type"))
      if (type.get<int>() != 0)
        throw UserError(where + ": the tree splits by categories, which is not supported");
  std::vector<TreeNode> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    TreeNode& node = nodes[i];
    node.value = single(values[i], where);
    if (left[i].get<int>() < 0) continue;
    node.left = left[i];
    node.right = right[i];
    node.feature = features[i];
    if (node.feature < 0)
      throw UserError(where + ": node " + std::to_string(i) + " has a split without a feature");
    node.missing_left = missing[i].is_boolean() ? missing[i].get<bool>() : missing[i].get<int>() != 0;
  }
  return nodes;
}

// Reads the models of XGBoost 1 to 3, of type gbtree with squared error.
Ensemble ensemble_of(const TreesJson& model, std::size_t features, const std::string& where) {
  const TreesJson& learner = model.at("learner");
  const TreesJson& booster = learner.at("gradient_booster");
  const std::string objective = learner.at("objective").at("name"), kind = booster.at("name");
  if (kind != "gbtree")
    throw UserError(where + ": the booster is `" + kind +
                    "`, but only models of decision trees (`gbtree`) can be read");
  if (objective != "reg:squarederror")
    throw UserError(where + ": the objective is `" + objective +
                    "`, but only `reg:squarederror` can be read");
  const TreesJson& parameters = learner.at("learner_model_param");
  Ensemble ensemble(number_in_text(parameters.at("base_score"), where), where);
  const TreesJson& trees = booster.at("model").at("trees");
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const std::string tree = where + ", tree " + std::to_string(i);
    ensemble.add(nodes_of(trees.at(i), tree), features, tree);
  }
  return ensemble;
}

template <typename All>
typename All::value_type chosen(const All& all, const std::string& name, const std::string& where) {
  const auto found = find_named(all, name);
  if (!found) throw UserError(where + ": `" + name + "` is not a name that this program knows");
  return *found;
}

}  // namespace

Trees read_json_trees(std::string_view text, const std::string& where) {
  return reading_trees(where, [&] {
    const TreesJson json = TreesJson::parse(text);
    if (json.at("sextant_trees") != 1)
      throw UserError(where +
                      " has a version that this program does not read. It reads version 1 of decision trees");
    std::vector<Feature> features;
    for (const TreesJson& one : json.at("features"))
      features.push_back({one.at("name"), single(one.at("low"), where), single(one.at("high"), where)});
    Trees trees(std::move(features));
    for (const TreesJson& one : json.at("ensembles")) {
      const std::string option = one.at("option"), target = one.at("target"), term = one.at("term");
      const std::string place = where + ": " + option + ' ' + target + ' ' + term;
      trees.add({chosen(all_options, option, place), chosen(all_targets, target, place),
                 chosen(all_terms, term, place),
                 ensemble_of(one.at("xgboost"), trees.features().size(), place)});
    }
    return trees;
  });
}

}  // namespace sextant::predict
