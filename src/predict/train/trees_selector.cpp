#include "predict/train/trees_selector.hpp"

#include <cmath>
#include <memory>

#include "predict/features.hpp"
#include "predict/physics.hpp"
#include "predict/predictor.hpp"
#include "predict/train/model_training.hpp"

namespace sextant::predict {
namespace {

// That an option was measured says no more than that it exists.
std::array<bool, option_count> offered_at(const Contest& contest) {
  std::array<bool, option_count> offered = {};
  for (const Option option : all_options)
    offered[static_cast<std::size_t>(option)] = contest.at(option).has_value();
  return offered;
}

// Log of the time, by physics and trees; infinite where physics says nothing or nothing was learnt of the option.
double predicted(const Trees& trees, const Form& form, const Profile& profile, Option option, Target target,
                 bool raw) {
  const std::optional<double> modelled = physics(form, profile, option, target);
  const std::optional<float> learnt =
      trees.at(option, target, Term::residual, features_of(form, profile, target));
  if (!modelled || !learnt) return Answer::none;
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
            own.difficulty = false;
            if (raw) own.boost.base = mean_of_residuals(table);
            const auto trees =
                std::make_shared<Trees>(Trees::read(train(table, own).json, "the trained model"));
            return [&data, target, raw, trees](const Contest& contest) {
              Answer::Values times;
              for (const Option option : all_options)
                times[static_cast<std::size_t>(option)] =
                    contest.at(option) ? predicted(*trees, data.problems[contest.problem].known.form,
                                                   data.machines[contest.machine].profile, option,
                                                   learnt_as(option, target), raw)
                                       : Answer::none;
              Answer answer = least_of(times);
              answer.costs_are_times = true;
              return answer;
            };
          }};
}

Answer answer_of(const Prediction& prediction, const Contest& contest, double risk) {
  const std::vector<Outlook> outlooks = outlooks_of(prediction, offered_at(contest));
  const Decision decision = decide(outlooks, risk);
  Answer answer;
  answer.costs_are_times = true;
  answer.half_width.emplace();
  for (const Outlook& one : outlooks) {
    answer.cost[static_cast<std::size_t>(one.option)] = one.log_time;
    (*answer.half_width)[static_cast<std::size_t>(one.option)] =
        prediction[static_cast<std::size_t>(one.option)].total.half_width;
  }
  if (decision.choice) answer.choice = outlooks[*decision.choice].option;
  answer.abstains = decision.abstains;
  return answer;
}

// The contest with its serial time alone.
Contest with_serial_alone(const Contest& contest) {
  Contest alone = contest;
  alone.times = {};
  alone.times[static_cast<std::size_t>(Option::serial)] = contest.at(Option::serial);
  return alone;
}

struct AdviceSelector {
  TrainingSettings settings;
  double risk;
  bool serial_measured;

  Choose operator()(const DataSet& data, Target target, const std::vector<Contest>& taught) const {
    const TrainingTable table = table_of(data, target, taught, false);
    const auto model =
        std::make_shared<AdviceModel>(model_of(table, train(table, settings), hardware_of(data)));
    const auto known = std::make_shared<std::array<std::vector<Contest>, target_count>>();
    (*known)[static_cast<std::size_t>(target)] = taught;
    return [&data, target, model, known, told = serial_measured, limit = risk](const Contest& contest) {
      const DataProblem& problem = data.problems[contest.problem];
      auto here = *known;
      if (told) here[static_cast<std::size_t>(target)].push_back(with_serial_alone(contest));
      const Predictor predictor(*model, data.machines[contest.machine].profile, data, here);
      const Asked asked = {.kernel = kernel_in_type(problem.what),
                           .problem = problem.name,
                           .form = problem.known.form,
                           .resident = target == Target::call};
      return answer_of(predictor.predict(asked), contest, limit);
    };
  }
};

}  // namespace

std::vector<Selector> trees_selectors(const TrainingSettings& settings) {
  return {by_trees("trees on raw time", true, settings), by_trees("physics and trees", false, settings)};
}

std::vector<Selector> advice_selectors(const TrainingSettings& settings, double risk) {
  return {{"advice", AdviceSelector{settings, risk, false}},
          {"advice, serial measured", AdviceSelector{settings, risk, true}}};
}

}  // namespace sextant::predict
