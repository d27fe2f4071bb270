#include "predict/train/trees_selector.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include "predict/features.hpp"
#include "predict/physics.hpp"
#include "predict/trees.hpp"

namespace sextant::predict {
namespace {

// Log of the time, by physics and trees; infinite where physics says nothing or nothing was learnt of the option.
double predicted(const Trees& trees, const Form& form, const Profile& profile, Option option, Target target,
                 bool raw) {
  const std::optional<double> modelled = physics(form, profile, option, target);
  const std::optional<float> learnt =
      trees.at(option, target, Term::residual, features_of(form, profile, target));
  if (!modelled || !learnt) return std::numeric_limits<double>::infinity();
  return (raw ? 0 : std::log(*modelled)) + static_cast<double>(*learnt);
}

float mean_of_residuals(const TrainingTable& table) {
  float sum = 0;
  for (const TrainingRow& row : table.rows) sum += row.residual;
  return sum / static_cast<float>(table.rows.size());
}

Selector by_trees(const char* name, bool raw, const TrainingSettings& settings) {
  return {name,
          [raw, settings](const DataSet& data, Target target, const std::vector<Contest>& taught) -> Choose {
            const TrainingTable table = table_of(data, target, taught, raw);
            TrainingSettings own = settings;
            if (raw) own.boost.base = mean_of_residuals(table);
            const auto trees =
                std::make_shared<Trees>(Trees::read(train(table, own).json, "the trained model"));
            return [&data, target, raw, trees](const Contest& contest) {
              Option chosen = Option::serial;
              double least = std::numeric_limits<double>::infinity();
              for (const Option option : all_options) {
                if (!contest.at(option)) continue;  // that it was measured says no more than that it exists
                const double time = predicted(*trees, data.problems[contest.problem].known.form,
                                              data.machines[contest.machine].profile, option, target, raw);
                if (time < least) least = time, chosen = option;
              }
              return chosen;
            };
          }};
}

}  // namespace

TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& contests, bool raw) {
  TrainingTable table;
  table.features = feature_list();
  for (const Contest& contest : contests) {
    const DataProblem& problem = data.problems[contest.problem];
    const Profile& profile = data.machines[contest.machine].profile;
    const std::vector<float> values = features_of(problem.known.form, profile, target);
    for (const Option option : all_options) {
      const std::optional<double> modelled = physics(problem.known.form, profile, option, target);
      if (!contest.at(option) || !modelled) continue;
      const double time = contest.at(option)->median;
      table.rows.push_back({option, target, problem.known.family, 1,
                            static_cast<float>(std::log(raw ? time : time / *modelled))});
      table.values.insert(table.values.end(), values.begin(), values.end());
    }
  }
  return table;
}

std::vector<Selector> trees_selectors(const TrainingSettings& settings) {
  return {by_trees("trees on raw time", true, settings), by_trees("physics and trees", false, settings)};
}

}  // namespace sextant::predict
