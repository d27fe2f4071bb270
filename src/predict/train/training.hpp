// Trains boosted trees that predict the residuals of the analytic model, for each option and target.
// Cross-validation over kernel families chooses the number of trees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "predict/train/booster.hpp"
#include "predict/training_table.hpp"

namespace sextant::predict {

struct TrainingSettings {
  int most_trees = 200;
  std::size_t patience = 40;  // growing ends after this many trees without improvement in cross-validation
  BoostSettings boost;
  std::size_t least_families = 2;  // with fewer kernel families, no trees are trained
  // Trees are kept only if their cross-validation error is at most this fraction of the error without trees:
  // `worth` for residuals, `difficulty_worth` for the size of residuals (interval widths).
  double worth = 1, difficulty_worth = 1;
  // Number of cross-validation folds; at most one per family.
  std::size_t folds = 8;
  double hidden_share = 0.15;  // fraction of the rows in which each trait (code-dependent feature) is hidden
  std::uint64_t seed = 1;      // seed of the random numbers that select the hidden rows
  bool difficulty = true;      // also train trees for the size of residuals
  bool sizes = true;           // also calibrate intervals for kernels measured at other sizes
};

// For each group: the index of the fold that holds it out. Groups go to the folds round-robin, the largest
// first.
std::vector<std::size_t> folds_of(const std::vector<std::size_t>& group_sizes, std::size_t folds);

// Scales the weights so that all groups have the same total weight and all weights add up to the number of
// rows. `groups`: the group of each row.
std::vector<float> group_weights(const std::vector<std::size_t>& groups, const std::vector<float>& weights);

// Result of training for one option and target. Errors are root mean squares of log times over held-out rows,
// with equal weight for each kernel family.
struct EnsembleReport {
  Option option;
  Target target;
  std::size_t rows, groups;
  std::size_t trees, difficulty_trees;
  // True if the trees start from the mean of the rows, false if they start from the settings' base.
  bool from_mean, difficulty_from_mean;
  double analytic_error, error;
};

// Prediction for a row by trees that were not trained on its family.
struct HeldOut {
  float residual = 0;    // residual that remains after the trees' correction
  float difficulty = 0;  // expected absolute value of the residual
};

struct Training {
  std::string json;  // the trained trees as JSON, which Trees::read reads
  std::vector<EnsembleReport> reports;
  std::vector<HeldOut> held_out;  // by row of the table: its held-out prediction
};

// Trains all trees. Equal tables and settings give equal bytes. An option and target whose rows all belong to
// one family get no trees. Throws UserError for an invalid table, or with the reason of why_no_training.
Training train(const TrainingTable& table, const TrainingSettings& settings);

// Trains trees for the residuals of other rows, with the numbers of trees from `before`. Holds out no
// families and does not predict the size of residuals.
Training train_likewise(const TrainingTable& table, const TrainingSettings& settings, const Training& before);

}  // namespace sextant::predict
