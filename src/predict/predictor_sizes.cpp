// The predictor's knowledge of sizes that were measured on this machine.
#include <algorithm>
#include <cmath>

#include "predict/analytic_model.hpp"
#include "predict/predictor_parts.hpp"

namespace sextant::predict {
namespace {

std::size_t at(Option option) { return static_cast<std::size_t>(option); }
std::size_t at(Target target) { return static_cast<std::size_t>(target); }

// True if the form has all properties by which the analytic model was made. User kernels do not state them
// all. Their times at other sizes then come from the measured sizes alone.
bool is_fully_described(const Form& form) { return form.traits.loads >= 0 && form.traits.depth >= 0; }

// Modelled seconds of allocation and copies; 0 if copy costs are missing.
double modelled_rest(const AnalyticModel& analytic, const Form& form, const Profile& profile, Option option) {
  const auto whole = analytic.time(form, profile, option, Target::whole),
             call = analytic.time(form, profile, option, Target::call);
  return whole && call ? *whole - *call : 0;
}

// Allocation and copies as a size: they are proportional to their modelled time, after a constant part.
ModelledSize size_of_rest(double modelled, double measured) {
  ModelledSize size;
  size.amounts[0] = modelled, size.launches = std::max(measured - modelled, 0.0);
  return size;
}

}  // namespace

Expected expected_of(const Interval& measured) {
  // Half width of the 95 % interval in log time.
  const double half = measured.low > 0 ? std::log(measured.high / measured.low) / 2 : 0;
  const double deviation = std::max(half / 1.96, least_difficulty / ninety_percent);
  return {std::log(measured.median), deviation, ninety_percent * deviation};
}

Expected sum(double a, const Expected& x, double b, const Expected& y) {
  const double first = a * std::exp(x.log_time), second = b * std::exp(y.log_time), both = first + second;
  return {std::log(both), (first * x.deviation + second * y.deviation) / both,
          (first * x.half_width + second * y.half_width) / both};
}

void Predictor::remember_sizes(const DataSet& data,
                               const std::array<std::vector<Contest>, target_count>& known) {
  // Serial code first: it explains the work of the others.
  for (const bool serial : {true, false}) {
    for (const Contest& contest : known[at(Target::call)])
      for (const Option option : all_options)
        if ((option == Option::serial) == serial) remember_size(data, contest, option);
    for (auto& [kernel, sizes] : sizes_)
      if (const auto& own = sizes.timed[at(Target::call)][at(Option::serial)]; !own.empty())
        sizes.amount = amount_of_growth(own);
  }
  for (const Contest& contest : known[at(Target::whole)])
    for (const Option option : all_options)
      if (on_gpu(option)) remember_rest(data, contest, option);
}

void Predictor::remember_size(const DataSet& data, const Contest& contest, Option option) {
  if (!contest.at(option) || hardware_of(data.machines[contest.machine].profile) != hardware_) return;
  const DataProblem& problem = data.problems[contest.problem];
  const Asked asked = {kernel_in_type(problem.what), problem.name, problem.known.form};
  const Form form = on_gpu(option) ? as_measured(asked, option) : asked.form;
  const auto modelled = analytic_.call_time(form, profile_, option);
  if (!modelled) return;
  const Expected time = expected_of(*contest.at(option));
  TimedSize size = {modelled_size(analytic_, form, profile_, option, *modelled), std::exp(time.log_time),
                    time.deviation};
  // Threads hardly need more than twice the time of serial code for the work itself. The rest is their start.
  if (option == Option::openmp && contest.at(Option::serial))
    size.size.launches = std::max(size.size.launches, size.seconds - 2 * contest.at(Option::serial)->median);
  sizes_[asked.kernel].timed[at(Target::call)][at(option)].push_back(size);
}

void Predictor::remember_rest(const DataSet& data, const Contest& contest, Option option) {
  const DataProblem& problem = data.problems[contest.problem];
  const auto calls = measured_[at(Target::call)].find(problem.name);
  if (!contest.at(option) || hardware_of(data.machines[contest.machine].profile) != hardware_ ||
      calls == measured_[at(Target::call)].end() || !calls->second[at(option)])
    return;
  const double modelled = modelled_rest(analytic_, problem.known.form, profile_, option);
  const Expected whole = expected_of(*contest.at(option));
  const double rest = std::exp(whole.log_time) - std::exp(calls->second[at(option)]->log_time);
  if (modelled > 0 && rest > 0)
    sizes_[kernel_in_type(problem.what)].timed[at(Target::whole)][at(option)].push_back(
        {size_of_rest(modelled, rest), rest, whole.deviation});
}

// The time that was measured on this machine for this problem or, if there is none, at other sizes.
std::optional<Predictor::Learnt> Predictor::measured(const Asked& asked, Option option, Target target) const {
  const auto& times = measured_[at(target)];
  if (const auto found = times.find(asked.problem); found != times.end() && !asked.problem.empty())
    if (const std::optional<Expected>& time = found->second[at(option)])
      return Learnt{Basis::measured, *time, false, false, 0};
  return fitted(asked, option, target);
}

std::optional<Predictor::Learnt> Predictor::fitted(const Asked& asked, Option option, Target target) const {
  const auto found = sizes_.find(asked.kernel);
  if (is_fully_described(asked.form) || found == sizes_.end()) return std::nullopt;
  const Form form = on_gpu(option) ? as_measured(asked, option) : asked.form;
  const auto modelled = analytic_.call_time(form, profile_, option);
  if (!modelled) return std::nullopt;
  const auto& [timed, amount] = found->second;
  const std::vector<TimedSize>& own = timed[at(Target::call)][at(option)];
  const ModelledSize size = modelled_size(analytic_, form, profile_, option, *modelled);
  if (own.empty() || !(size.amounts[amount] > 0)) return std::nullopt;
  FittedTime time = time_at(model_->constants, own, size, amount, option);
  if (target == Target::whole) {
    const double rest = modelled_rest(analytic_, asked.form, profile_, option);
    const std::vector<TimedSize>& rests = timed[at(Target::whole)][at(option)];
    if (rests.empty() || !(rest > 0)) return std::nullopt;
    const FittedTime copies = time_at(model_->constants, rests, size_of_rest(rest, rest), 0, option);
    const Expected both =
        sum(1, {time.log_time, time.deviation, 0}, 1,
            {copies.log_time, std::hypot(copies.deviation, model_->constants.fitted_copies_deviation), 0});
    time = {both.log_time, both.deviation};
  }
  return Learnt{
      Basis::nearby, {time.log_time, time.deviation, ninety_percent * time.deviation}, false, true, 0};
}

// The form with as many integer operations as explain the time of serial code on this machine. Only for code
// that is not fully described; the history correction applies to the others.
Form Predictor::as_measured(const Asked& asked, Option option) const {
  Form form = asked.form;
  const auto serial = measured(asked, Option::serial, Target::call);
  const auto modelled = analytic_.call_time(form, profile_, Option::serial);
  if (is_fully_described(form) || !serial || !modelled) return form;
  const double time = std::exp(serial->expected.log_time);
  if (time <= modelled->total()) return form;
  const auto arithmetic = [&](std::int64_t operations) {
    form.work.integer_operations = operations;
    return analytic_.call_time(form, profile_, Option::serial)->arithmetic;
  };
  const std::int64_t many = std::max<std::int64_t>(form.work.items, 1) * 1000;
  const double none = arithmetic(0), each = (arithmetic(many) - none) / static_cast<double>(many);
  form.work.integer_operations = each > 0
                                     ? std::llround(std::max(time - modelled->launches - none, 0.0) / each *
                                                    (on_gpu(option) ? model_->constants.explained_on_gpu : 1))
                                     : 0;
  return form;
}

}  // namespace sextant::predict
