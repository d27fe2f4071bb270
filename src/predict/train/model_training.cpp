#include "predict/train/model_training.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "predict/train/error_relations.hpp"
#include "predict/train/size_calibration.hpp"
#include "predict/train/user_kernels.hpp"

namespace sextant::predict {
namespace {

double error_at(const Constants& constants, const FitCase& one) {
  const auto time = AnalyticModel(constants).time(*one.form, *one.profile, one.option, one.target);
  return one.log_time - std::log(time.value());
}

// The error of each case by constants that are fitted to the families of other folds.
std::vector<double> held_out_errors(const TrainingCases& training, const TrainingSettings& settings) {
  std::vector<std::size_t> sizes(training.families.size(), 0);
  for (const FitCase& one : training.cases) ++sizes[one.group];
  const std::vector<std::size_t> fold_of = folds_of(sizes, settings.folds);
  const std::size_t count = sizes.size() < 2 ? 0 : *std::max_element(fold_of.begin(), fold_of.end()) + 1;
  std::vector<std::future<Constants>> fits;
  for (std::size_t fold = 0; fold < count; ++fold)
    fits.push_back(std::async(std::launch::async, [&, fold] {
      std::vector<FitCase> others;
      for (const FitCase& one : training.cases)
        if (fold_of[one.group] != fold) others.push_back(one);
      return fitted_constants(others, settings.fit);
    }));
  std::vector<Constants> constants;
  for (std::future<Constants>& fit : fits) constants.push_back(fit.get());
  std::vector<double> errors;
  for (const FitCase& one : training.cases)
    errors.push_back(error_at(count > 0 ? constants[fold_of[one.group]] : Constants(), one));
  return errors;
}

struct Errors {
  std::size_t rows = 0;
  std::map<std::size_t, std::vector<double>> start, held_out;  // squares by family
};

double root_mean(const std::map<std::size_t, std::vector<double>>& squares) {
  double sum = 0;
  for (const auto& [family, own] : squares)
    sum += std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
  return std::sqrt(sum / static_cast<double>(squares.size()));
}

std::vector<TrainingReport> reports_of(const TrainingCases& training, const std::vector<double>& held_out) {
  std::map<std::pair<Option, Target>, Errors> all;
  const Constants start;
  for (std::size_t i = 0; i < training.cases.size(); ++i) {
    const FitCase& one = training.cases[i];
    Errors& own = all[{one.option, one.target}];
    ++own.rows;
    own.start[one.group].push_back(std::pow(error_at(start, one), 2));
    own.held_out[one.group].push_back(held_out[i] * held_out[i]);
  }
  std::vector<TrainingReport> reports;
  for (const auto& [key, own] : all)
    reports.push_back(
        {key.first, key.second, own.rows, own.start.size(), root_mean(own.start), root_mean(own.held_out)});
  return reports;
}

Calibrations calibrations_of(const TrainingCases& training, const std::vector<double>& held_out) {
  std::array<std::array<std::vector<HeldOutCase>, target_count>, option_count> cases;
  const bool any = std::count(training.choice.begin(), training.choice.end(), 1) > 0;
  for (std::size_t i = 0; i < training.cases.size(); ++i) {
    const FitCase& one = training.cases[i];
    if (training.choice[i] || !any)
      cases[static_cast<std::size_t>(one.option)][static_cast<std::size_t>(one.target)].push_back(
          {one.group, held_out[i], 1});
  }
  Calibrations calibrations;
  for (std::size_t option = 0; option < option_count; ++option)
    for (std::size_t target = 0; target < target_count; ++target)
      calibrations[option][target] = calibrate(cases[option][target]);
  return calibrations;
}

std::vector<FormRange> ranges_of(const TrainingCases& training) {
  std::vector<FormRange> ranges;
  for (const FormColumn& column : form_columns()) {
    FormRange range = {column.name, std::numeric_limits<double>::max(),
                       std::numeric_limits<double>::lowest()};
    for (const FitCase& one : training.cases) {
      const double value = std::log2(1 + column.value(*one.form));
      if (!std::isfinite(value)) continue;
      range.low = std::min(range.low, value), range.high = std::max(range.high, value);
    }
    if (range.low <= range.high) ranges.push_back(range);
  }
  return ranges;
}

ProblemsByTarget with_traits(const DataSet& data, ProblemsByTarget problems) {
  for (std::vector<Contest>& of_target : problems)
    std::erase_if(of_target, [&](const Contest& contest) {
      return !has_traits(data.problems[contest.problem].known.form);
    });
  return problems;
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

TrainingCases cases_of(const DataSet& data, const ProblemsByTarget& problems) {
  TrainingCases training;
  std::map<std::string, std::size_t> groups;
  const AnalyticModel start{Constants()};
  for (const Target target : all_targets)
    for (const Contest& contest : problems[static_cast<std::size_t>(target)]) {
      const KnownForm& known = data.problems[contest.problem].known;
      const Profile& profile = data.machines[contest.machine].profile;
      if (!has_traits(known.form)) continue;
      for (const Option option : all_options) {
        const Target own = learnt_as(option, target);
        // Call times of the CPU are among those of Target::call.
        if (!contest.at(option) || (own != target && !problems[0].empty())) continue;
        const auto modelled = start.time(known.form, profile, option, own);
        if (!modelled || !(*modelled > 0)) continue;
        const auto [group, fresh] = groups.try_emplace(known.family, groups.size());
        if (fresh) training.families.push_back(known.family);
        training.cases.push_back(
            {&known.form, &profile, option, own, group->second, std::log(contest.at(option)->median)});
        training.choice.push_back(is_contest(contest, profile));
      }
    }
  return training;
}

Training taught_by(const DataSet& data, const ProblemsByTarget& problems, const TrainingSettings& settings) {
  const ProblemsByTarget described = with_traits(data, problems),
                         best = by_the_best_variants(data, of_families_with_a_choice(data, described));
  const TrainingCases training = cases_of(data, best);
  const std::vector<double> held_out = held_out_errors(training, settings);
  Training result;
  AdviceModel& model = result.model;
  model.machines = hardware_of(data);
  model.constants = fitted_constants(training.cases, settings.fit);
  model.ranges = ranges_of(training);
  model.calibrations = calibrations_of(training, held_out);
  model.relations = relations_of(data, best, AnalyticModel(model.constants));
  if (settings.sizes) model.of_sizes = calibrate_sizes(data, described, model);
  fit_user_kernels(data, problems, &model);
  result.reports = reports_of(training, held_out);
  return result;
}

std::vector<std::string> hardware_of(const DataSet& data) {
  std::set<std::string> all;
  for (const DataMachine& machine : data.machines) all.insert(hardware_of(machine.profile));
  return {all.begin(), all.end()};
}

}  // namespace sextant::predict
