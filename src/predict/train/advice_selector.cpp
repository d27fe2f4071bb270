#include "predict/train/advice_selector.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "predict/advice.hpp"
#include "predict/analytic_model.hpp"
#include "predict/launches.hpp"
#include "predict/predictor.hpp"

namespace sextant::predict {
namespace {

// By option: true if it was measured at this problem. Selectors must not use the measured time itself.
std::array<bool, option_count> offered_at(const Contest& contest) {
  std::array<bool, option_count> offered = {};
  for (const Option option : all_options)
    offered[static_cast<std::size_t>(option)] = contest.at(option).has_value();
  return offered;
}

// Caches trained models, because several selectors train on the same problems.
class TaughtModels {
 public:
  explicit TaughtModels(TrainingSettings settings) : settings_(settings) {}

  // Thread-safe, because folds run concurrently.
  std::shared_ptr<const AdviceModel> by(const DataSet& data, const ProblemsByTarget& taught) {
    // Indices of the data set's rows, which identify the training data of a model.
    std::vector<std::size_t> rows;
    for (const std::vector<Contest>& of_target : taught) {
      for (const Contest& contest : of_target)
        rows.insert(rows.end(), contest.rows.begin(), contest.rows.end());
      rows.push_back(data.rows.size());
    }
    if (const auto known = known_by(data, rows)) return known;
    auto model = std::make_shared<AdviceModel>(taught_by(data, taught, settings_).model);
    const std::lock_guard lock(mutex_);
    return models_[rows] = std::move(model);
  }

 private:
  std::shared_ptr<const AdviceModel> known_by(const DataSet& data, const std::vector<std::size_t>& rows) {
    const std::lock_guard lock(mutex_);
    if (data_ != &data) models_.clear();
    data_ = &data;
    const auto found = models_.find(rows);
    return found == models_.end() ? nullptr : found->second;
  }

  TrainingSettings settings_;
  std::mutex mutex_;
  const DataSet* data_ = nullptr;
  std::map<std::vector<std::size_t>, std::shared_ptr<const AdviceModel>> models_;
};

Selector by_fitted_physics(std::shared_ptr<TaughtModels> model) {
  return {"physics, fitted",
          [model = std::move(model)](const DataSet& data, Target target,
                                     const ProblemsByTarget& taught) -> Choose {
            return choose_by_time(data, target,
                                  [analytic = AnalyticModel(model->by(data, taught)->constants)](
                                      const Form& form, const Profile& profile, Option option, Target its) {
                                    return analytic.time(form, profile, option, its);
                                  });
          }};
}

Answer answer_of(const Prediction& prediction, const Contest& contest, double risk) {
  const std::vector<Outlook> outlooks = outlooks_of(prediction, offered_at(contest));
  const Decision decision = decide(outlooks, risk);
  Answer answer;
  answer.costs_are_times = true;
  answer.half_width.emplace();
  answer.ratio_half_width.emplace();
  for (const Outlook& one : outlooks)
    for (const Outlook& other : outlooks)
      (*answer
            .ratio_half_width)[static_cast<std::size_t>(one.option)][static_cast<std::size_t>(other.option)] =
          half_width_between(prediction, one.option, other.option);
  for (const Outlook& one : outlooks) {
    answer.cost[static_cast<std::size_t>(one.option)] = one.log_time;
    answer.told[static_cast<std::size_t>(one.option)] =
        prediction[static_cast<std::size_t>(one.option)].basis == Basis::measured;
    (*answer.half_width)[static_cast<std::size_t>(one.option)] =
        prediction[static_cast<std::size_t>(one.option)].total.half_width;
  }
  if (decision.choice) answer.choice = outlooks[*decision.choice].option;
  answer.abstains = decision.abstains || !is_ahead(prediction, outlooks, answer.choice, risk);
  return answer;
}

// A copy of the problem's measured times that contains only the serial time.
Contest with_serial_alone(const Contest& contest) {
  Contest alone = contest;
  alone.times = {};
  alone.times[static_cast<std::size_t>(Option::serial)] = contest.at(Option::serial);
  return alone;
}

struct AdviceSelector {
  std::shared_ptr<TaughtModels> model;
  double risk;
  bool serial_measured;

  Choose operator()(const DataSet& data, Target target, const ProblemsByTarget& taught) const {
    // Measured problems by kernel and type, because the history correction uses only the same kernel and
    // type.
    std::map<std::string, ProblemsByTarget> known;
    for (const Target its : all_targets)
      for (const Contest& contest : taught[static_cast<std::size_t>(its)])
        known[kernel_in_type(data.problems[contest.problem].what)][static_cast<std::size_t>(its)].push_back(
            contest);
    std::vector<Profile> profiles;
    for (const DataMachine& machine : data.machines)
      profiles.push_back(with_launches_within(machine.profile, data, taught[0]));
    return [&data, target, known = std::move(known), profiles = std::move(profiles),
            own = model->by(data, taught), told = serial_measured, limit = risk](const Contest& contest) {
      const DataProblem& problem = data.problems[contest.problem];
      const Asked asked = {.kernel = kernel_in_type(problem.what),
                           .problem = problem.name,
                           .form = problem.known.form,
                           .resident = target == Target::call};
      ProblemsByTarget here;
      if (const auto found = known.find(asked.kernel); found != known.end()) here = found->second;
      if (told) here[static_cast<std::size_t>(Target::call)].push_back(with_serial_alone(contest));
      const Predictor predictor(*own, profiles[contest.machine], data, here);
      return answer_of(predictor.predict(asked), contest, limit);
    };
  }
};

}  // namespace

std::vector<Selector> trained_selectors(const TrainingSettings& settings, double risk) {
  const auto model = std::make_shared<TaughtModels>(settings);
  return {by_fitted_physics(model),
          {"advice", AdviceSelector{model, risk, false}},
          {"advice, serial measured", AdviceSelector{model, risk, true}}};
}

}  // namespace sextant::predict
