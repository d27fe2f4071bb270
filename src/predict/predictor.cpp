#include "predict/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "predict/analytic_model.hpp"
#include "predict/launches.hpp"
#include "predict/predictor_parts.hpp"

namespace sextant::predict {
namespace {

// Number of machines in the training data from which 90 % intervals on a new machine are reliable.
constexpr std::size_t machines_for_others = 9;
// Maximum number of measured cases that a prediction uses. The nearest sizes matter most.
constexpr std::size_t most_history = 16;
// Standard deviation of a case's log time between sessions and between best variants. The samples of a single
// session do not show it.
constexpr double scatter = 0.22;
const double scattered_variance = std::pow(scatter / Relation().deviation, 2);
// Number of executions that measuring a case takes, without the execution of the serial reference.
constexpr double samples_of_a_case = 20;

std::size_t at(Option option) { return static_cast<std::size_t>(option); }
std::size_t at(Target target) { return static_cast<std::size_t>(target); }

// Features of a machine. A factor of four in one of them is a distance of 1.
std::vector<float> place_of(const Profile& profile) {
  const auto half_log = [](std::optional<double> value) {
    return value && *value > 0 ? static_cast<float>(std::log2(*value) / 2) : std::nanf("");
  };
  constexpr std::int64_t large = std::int64_t{256} << 20, small = std::int64_t{1} << 20;
  return {half_log(profile.threads),
          half_log(profile.all_cores.bandwidth(small, 0.5)),
          half_log(profile.all_cores.bandwidth(large, 0.5)),
          half_log(profile.all_cores.flop_rate(ElementType::float64, false)),
          half_log(profile.on_gpu.bandwidth(large, 0.5)),
          half_log(profile.on_gpu.flop_rate(ElementType::float64, false)),
          half_log(profile.gpu ? profile.gpu->copy_in.at(large) : std::nullopt)};
}

// The error of modelled call times of kernels without traits.
CallError error_of(const Constants& c, const Form& form, Option option) {
  const bool counted = counts_operations(form);
  if (option == Option::serial)
    return counted ? CallError{c.counted_serial, c.counted_serial_deviation}
                   : CallError{c.uncounted_serial, c.uncounted_serial_deviation};
  if (on_gpu(option))
    return counted ? CallError{c.counted_gpu, c.counted_gpu_deviation}
                   : CallError{c.uncounted_gpu, c.uncounted_gpu_deviation};
  return counted ? CallError{c.counted_threads, c.counted_threads_deviation}
                 : CallError{c.uncounted_threads, c.uncounted_threads_deviation};
}

// Independence (0 to 1) of two models' prediction errors on this CPU; 1 if the thread count is unknown.
double cores_apart_of(const Profile& profile) {
  return profile.threads > 0 ? cores_apart(profile.threads) : 1;
}

// Log of the problem's N, or of its number of items if it has no N.
double log_size(const Asked& asked) {
  const std::int64_t n = asked.form.n > 0 ? asked.form.n : asked.form.work.items;
  return std::log(std::max<double>(static_cast<double>(n), 1));
}

Place place_of(const Asked& asked, Option option, const Profile& profile, const std::string& hardware,
               const std::vector<float>& profile_place, double work) {
  return {option,   asked.kernel,  {},   log_size(asked),
          hardware, profile_place, work, on_gpu(option) ? 1 : cores_apart_of(profile)};
}

// Implements Predictor::knows_machine. The number of threads and partitions of a GPU do not matter.
bool knows(const AdviceModel& model, const Profile& profile) {
  std::set<std::string> taught;
  for (const std::string& hardware : model.machines) taught.insert(whole_hardware_of(hardware));
  return taught.size() >= machines_for_others || taught.contains(whole_hardware_of(profile));
}

}  // namespace

std::string kernel_in_type(const Case& what) {
  return what.kernel + ' ' + sextant::name_of(what.problem.type);
}

double half_width_between(const Prediction& prediction, Option a, Option b) {
  if (a == b) return 0;
  const OptionTime &one = prediction[at(a)], &other = prediction[at(b)];
  const bool unknown = one.basis <= Basis::analytic && other.basis <= Basis::analytic;
  const double correlation = on_gpu(a) != on_gpu(b) ? 0 : unknown ? same_device : Relation().same_device;
  const double x = one.total.half_width, y = other.total.half_width;
  return std::sqrt(std::max(x * x + y * y - 2 * correlation * x * y, 0.0));
}

std::vector<Outlook> outlooks_of(const Prediction& prediction,
                                 const std::array<bool, option_count>& offered) {
  std::vector<Outlook> outlooks;
  const OptionTime& serial = prediction[at(Option::serial)];
  const double reference = serial.basis == Basis::nothing ? 0 : std::exp(serial.call.log_time);
  for (const Option option : all_options) {
    const OptionTime& one = prediction[at(option)];
    if (one.basis == Basis::nothing || !offered[at(option)]) continue;
    outlooks.push_back({option, one.total.log_time, one.total.deviation,
                        samples_of_a_case * std::exp(one.total.log_time) + reference});
  }
  return outlooks;
}

Predictor::Predictor(const AdviceModel& model, const Profile& profile, const DataSet& data,
                     const std::array<std::vector<Contest>, target_count>& known)
    : model_(&model),
      analytic_(model.constants),
      profile_(with_launches_within(profile, data, known[0])),
      hardware_(hardware_of(profile)),
      knows_machine_(knows(model, profile)),
      profile_place_(place_of(profile_)) {
  Cases cases;
  remember(data, Target::call, known[0], false, &cases);
  remember(data, Target::whole, known[1], !known[0].empty(), &cases);
  for (const Target target : all_targets)
    for (auto& [kernel, own] : cases[at(target)])
      histories_[at(target)].emplace(
          kernel, HistoryCorrection(std::move(own), model.relations[at(target)], most_history));
  remember_sizes(data, known);
}

namespace {

// By machine and kernel: whether the kernel was measured on the CPU [0] and on the GPU [1].
using Sides = std::map<std::pair<std::size_t, std::string>, std::array<bool, 2>>;

Sides sides_of(const DataSet& data, const std::vector<Contest>& known) {
  Sides sides;
  for (const Contest& contest : known)
    for (const Option option : all_options)
      if (contest.at(option))
        sides[{contest.machine, kernel_in_type(data.problems[contest.problem].what)}][on_gpu(option)] = true;
  return sides;
}

}  // namespace

void Predictor::remember(const DataSet& data, Target target, const std::vector<Contest>& known, bool skip_cpu,
                         Cases* all) {
  Cases& cases = *all;
  std::vector<Profile> profiles;
  for (const DataMachine& machine : data.machines)
    profiles.push_back(hardware_of(machine.profile) == hardware_ ? profile_ : machine.profile);
  const Sides sides = sides_of(data, known);
  const std::vector<Contest> best = by_the_best_variants(data, target, known);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Contest& contest = known[i];
    const DataProblem& problem = data.problems[contest.problem];
    const Profile& profile = profiles[contest.machine];
    const std::string hardware = hardware_of(profile);
    const Form& form = problem.known.form;
    const Asked asked = {kernel_in_type(problem.what), problem.name, form};
    // Skips cases of another machine with a GPU that measured this kernel only on the CPU or only on the GPU.
    // Their errors may be due to that machine instead of the kernel.
    const std::array<bool, 2> both = sides.at({contest.machine, asked.kernel});
    if (hardware != hardware_ && profile.gpu && !(both[0] && both[1])) continue;
    for (const Option option : all_options) {
      if (!contest.at(option) || (skip_cpu && !on_gpu(option))) continue;
      const Target own = learnt_as(option, target);
      if (hardware == hardware_)
        measured_[at(own)][problem.name][at(option)] = expected_of(*contest.at(option));
      const Expected time = expected_of(*best[i].at(option));
      const Learnt learnt_time = learnt(form, profile, option, own);
      if (learnt_time.basis == Basis::nothing) continue;
      cases[at(own)][asked.kernel].push_back({place_of(asked, option, profile, hardware, place_of(profile),
                                                       analytic_.share_of_work(form, profile, option, own)),
                                              time.log_time - learnt_time.expected.log_time,
                                              std::hypot(time.deviation, scatter)});
      Known& where = known_[at(own)][asked.kernel][at(option)];
      where.elsewhere |= hardware != hardware_;
      where.here |= hardware == hardware_;
    }
  }
}

