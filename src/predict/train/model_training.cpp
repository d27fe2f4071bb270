#include "predict/train/model_training.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "predict/analytic_model.hpp"
#include "predict/features.hpp"
#include "predict/train/error_relations.hpp"
#include "predict/train/size_calibration.hpp"

namespace sextant::predict {

TrainingTable table_of(const DataSet& data, Target target, const std::vector<Contest>& problems, bool raw) {
  TrainingTable table;
  table.features = feature_list();
  std::map<std::size_t, std::vector<float>> of_profiles;  // by machine: the features of its profile
  for (const Contest& contest : problems) {
    const KnownForm& known = data.problems[contest.problem].known;
    const Profile& profile = data.machines[contest.machine].profile;
    std::vector<float>& of_profile = of_profiles[contest.machine];
    if (of_profile.empty()) of_profile = features_of(profile);
    const bool choice = is_contest(contest, profile);
    for (const Option option : all_options) {
      const Target own = learnt_as(option, target);
      const std::optional<double> modelled = analytic_time(known.form, profile, option, own);
      if (!contest.at(option) || !modelled || !(*modelled > 0)) continue;
      const double time = contest.at(option)->median;
      table.rows.push_back({option, own, known.family, 1,
                            static_cast<float>(std::log(raw ? time : time / *modelled)), choice});
      const std::vector<float> values = features_of(known.form, profile, own, of_profile);
      table.values.insert(table.values.end(), values.begin(), values.end());
    }
  }
  return table;
}

TrainingTable table_of(const DataSet& data, const ProblemsByTarget& problems) {
  TrainingTable table = table_of(data, Target::call, problems[0], false);
  const TrainingTable whole = table_of(data, Target::whole, problems[1], false);
  for (std::size_t i = 0; i < whole.rows.size(); ++i) {
    // CPU rows are already in the table, because call and end-to-end times are equal on the CPU.
    if (whole.rows[i].target != Target::whole && !problems[0].empty()) continue;
    table.rows.push_back(whole.rows[i]);
    const std::span<const float> values = whole.of(i);
    table.values.insert(table.values.end(), values.begin(), values.end());
  }
  return table;
}

TrainingTable table_of(const DataSet& data) {
  return table_of(data, by_the_best_variants(data, of_families_with_a_choice(data, measured_problems(data))));
}

AdviceModel model_of(const TrainingTable& table, const Training& training,
                     std::vector<std::string> machines) {
  AdviceModel model = {std::move(machines), Trees::read(training.json, "the trained model"), {}};
  std::map<std::string, std::size_t> groups;
  std::array<std::array<std::vector<HeldOutCase>, target_count>, option_count> cases;
  const bool any =
      std::any_of(table.rows.begin(), table.rows.end(), [](const TrainingRow& row) { return row.choice; });
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const TrainingRow& row = table.rows[i];
    if (any && !row.choice) continue;
    const HeldOut& held_out = training.held_out[i];
    const std::size_t group = groups.try_emplace(row.group, groups.size()).first->second;
    cases[static_cast<std::size_t>(row.option)][static_cast<std::size_t>(row.target)].push_back(
        {group, static_cast<double>(held_out.residual), static_cast<double>(held_out.difficulty)});
  }
  for (std::size_t option = 0; option < option_count; ++option)
    for (std::size_t target = 0; target < target_count; ++target)
      model.calibrations[option][target] = calibrate(cases[option][target]);
  return model;
}

AdviceModel taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings,
                      Training* training) {
  const ProblemsByTarget best = by_the_best_variants(data, of_families_with_a_choice(data, problems));
  const TrainingTable table = table_of(data, best);
  *training = train(table, settings);
  AdviceModel model = model_of(table, *training, hardware_of(data));
  model.relations = relations_of(data, best, model.trees);
  if (settings.sizes) model.of_sizes = calibrate_sizes(data, problems, settings, *training, model.relations);
  return model;
}

TrainingSettings advice_settings() {
  TrainingSettings settings;
  settings.folds = 16;  // with up to 16 families, each is held out alone
  settings.boost.depth = 3;
  settings.least_families = 16;
  // A small gain may not carry over to other families, so trees are kept only for a large one.
  settings.worth = 0.75;
  return settings;
}

std::vector<std::string> hardware_of(const DataSet& data) {
  std::set<std::string> all;
  for (const DataMachine& machine : data.machines) all.insert(hardware_of(machine.profile));
  return {all.begin(), all.end()};
}

}  // namespace sextant::predict
