#include "predict/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "predict/analytic_model.hpp"
#include "predict/features.hpp"
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

// True if at least one training row has a value of the feature.
bool knew(const Trees& trees, const char* name) {
  for (const Feature& feature : trees.features())
    if (feature.name == name) return feature.low <= feature.high;
  return false;
}

// Removes ceilings that no training machine has, so that the analytic model has the same errors as in
// training.
Profile as_learnt(Profile profile, const Trees& trees) {
  const bool core = knew(trees, "profile.core_copy_1Mi"), allocation = knew(trees, "profile.allocate_1Mi");
  std::erase_if(profile.ceilings, [&](const Ceiling& one) {
    const bool of_allocation = one.name.starts_with("alloc_cuda") || one.name.starts_with("release_cuda");
    return (!core && one.name.ends_with("_core")) || (!allocation && of_allocation);
  });
  digest(&profile);
  return profile;
}

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

// Errors of the times that they explain.
constexpr CallError explained_by_threads = {1, 0.5}, explained_by_gpu = {1, 0.7};

// Standard deviation of the log time of allocation and copies by the model.
constexpr double deviation_of_copies = 0.3;

// Measured over modelled times of kernels without traits: the factor, and the standard deviation of its log.
// From half of the kernels in loops/ on an H200 and 16 cores. The first row is of kernels whose description
// counts operations.
constexpr CallError undescribed[2][3] = {{{3.7, 0.6}, {1.7, 0.9}, {2.2, 0.85}},
                                         {{57, 2.2}, {5.3, 1.8}, {2.3, 0.85}}};

const CallError& error_of(const Form& form, Option option) {
  return undescribed[counts_operations(form) ? 0 : 1][on_gpu(option) ? 2 : option == Option::serial ? 0 : 1];
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
  const bool unknown = one.basis <= Basis::trees && other.basis <= Basis::trees;
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
      profile_(as_learnt(with_launches_within(profile, data, known[0]), model.trees)),
      hardware_(hardware_of(profile)),
      knows_machine_(knows(model, profile)),
      profile_features_(features_of(profile_)),
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
    profiles.push_back(hardware_of(machine.profile) == hardware_ ? profile_
                                                                 : as_learnt(machine.profile, model_->trees));
  const Sides sides = sides_of(data, known);
  std::vector<std::vector<float>> of_profiles;
  for (const Profile& profile : profiles) of_profiles.push_back(features_of(profile));
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
      const Learnt learnt_time =
          learnt(form, profile, option, own, features_of(form, profile, own, of_profiles[contest.machine]));
      if (learnt_time.basis == Basis::nothing) continue;
      cases[at(own)][asked.kernel].push_back({place_of(asked, option, profile, hardware, place_of(profile),
                                                       share_of_work(form, profile, option, own)),
                                              time.log_time - learnt_time.expected.log_time,
                                              std::hypot(time.deviation, scatter)});
      Known& where = known_[at(own)][asked.kernel][at(option)];
      where.elsewhere |= hardware != hardware_;
      where.here |= hardware == hardware_;
    }
  }
}

// Replaces the error of a call's modelled time. Copies and allocation are known better than calls.
Predictor::Learnt Predictor::with_error(const Form& form, Option option, Target target,
                                        const CallError& error, Learnt learnt) const {
  const auto call = analytic_time(form, profile_, option, Target::call);
  if (learnt.basis == Basis::nothing || !call) return learnt;
  const double modelled = std::exp(learnt.expected.log_time),
               rest = target == Target::whole && on_gpu(option) ? std::max(modelled - *call, 0.0) : 0,
               longer = error.factor * (modelled - rest);
  learnt.expected.log_time = std::log(rest + longer);
  learnt.expected.deviation = (deviation_of_copies * rest + error.deviation * longer) / (rest + longer);
  learnt.expected.half_width = ninety_percent * learnt.expected.deviation;
  return learnt;
}

