#include "predict/train/training.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

#include "toolbox/random.hpp"

namespace sextant::predict {
namespace {

// The training rows of one option (programming model and device) and one target (call or end-to-end time).
struct TrainedPart {
  std::vector<std::size_t> rows;    // indices of the rows in the table
  std::vector<std::size_t> groups;  // by row: the number of its group
  std::size_t group_count = 0;
  std::vector<float> weights;
};

TrainedPart part_of(const TrainingTable& table, Option option, Target target) {
  TrainedPart part;
  std::map<std::string, std::size_t> numbers;
  std::vector<float> weights;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const TrainingRow& row = table.rows[i];
    if (row.option != option || row.target != target) continue;
    part.rows.push_back(i);
    numbers[row.group] = 0;
    weights.push_back(row.weight);
  }
  for (auto& [name, number] : numbers) number = part.group_count++;
  for (const std::size_t row : part.rows) part.groups.push_back(numbers[table.rows[row].group]);
  part.weights = group_weights(part.groups, weights);
  return part;
}

// The table's values. Each trait (code-dependent feature) is set to NaN in a random fraction of the rows.
std::vector<float> with_hidden_traits(const TrainingTable& table, const TrainingSettings& settings) {
  std::vector<float> values = table.values;
  const std::size_t width = table.features.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double drawn = static_cast<double>(random_bits(settings.seed, i) >> 11) * 0x1p-53;
    if (table.features[i % width].trait && drawn < settings.hidden_share)
      values[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The values of these rows, with useless columns set to missing so that boosting ignores them: machine
// features, constant columns, and duplicates of previous columns.
std::vector<float> telling_values(const TrainingTable& table, const TrainedPart& part,
                                  const std::vector<float>& values) {
  const std::size_t width = table.features.size();
  const auto equal_columns = [&](std::size_t a, std::size_t b) {
    return std::all_of(part.rows.begin(), part.rows.end(), [&](std::size_t row) {
      return same(values[row * width + a], values[row * width + b]);
    });
  };
  const auto constant = [&](std::size_t column) {
    return std::all_of(part.rows.begin(), part.rows.end(), [&](std::size_t row) {
      return same(values[row * width + column], values[part.rows.front() * width + column]);
    });
  };
  std::vector<float> telling = values;
  std::vector<std::size_t> kept;
  for (std::size_t column = 0; column < width; ++column) {
    const bool again = std::any_of(kept.begin(), kept.end(),
                                   [&](std::size_t other) { return equal_columns(column, other); });
    if (!table.features[column].machine && !again && !constant(column))
      kept.push_back(column);
    else
      for (const std::size_t row : part.rows)
        telling[row * width + column] = std::numeric_limits<float>::quiet_NaN();
  }
  return telling;
}

Samples samples_of(const TrainedPart& part, const std::vector<float>& values, std::size_t width,
                   const std::vector<float>& labels, const std::vector<char>& taken) {
  Samples samples;
  samples.features = width;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    if (!taken[i]) continue;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(part.rows[i] * width);
    samples.x.insert(samples.x.end(), first, first + static_cast<std::ptrdiff_t>(width));
    samples.y.push_back(labels[i]);
    samples.weight.push_back(part.weights[i]);
  }
  return samples;
}

struct Fitted {
  std::size_t trees = 0;
  bool from_mean = false;
  double error = 0;             // sum of the squared errors over held-out rows
  std::vector<float> held_out;  // for each row: the prediction while it was held out
  std::string json;
};

// Weighted mean of the samples.
float mean_of(const Samples& samples) {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    sum += static_cast<double>(samples.weight[i]) * static_cast<double>(samples.y[i]);
    weights += static_cast<double>(samples.weight[i]);
  }
  return weights > 0 ? static_cast<float>(sum / weights) : 0;
}

// One cross-validation fold: a flag for each row that is held out, and the samples for training and testing.
struct Fold {
  std::vector<char> held_out;
  Samples train, test;
};

std::vector<Fold> held_out_folds(const TrainedPart& part, const std::vector<float>& values, std::size_t width,
                                 const std::vector<float>& labels, std::size_t most_folds) {
  std::vector<Fold> folds;
  if (part.group_count < 2) return folds;
  std::vector<std::size_t> sizes(part.group_count, 0);
  for (const std::size_t group : part.groups) ++sizes[group];
  const std::vector<std::size_t> fold_of = folds_of(sizes, most_folds);
  const std::size_t count = *std::max_element(fold_of.begin(), fold_of.end()) + 1;
  for (std::size_t fold = 0; fold < count; ++fold) {
    std::vector<char> train, held_out;
    for (const std::size_t group : part.groups) {
      held_out.push_back(fold_of[group] == fold);
      train.push_back(!held_out.back());
    }
    folds.push_back({held_out, samples_of(part, values, width, labels, train),
                     samples_of(part, values, width, labels, held_out)});
  }
  return folds;
}

double squared_error(const Samples& samples, const std::vector<float>& said) {
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double left = static_cast<double>(samples.y[i]) - static_cast<double>(said[i]);
    sum += static_cast<double>(samples.weight[i]) * left * left;
  }
  return sum;
}

