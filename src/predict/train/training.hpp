// Trees on what physics leaves over, for each option and target, with as many trees as held-out families bear
// out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "predict/train/booster.hpp"
#include "predict/training_table.hpp"

namespace sextant::predict {

struct TrainingSettings {
  int most_trees = 200;
  std::size_t patience = 40;  // growing ends where so many more trees have not helped families held out
  BoostSettings boost;
  std::size_t least_families = 2;  // fewer say nothing of others
  // The share of the error, by families held out, that learning has to leave at most: of residuals, and of
  // how large they are, where little is worth having: no time that is said comes from it.
  double worth = 1, difficulty_worth = 1;
  std::size_t folds = 8;  // of families, to choose the number of trees; fewer if there are fewer families
  double hidden_share = 0.15;  // of the rows, for each trait
  std::uint64_t seed = 1;      // says which
  bool difficulty = true;      // whether trees learn how large residuals are, too
  bool sizes = true;           // whether intervals of remembered kernels are asked for
};

// Which group each fold holds out: fold of each group in alphabetical order, the largest groups dealt out
// first.
std::vector<std::size_t> folds_of(const std::vector<std::size_t>& group_sizes, std::size_t folds);

// Weights that make every group count the same and sum up to the number of rows. `groups`: the group of each
// row.
std::vector<float> group_weights(const std::vector<std::size_t>& groups, const std::vector<float>& weights);

// What training came to for one option and target. Errors are roots of the mean square over rows whose family
// was held out, each family weighing the same, of log times.
struct EnsembleReport {
  Option option;
  Target target;
  std::size_t rows, groups;
  std::size_t trees, difficulty_trees;
  bool from_mean,
      difficulty_from_mean;  // what trees begin with: the mean of the rows, else the settings' base
  double physics_error, error;
};

// Of a row, by trees that saw nothing of its family.
struct HeldOut {
  float residual = 0;    // what is left
  float difficulty = 0;  // what was expected of its size
};

struct Training {
  std::string json;  // the model, for Trees::read
  std::vector<EnsembleReport> reports;
  std::vector<HeldOut> held_out;  // by row of the table
};

// Deterministic: the same table and settings give the same bytes. An option and target with rows of one
// family only gets no trees: nothing could tell whether they help. Throws UserError for a table that does not
// hold together, and where why_no_training has a reason.
Training train(const TrainingTable& table, const TrainingSettings& settings);

// Residuals' trees of other rows, as many as `before` came to, without asking families again: nothing is held
// out, no difficulty is learnt.
Training train_likewise(const TrainingTable& table, const TrainingSettings& settings, const Training& before);

}  // namespace sextant::predict
