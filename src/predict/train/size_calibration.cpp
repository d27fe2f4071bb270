#include "predict/train/size_calibration.hpp"

#include <cmath>
#include <map>

#include "predict/folds.hpp"
#include "predict/predictor.hpp"

namespace sextant::predict {
namespace {

using CasesByOption = std::array<std::array<std::vector<HeldOutCase>, target_count>, option_count>;

ProblemsByTarget in_part(const ProblemsByTarget& problems, const std::vector<Part>& parts, Part part) {
  ProblemsByTarget some;
  for (std::size_t target = 0; target < target_count; ++target)
    for (const Contest& problem : problems[target])
      if (parts[problem.rows.front()] == part) some[target].push_back(problem);
  return some;
}

// Holding out only every third size keeps most neighbouring sizes known. This resembles a user's question
// about a size between measured ones.
constexpr std::size_t every = 3;

// Tests every third size of each kernel, starting at index `nth`. All other sizes train.
std::vector<Part> every_nth_size(const DataSet& data, std::size_t nth) {
  const std::vector<std::size_t> places = places_among_sizes(data);
  std::vector<Part> parts;
  for (const DataRow& row : data.rows)
    parts.push_back(places[row.problem] % every == nth ? Part::test : Part::train);
  return parts;
}

// The problems at which the options can be compared (is_contest), or all problems if there are none.
ProblemsByTarget with_a_choice(const DataSet& data, const ProblemsByTarget& problems) {
  ProblemsByTarget some;
  for (std::size_t target = 0; target < target_count; ++target)
    some[target] = contests_among(data, problems[target]);
  return some[0].empty() && some[1].empty() ? problems : some;
}

bool empty(const ProblemsByTarget& problems) { return problems[0].empty() && problems[1].empty(); }

// The model with placeholder calibrations, which only mark the options that it can predict.
AdviceModel uncalibrated(AdviceModel model) {
  for (auto& of_option : model.calibrations)
    for (Calibration& one : of_option)
      if (one.groups > 0) one = {1, 1, true, 0, 1};
  return model;
}

void add_errors(const DataSet& data, Target target, const Contest& problem, const Predictor& predictor,
                bool skip_cpu, CasesByOption* cases) {
  const DataProblem& of = data.problems[problem.problem];
  const Prediction prediction = predictor.predict({.kernel = kernel_in_type(of.what),
                                                   .problem = of.name,
                                                   .form = of.known.form,
                                                   .resident = target == Target::call});
  for (const Option option : all_options) {
    const OptionTime& said = prediction[static_cast<std::size_t>(option)];
    if (!problem.at(option) || !said.sizes_known || (skip_cpu && !on_gpu(option))) continue;
    auto& own =
        (*cases)[static_cast<std::size_t>(option)][static_cast<std::size_t>(learnt_as(option, target))];
    own.push_back({own.size(), std::log(problem.at(option)->median) - said.total.log_time, said.open});
  }
}

void add_fold(const DataSet& data, const ProblemsByTarget& known, const ProblemsByTarget& asked,
              const AdviceModel& model, CasesByOption* cases) {
  std::map<std::size_t, Predictor> predictors;  // by machine: its predictor
  for (const Target target : all_targets)
    for (const Contest& problem : asked[static_cast<std::size_t>(target)]) {
      const auto predictor =
          predictors.try_emplace(problem.machine, model, data.machines[problem.machine].profile, data, known)
              .first;
      add_errors(data, target, problem, predictor->second, target == Target::whole && !asked[0].empty(),
                 cases);
    }
}

// Calibrates intervals. Each case's difficulty must be the fraction of the variance that the history
// correction left.
Calibration calibrated(std::vector<HeldOutCase> cases) {
  if (cases.empty()) return {};
  const double scatter = scatter_of(cases);
  for (HeldOutCase& one : cases) one.difficulty = left_of(one.difficulty, scatter);
  Calibration calibration = calibrate(cases);
  calibration.scatter = scatter;
  return calibration;
}

}  // namespace

Calibrations calibrate_sizes(const DataSet& data, const ProblemsByTarget& problems,
                             const AdviceModel& model) {
  CasesByOption cases;
  const AdviceModel plain = uncalibrated(model);
  const auto ask = [&](const std::vector<Part>& parts) {
    const ProblemsByTarget known = in_part(problems, parts, Part::train),
                           asked = with_a_choice(data, in_part(problems, parts, Part::test));
    if (!empty(known) && !empty(asked)) add_fold(data, known, asked, plain, &cases);
  };
  const Folds decades(data, Split::size_out);
  for (const std::string& decade : decades.names()) ask(decades.parts(decade));
  for (std::size_t nth = 0; nth < every; ++nth) ask(every_nth_size(data, nth));
  Calibrations calibrations;
  for (std::size_t option = 0; option < option_count; ++option)
    for (std::size_t target = 0; target < target_count; ++target)
      calibrations[option][target] = calibrated(cases[option][target]);
  return calibrations;
}

}  // namespace sextant::predict