double error_of_base(const std::vector<Fold>& folds, float base) {
  double error = 0;
  for (const Fold& fold : folds)
    error += squared_error(fold.test, std::vector<float>(fold.test.size(), base));
  return error;
}

// True if the mean of the training families predicts held-out families better than `base`.
bool mean_helps(const std::vector<Fold>& folds, float base) {
  double by_mean = 0;
  for (const Fold& fold : folds)
    by_mean += squared_error(fold.test, std::vector<float>(fold.test.size(), mean_of(fold.train)));
  return by_mean < error_of_base(folds, base);
}

// Grows this number of trees on all rows, starting from the mean of the rows or from the settings' base
// value.
std::string grown(const TrainedPart& part, const std::vector<float>& values, std::size_t width,
                  const std::vector<float>& labels, BoostSettings boost, bool from_mean, std::size_t trees) {
  const Samples all = samples_of(part, values, width, labels, std::vector<char>(part.rows.size(), 1));
  if (from_mean) boost.base = mean_of(all);
  Booster booster(all, {}, boost);
  for (std::size_t tree = 0; tree < trees; ++tree) booster.grow();
  return booster.json();
}

// Trains trees for these rows. Cross-validation over groups chooses the start value (base or mean) and the
// number of trees, which are then grown on all rows.
Fitted fit(const TrainedPart& part, const std::vector<float>& values, std::size_t width,
           const std::vector<float>& labels, const TrainingSettings& settings, const BoostSettings& boost) {
  const std::size_t count = part.rows.size();
  std::vector<Fold> folds;
  if (part.group_count >= settings.least_families)
    folds = held_out_folds(part, values, width, labels, settings.folds);
  Fitted fitted;
  fitted.from_mean = mean_helps(folds, boost.base);
  std::deque<Booster> boosters;  // one booster for each fold; all grow at the same time
  std::vector<float> said(count, boost.base);
  const auto error_of_folds = [&](bool grown) {
    double error = 0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const Fold& fold = folds[f];
      if (grown) boosters[f].grow();
      const std::vector<float> own =
          grown ? boosters[f].on_held_out()
                : std::vector<float>(fold.test.size(), fitted.from_mean ? mean_of(fold.train) : boost.base);
      error += squared_error(fold.test, own);
      for (std::size_t i = 0, next = 0; i < count; ++i)
        if (fold.held_out[i]) said[i] = own[next++];
    }
    return error;
  };
  for (const Fold& fold : folds) {
    BoostSettings own = boost;
    if (fitted.from_mean) own.base = mean_of(fold.train);
    boosters.emplace_back(fold.train, fold.test, own);
  }
  fitted.error = error_of_folds(false);
  fitted.held_out = said;
  const std::size_t most = folds.empty() ? 0 : static_cast<std::size_t>(settings.most_trees);
  for (std::size_t trees = 1; trees <= most && trees <= fitted.trees + settings.patience; ++trees)
    if (const double error = error_of_folds(true); error < fitted.error)
      fitted.trees = trees, fitted.error = error, fitted.held_out = said;
  const Samples all = samples_of(part, values, width, labels, std::vector<char>(count, 1));
  const std::vector<float> base(count, boost.base);
  const double by_base = folds.empty() ? squared_error(all, base) : error_of_base(folds, boost.base);
  // Discards the trees if they do not reduce the error of held-out families enough.
  if (folds.empty() || fitted.error > settings.worth * settings.worth * by_base)
    fitted = {0, false, by_base, base, {}};
  fitted.json = grown(part, values, width, labels, boost, fitted.from_mean, fitted.trees);
  return fitted;
}

std::string texts_of_features(const TrainingTable& table) {
  std::string text;
  for (std::size_t f = 0; f < table.features.size(); ++f) {
    float low = std::numeric_limits<float>::max(), high = -low;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const float value = table.of(row)[f];
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (low > high) low = 1, high = -1;  // an empty range (low > high) marks a feature without values
    std::array<char, 80> range;
    std::snprintf(range.data(), range.size(), R"("low": %.9g, "high": %.9g})", static_cast<double>(low),
                  static_cast<double>(high));
    text += (f ? ",\n  {\"name\": \"" : "{\"name\": \"") + table.features[f].name + "\", " + range.data();
  }
  return text;
}

std::string text_of_model(const TrainingTable& table, const std::string& ensembles) {
  return "{\"sextant_trees\": 1, \"features\": [" + texts_of_features(table) + "],\n\"ensembles\": [\n" +
         ensembles + "]}\n";
}

std::string text_of_ensemble(const EnsembleReport& report, const char* term, const std::string& json) {
  return std::string("{\"option\": \"") + name_of(report.option) + "\", \"target\": \"" +
         name_of(report.target) + "\", \"term\": \"" + term + "\",\n\"xgboost\": " + json + "}";
}