// Replaces the error of a call's modelled work. Copies, allocation and starts are known better than work.
Predictor::Learnt Predictor::with_error(const Form& form, Option option, Target target,
                                        const CallError& error, Learnt learnt) const {
  const auto call = analytic_.call_time(form, profile_, option);
  if (learnt.basis == Basis::nothing || !call) return learnt;
  const Constants& c = model_->constants;
  const double start = call->launches, work = error.factor * (call->total() - start), longer = start + work;
  const double rest = target == Target::whole && on_gpu(option)
                          ? std::max(std::exp(learnt.expected.log_time) - call->total(), 0.0)
                          : 0;
  const double of_start = on_gpu(option)             ? c.start_error_of_gpu
                          : option == Option::serial ? 1
                                                     : c.start_error_of_threads;
  const double deviation = error.deviation * (of_start * start + work);
  learnt.expected.log_time = std::log(rest + longer);
  learnt.expected.deviation = (c.copies_deviation * rest + deviation) / (rest + longer);
  learnt.expected.half_width = ninety_percent * learnt.expected.deviation;
  return learnt;
}

Predictor::Learnt Predictor::learnt(const Form& form, const Profile& profile, Option option,
                                    Target target) const {
  const std::optional<double> modelled = analytic_.time(form, profile, option, target);
  if (!modelled || !(*modelled > 0)) return {};
  const Calibration& own = model_->calibration(option, target);
  if (own.groups > 0)
    return {Basis::analytic,
            {std::log(*modelled), own.deviation(1), own.half_width(1)},
            own.few_groups,
            false,
            1};
  // This option has no interval of its own. It gets the widest interval of the options on its device.
  Expected widest;
  for (const Option other : all_options) {
    const Calibration& its = model_->calibration(other, target);
    if (on_gpu(other) != on_gpu(option) || its.groups == 0) continue;
    widest.deviation = std::max(widest.deviation, its.deviation(1));
    widest.half_width = std::max(widest.half_width, its.half_width(1));
  }
  if (!(widest.deviation > 0)) return {};
  widest.log_time = std::log(*modelled);
  return {Basis::analytic, widest, true, false, 1};
}