Predictor::Learnt Predictor::learnt(const Form& form, const Profile& profile, Option option, Target target,
                                    const std::vector<float>& x) const {
  const std::optional<double> modelled = analytic_time(form, profile, option, target);
  if (!modelled || !(*modelled > 0)) return {};
  const std::optional<float> residual = model_->trees.at(option, target, Term::residual, x);
  const Calibration& own = model_->calibration(option, target);
  if (residual && own.groups > 0) {
    const auto difficulty =
        static_cast<double>(model_->trees.at(option, target, Term::difficulty, x).value_or(1));
    return {Basis::trees,
            {std::log(*modelled) + static_cast<double>(*residual), own.deviation(difficulty),
             own.half_width(difficulty)},
            own.few_groups,
            false,
            1};
  }
  // This option has no interval of its own. It gets the widest interval of the options on its device.
  Expected widest;
  for (const Option other : all_options) {
    const Calibration& its = model_->calibration(other, target);
    if (on_gpu(other) != on_gpu(option) || its.groups == 0) continue;
    const auto difficulty =
        static_cast<double>(model_->trees.at(other, target, Term::difficulty, x).value_or(1));
    widest.deviation = std::max(widest.deviation, its.deviation(difficulty));
    widest.half_width = std::max(widest.half_width, its.half_width(difficulty));
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
                                  share_of_work(asked.form, profile_, option, target)));
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

// Raises times that no machine reaches, unless they were measured: below half of what the ceilings allow, and
// threads that gain more than 1.3 times their number over serial code. Threads of kernels with traits may run
// better code than the serial loop: 489 of 3215 problems in data/set gain more.
void Predictor::keep_possible(const Asked& asked, Prediction* prediction) const {
  const OptionTime& serial = (*prediction)[at(Option::serial)];
  for (const Option option : all_options) {
    OptionTime& time = (*prediction)[at(option)];
    if (time.basis == Basis::nothing || time.basis == Basis::measured || time.sizes_known) continue;
    double least = least_time(asked.form, profile_, option) / 2;
    if (option == Option::openmp && serial.basis != Basis::nothing && !has_traits(asked.form))
      least = std::max(least, std::exp(serial.call.log_time) / (1.3 * std::max(profile_.threads, 1.0)));
    const double call = std::exp(time.call.log_time), more = std::max(least - call, 0.0);
    const double calls = asked.resident ? 1 : asked.reuse;
    time.call.log_time = std::log(call + more);
    time.total.log_time = std::log(std::exp(time.total.log_time) + calls * more);
  }
}

Predictor::Learnt Predictor::expected(const Asked& asked, Option option, Target target,
                                      const std::vector<float>& x) const {
  if (const std::optional<Learnt> here = measured(asked, option, target)) return *here;
  const Form form = as_measured(asked, option);
  const Learnt own = learnt(form, profile_, option, target, x);
  if (form.work.integer_operations != asked.form.work.integer_operations) {
    Learnt explained =
        with_error(form, option, target, on_gpu(option) ? explained_by_gpu : explained_by_threads, own);
    if (explained.basis != Basis::nothing) explained.basis = Basis::nearby;
    return explained;
  }
  return with_memory(asked, option, target,
                     has_traits(form) ? own : with_error(form, option, target, error_of(form, option), own));
}

Prediction Predictor::predict(const Asked& asked) const {
  Prediction prediction;
  const double calls = asked.resident ? 1 : asked.reuse;
  const std::array<std::vector<float>, target_count> x = {
      features_of(asked.form, profile_, Target::call, profile_features_),
      features_of(asked.form, profile_, Target::whole, profile_features_)};
  for (const Option option : all_options) {
    // End-to-end times of GPU options include copies and differ from call times.
    const bool apart = !asked.resident && on_gpu(option);
    const Learnt call = expected(asked, option, Target::call, x[at(Target::call)]),
                 whole = apart ? expected(asked, option, Target::whole, x[at(Target::whole)]) : call;
    const Basis weaker = calls > 1 ? std::min(call.basis, whole.basis) : whole.basis;
    if (weaker == Basis::nothing) continue;
    prediction[at(option)] = {weaker,
                              call.expected,
                              calls > 1 ? sum(1, whole.expected, calls - 1, call.expected) : whole.expected,
                              whole.few_groups || (calls > 1 && call.few_groups),
                              whole.sizes_known,
                              whole.open};
    const std::optional<double> described = analytic_time(asked.form, profile_, option, Target::call);
    if (described && (call.sizes_known || call.basis == Basis::measured))
      prediction[at(option)].over_description = std::exp(call.expected.log_time) / *described;
  }
  keep_possible(asked, &prediction);
  return prediction;
}

std::vector<std::string> Predictor::outside(const Form& form) const {
  const std::vector<float> x = features_of(form, profile_, Target::call, profile_features_);
  const std::vector<Feature>& learnt_from = model_->trees.features();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(x.size(), learnt_from.size()); ++i) {
    const Feature& one = learnt_from[i];
    if (!one.name.starts_with("form.") || std::isnan(x[i]) || one.low > one.high) continue;
    if (x[i] < one.low - 1 || x[i] > one.high + 1) names.push_back(one.name.substr(5));
  }
  return names;
}

}  // namespace sextant::predict