// Trains one option and target: first trees for the residuals, then trees for the absolute remaining
// residuals.
std::string train_part(const TrainingTable& table, const std::vector<float>& all_values,
                       const TrainedPart& part, const TrainingSettings& settings, EnsembleReport* report,
                       std::vector<HeldOut>* held_out) {
  const std::size_t width = table.features.size(), count = part.rows.size();
  const std::vector<float> values = telling_values(table, part, all_values);
  std::vector<float> labels(count), left(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = table.rows[part.rows[i]].residual;
  const Fitted residual = fit(part, values, width, labels, settings, settings.boost);
  report->rows = count;
  report->groups = part.group_count;
  report->trees = residual.trees;
  report->from_mean = residual.from_mean;
  report->error = std::sqrt(residual.error / static_cast<double>(count));
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    squares += static_cast<double>(part.weights[i]) * static_cast<double>(labels[i]) *
               static_cast<double>(labels[i]);
    (*held_out)[part.rows[i]].residual = labels[i] - residual.held_out[i];
    left[i] = std::abs(labels[i] - residual.held_out[i]);
    mean += static_cast<double>(part.weights[i]) * static_cast<double>(left[i]);
  }
  report->analytic_error = std::sqrt(squares / static_cast<double>(count));
  const std::string text = text_of_ensemble(*report, "residual", residual.json);
  if (!settings.difficulty) return text;
  BoostSettings boost = settings.boost;
  boost.base = static_cast<float>(mean / static_cast<double>(count));
  TrainingSettings of_difficulty = settings;
  of_difficulty.worth = settings.difficulty_worth;
  const Fitted difficulty = fit(part, values, width, left, of_difficulty, boost);
  for (std::size_t i = 0; i < count; ++i) (*held_out)[part.rows[i]].difficulty = difficulty.held_out[i];
  report->difficulty_trees = difficulty.trees;
  report->difficulty_from_mean = difficulty.from_mean;
  return text + ",\n" + text_of_ensemble(*report, "difficulty", difficulty.json);
}

}  // namespace

std::vector<std::size_t> folds_of(const std::vector<std::size_t>& group_sizes, std::size_t folds) {
  std::vector<std::size_t> order(group_sizes.size()), fold_of(group_sizes.size(), 0);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return group_sizes[a] > group_sizes[b]; });
  const std::size_t count = std::clamp<std::size_t>(folds, 1, std::max<std::size_t>(group_sizes.size(), 1));
  for (std::size_t i = 0; i < order.size(); ++i) fold_of[order[i]] = i % count;
  return fold_of;
}

std::vector<float> group_weights(const std::vector<std::size_t>& groups, const std::vector<float>& weights) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] >= sums.size()) sums.resize(groups[i] + 1, 0.0);
    sums[groups[i]] += static_cast<double>(weights[i]);
  }
  const double share =
      static_cast<double>(groups.size()) / static_cast<double>(std::max<std::size_t>(sums.size(), 1));
  std::vector<float> equal(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    equal[i] = static_cast<float>(static_cast<double>(weights[i]) * share / sums[groups[i]]);
  return equal;
}

Training train(const TrainingTable& table, const TrainingSettings& settings) {
  check(table, "the training table");
  const std::vector<float> values = with_hidden_traits(table, settings);
  Training training;
  training.held_out.resize(table.rows.size());
  std::string ensembles;
  for (const Option option : all_options)
    for (const Target target : all_targets) {
      const TrainedPart part = part_of(table, option, target);
      if (part.rows.empty()) continue;
      EnsembleReport report{option, target, 0, 0, 0, 0, false, false, 0, 0};
      ensembles += (ensembles.empty() ? "" : ",\n") +
                   train_part(table, values, part, settings, &report, &training.held_out);
      training.reports.push_back(report);
    }
  training.json = text_of_model(table, ensembles);
  return training;
}

Training train_likewise(const TrainingTable& table, const TrainingSettings& settings,
                        const Training& before) {
  check(table, "the training table");
  const std::vector<float> values = with_hidden_traits(table, settings);
  const std::size_t width = table.features.size();
  Training training;
  std::string ensembles;
  for (const EnsembleReport& report : before.reports) {
    const TrainedPart part = part_of(table, report.option, report.target);
    if (part.rows.empty()) continue;
    std::vector<float> labels;
    for (const std::size_t row : part.rows) labels.push_back(table.rows[row].residual);
    ensembles += (ensembles.empty() ? "" : ",\n") +
                 text_of_ensemble(report, "residual",
                                  grown(part, telling_values(table, part, values), width, labels,
                                        settings.boost, report.from_mean, report.trees));
    training.reports.push_back(report);
  }
  training.json = text_of_model(table, ensembles);
  return training;
}

}  // namespace sextant::predict