Predictor::Learnt Predictor::with_memory(const Asked& asked, Option option, Target target,
                                         Learnt learnt) const {
  const auto history = histories_[at(target)].find(asked.kernel);
  if (learnt.basis == Basis::nothing || history == histories_[at(target)].end()) return learnt;
  const Correction correction =
      history->second.at(place_of(asked, option, profile_, hardware_, profile_place_,
                                  analytic_.share_of_work(asked.form, profile_, option, target)));
  if (correction.variance > 0.999) return learnt;  // no related case was measured
  learnt.basis = Basis::nearby;
  learnt.expected.log_time += correction.mean;
  learnt.open = correction.variance;
  const Known known = known_of(asked.kernel, option, target);
  learnt.sizes_known = known.here;
  const double left = left_of(learnt.open, scattered_variance);
  double deviation = left * learnt.expected.deviation, half_width = left * learnt.expected.half_width;
  const Calibration& of_sizes = model_->of_size(option, target);
  if (known.elsewhere && of_sizes.groups > 0) {
    const double of_others = left_of(learnt.open, of_sizes.scatter);
    deviation = of_sizes.deviation(of_others), half_width = of_sizes.half_width(of_others);
    learnt.few_groups = of_sizes.few_groups;
  }
  learnt.expected.deviation = std::max(deviation, least_difficulty / ninety_percent);
  learnt.expected.half_width = std::max(half_width, least_difficulty);
  return learnt;
}

Predictor::Known Predictor::known_of(const std::string& kernel, Option option, Target target) const {
  const auto known = known_[at(target)].find(kernel);
  return known == known_[at(target)].end() ? Known() : known->second[at(option)];
}

// Raises times that no machine reaches, unless they were measured: below half of what the ceilings allow,
// threads that gain more than 1.3 times their number over serial code, and threads that take turns for each
// item in less time than a cache line needs from core to core. Threads of kernels with traits may run
// better code than the serial loop: 489 of 3215 problems in data/set gain more.
void Predictor::keep_possible(const Asked& asked, Prediction* prediction) const {
  const OptionTime& serial = (*prediction)[at(Option::serial)];
  for (const Option option : all_options) {
    OptionTime& time = (*prediction)[at(option)];
    if (time.basis == Basis::nothing || time.basis == Basis::measured || time.sizes_known) continue;
    double least = analytic_.least_time(asked.form, profile_, option) / 2;
    if (option == Option::openmp && serial.basis != Basis::nothing && !has_traits(asked.form))
      least = std::max(least, std::exp(serial.call.log_time) / (1.3 * std::max(profile_.threads, 1.0)));
    if (option == Option::openmp && asked.threads_take_turns && !has_traits(asked.form))
      least = std::max(least, model_->constants.line_hop * static_cast<double>(asked.form.work.items));
    const double call = std::exp(time.call.log_time), more = std::max(least - call, 0.0);
    const double calls = asked.resident ? 1 : asked.reuse;
    time.call.log_time = std::log(call + more);
    time.total.log_time = std::log(std::exp(time.total.log_time) + calls * more);
  }
}

Predictor::Learnt Predictor::expected(const Asked& asked, Option option, Target target) const {
  const Constants& c = model_->constants;
  if (const std::optional<Learnt> here = measured(asked, option, target)) return *here;
  const Form form = as_measured(asked, option);
  const Learnt own = learnt(form, profile_, option, target);
  if (form.work.integer_operations != asked.form.work.integer_operations) {
    Learnt explained =
        with_error(form, option, target,
                   {1, on_gpu(option) ? c.explained_gpu_deviation : c.explained_threads_deviation}, own);
    if (explained.basis != Basis::nothing) explained.basis = Basis::nearby;
    return explained;
  }
  return with_memory(
      asked, option, target,
      has_traits(form) ? own : with_error(form, option, target, error_of(c, form, option), own));
}

Prediction Predictor::predict(const Asked& asked) const {
  Prediction prediction;
  const double calls = asked.resident ? 1 : asked.reuse;
  for (const Option option : all_options) {
    // End-to-end times of GPU options include copies and differ from call times.
    const bool apart = !asked.resident && on_gpu(option);
    const Learnt call = expected(asked, option, Target::call),
                 whole = apart ? expected(asked, option, Target::whole) : call;
    const Basis weaker = calls > 1 ? std::min(call.basis, whole.basis) : whole.basis;
    if (weaker == Basis::nothing) continue;
    prediction[at(option)] = {weaker,
                              call.expected,
                              calls > 1 ? sum(1, whole.expected, calls - 1, call.expected) : whole.expected,
                              whole.few_groups || (calls > 1 && call.few_groups),
                              whole.sizes_known,
                              whole.open};
    const Learnt modelled = learnt(asked.form, profile_, option, Target::call);
    const Learnt described = has_traits(asked.form)
                                 ? modelled
                                 : with_error(asked.form, option, Target::call,
                                              error_of(model_->constants, asked.form, option), modelled);
    if (described.basis != Basis::nothing && (call.sizes_known || call.basis == Basis::measured))
      prediction[at(option)].over_description =
          std::exp(call.expected.log_time - described.expected.log_time);
  }
  keep_possible(asked, &prediction);
  return prediction;
}

bool Predictor::has_few_long_items(const Form& form, Option option) const {
  const double elements = static_cast<double>(form.work.bytes_read + form.work.bytes_written) /
                          static_cast<double>(element_size(form.type)) /
                          std::max(static_cast<double>(form.work.items), 1.0);
  return !has_traits(form) && elements > model_->constants.most_of_an_item &&
         analytic_.filled_part(form, profile_, option) < 1;
}

std::vector<std::string> Predictor::outside(const Form& form) const {
  std::vector<std::string> names;
  for (const FormColumn& column : form_columns()) {
    const double value = std::log2(1 + column.value(form));
    for (const FormRange& range : model_->ranges)
      if (range.name == column.name && (value < range.low - 1 || value > range.high + 1))
        names.emplace_back(column.name);
  }
  return names;
}

}  // namespace sextant::predict
