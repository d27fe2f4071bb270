#include "predict/train/user_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "predict/predictor.hpp"
#include "predict/predictor_parts.hpp"

namespace sextant::predict {
namespace {

constexpr std::size_t fewest_kernels = 9;  // from which a 90 % interval is reliable
// Kernel i is held out in fold i modulo `folds`.
constexpr std::size_t folds = 6, no_fold = folds;

// One kernel and type on one machine: its problems in ascending order of size.
struct UserSeries {
  std::vector<Contest> calls;
  std::vector<Contest> wholes;
};

// Errors of log times, by kernel.
struct KernelErrors {
  std::vector<HeldOutCase> cases;
  std::map<std::string, std::size_t> kernels;

  void add(const std::string& kernel, double residual, double difficulty = 1) {
    const std::size_t group = kernels.try_emplace(kernel, kernels.size()).first->second;
    cases.push_back({group, residual, difficulty});
  }
  bool tell() const { return kernels.size() >= fewest_kernels; }
  // Mean size of the errors of kernels of other folds.
  double mean_size(std::size_t left_out) const {
    double sum = 0, count = 0;
    for (const HeldOutCase& one : cases)
      if (one.group % folds != left_out) sum += std::abs(one.residual), ++count;
    return sum / std::max(count, 1.0);
  }
  double mean_difficulty() const {
    double sum = 0;
    for (const HeldOutCase& one : cases) sum += one.difficulty;
    return sum / static_cast<double>(std::max<std::size_t>(cases.size(), 1));
  }
  // Standard deviation, for a difficulty of 1, whose normal distribution has the 90 % interval of the errors.
  double deviation() const { return calibrate(cases).quantile / ninety_percent; }
};

class UserKernelsFit {
 public:
  UserKernelsFit(const DataSet& data, const ProblemsByTarget& problems, AdviceModel* model)
      : data_(data), model_(*model) {
    for (const Target target : all_targets)
      for (const Contest& contest : problems[static_cast<std::size_t>(target)]) {
        const DataProblem& problem = data.problems[contest.problem];
        if (has_traits(problem.known.form) || problem.known.form.n <= 0) continue;
        UserSeries& own = series_[{contest.machine, kernel_in_type(problem.what)}];
        (target == Target::call ? own.calls : own.wholes).push_back(contest);
      }
    for (auto& [key, own] : series_)
      std::sort(own.calls.begin(), own.calls.end(),
                [&](const Contest& a, const Contest& b) { return form_of(a).n < form_of(b).n; });
  }

  void fit() {
    fit_nothing_run();
    fit_explained();
    fit_copies();
    fit_sizes();
  }

 private:
  const Form& form_of(const Contest& contest) const { return data_.problems[contest.problem].known.form; }

  Predictor predictor(const Contest& contest, const ProblemsByTarget& known) const {
    return Predictor(model_, data_.machines[contest.machine].profile, data_, known);
  }

  Prediction predicted(const Predictor& predictor, const Contest& contest, const Form& form,
                       Target target) const {
    const DataProblem& problem = data_.problems[contest.problem];
    Asked asked = {.kernel = kernel_in_type(problem.what),
                   .problem = problem.name,
                   .form = form,
                   .resident = target == Target::call};
    asked.threads_take_turns = std::all_of(contest.rows.begin(), contest.rows.end(), [&](std::size_t row) {
      return data_.rows[row].option != Option::openmp || takes_turns(data_.rows[row].what.variant);
    });
    return predictor.predict(asked);
  }

  // The predictor of a machine on which nothing was run. It uses the present constants.
  const Predictor& with_nothing(const Contest& contest) const {
    const auto known = nothing_run_.find(contest.machine);
    if (known != nothing_run_.end()) return known->second;
    return nothing_run_.emplace(contest.machine, predictor(contest, {})).first->second;
  }

  // Predictors that know the serial time of each problem.
  void know_serial() {
    for (const auto& [key, own] : series_)
      for (const Contest& contest : own.calls) {
        if (!contest.at(Option::serial)) continue;
        Contest serial = contest;
        serial.times = {};
        serial.times[static_cast<std::size_t>(Option::serial)] = contest.at(Option::serial);
        serial_run_.emplace_back(&key.second, &contest,
                                 predictor(contest, {std::vector<Contest>{serial}, {}}));
      }
  }

  // A part of the options, with the constants of its error if nothing was run.
  struct Part {
    bool counted;
    bool (*of)(Option);
    double Constants::*factor, Constants::*deviation, Constants::*start;
  };

  // Errors if nothing was run. Without counts, the descriptions of all kernels lose theirs.
  KernelErrors errors_of(const Part& part) const {
    KernelErrors errors;
    for (const auto& [key, own] : series_)
      for (const Contest& contest : own.calls) {
        Form form = form_of(contest);
        if (part.counted && !counts_operations(form)) continue;
        if (!part.counted) form.work.flops = form.work.integer_operations = 0;
        const Prediction said = predicted(with_nothing(contest), contest, form, Target::call);
        for (const Option option : all_options) {
          const OptionTime& one = said[static_cast<std::size_t>(option)];
          if (!part.of(option) || !contest.at(option) || one.basis == Basis::nothing) continue;
          errors.add(key.second, std::log(contest.at(option)->median) - one.call.log_time,
                     one.call.deviation / model_.constants.*part.deviation);
        }
      }
    return errors;
  }

  // Sets the constant to the value in geometric steps from `low` to `high` with which the mean size of the
  // errors is least. Returns the errors of each kernel with the value that is best for kernels of other
  // folds.
  template <typename Errors>
  KernelErrors minimize(double Constants::*constant, double low, double high, const Errors& errors) {
    constexpr int steps = 24;
    std::vector<KernelErrors> by_step;
    std::vector<double> values;
    for (int i = 0; i <= steps; ++i) {
      values.push_back(low * std::pow(high / low, static_cast<double>(i) / steps));
      model_.constants.*constant = values.back();
      by_step.push_back(errors());
    }
    const auto best_without = [&](std::size_t fold) {
      return static_cast<std::size_t>(std::min_element(by_step.begin(), by_step.end(),
                                                       [&](const KernelErrors& a, const KernelErrors& b) {
                                                         return a.mean_size(fold) < b.mean_size(fold);
                                                       }) -
                                      by_step.begin());
    };
    model_.constants.*constant = values[best_without(no_fold)];
    KernelErrors held_out = by_step[best_without(no_fold)];
    for (std::size_t fold = 0; fold < folds; ++fold) {
      const KernelErrors& others = by_step[best_without(fold)];
      for (std::size_t i = 0; i < held_out.cases.size(); ++i)
        if (held_out.cases[i].group % folds == fold) held_out.cases[i] = others.cases[i];
    }
    return held_out;
  }

  // Sets the error of starts to the value with which intervals are the narrowest.
  void fit_start(const Part& part) {
    double best = 1, least = std::numeric_limits<double>::infinity();
    for (double value = 1; value > 0.09; value *= 0.9) {
      model_.constants.*part.start = value;
      const KernelErrors errors = errors_of(part);
      if (const double width = errors.deviation() * errors.mean_difficulty(); width < least)
        least = width, best = value;
    }
    model_.constants.*part.start = best;
  }

  void fit_nothing_run() {
    const auto serial = [](Option option) { return option == Option::serial; };
    const auto threads = [](Option option) { return option != Option::serial && !on_gpu(option); };
    using C = Constants;
    for (const Part& part :
         {Part{true, serial, &C::counted_serial, &C::counted_serial_deviation, nullptr},
          Part{true, threads, &C::counted_threads, &C::counted_threads_deviation, &C::start_error_of_threads},
          Part{true, on_gpu, &C::counted_gpu, &C::counted_gpu_deviation, &C::start_error_of_gpu},
          Part{false, serial, &C::uncounted_serial, &C::uncounted_serial_deviation, nullptr},
          Part{false, threads, &C::uncounted_threads, &C::uncounted_threads_deviation, nullptr},
          Part{false, on_gpu, &C::uncounted_gpu, &C::uncounted_gpu_deviation, nullptr}}) {
      if (!errors_of(part).tell()) continue;
      const auto errors = [&] { return errors_of(part); };
      KernelErrors held_out = minimize(part.factor, 0.3, 100, errors);
      if (part.start) {
        fit_start(part);
        held_out = minimize(part.factor, 0.3, 100, errors);
      }
      model_.constants.*part.deviation = held_out.deviation();
    }
  }

  // Errors of threads or of the GPU, if only serial code was measured.
  KernelErrors errors_from_serial(bool gpu) const {
    const double assumed =
        gpu ? model_.constants.explained_gpu_deviation : model_.constants.explained_threads_deviation;
    KernelErrors errors;
    for (const auto& [kernel, contest, knows_serial] : serial_run_) {
      const Prediction said = predicted(knows_serial, *contest, form_of(*contest), Target::call);
      for (const Option option : all_options) {
        const OptionTime& one = said[static_cast<std::size_t>(option)];
        if (option != Option::serial && on_gpu(option) == gpu && contest->at(option) &&
            one.basis == Basis::nearby)
          errors.add(*kernel, std::log(contest->at(option)->median) - one.call.log_time,
                     one.call.deviation / assumed);
      }
    }
    return errors;
  }

  void fit_explained() {
    Constants& c = model_.constants;
    know_serial();
    if (!errors_from_serial(true).tell()) return;
    const auto errors = [&] { return errors_from_serial(true); };
    c.explained_gpu_deviation = minimize(&Constants::explained_on_gpu, 0.02, 1, errors).deviation();
    if (const KernelErrors threads = errors_from_serial(false); threads.tell())
      c.explained_threads_deviation = threads.deviation();
  }

  // Errors of modelled allocation and copies.
  void fit_copies() {
    KernelErrors errors;
    const AnalyticModel analytic(model_.constants);
    for (const auto& [key, own] : series_)
      for (const Contest& whole : own.wholes)
        for (const Contest& call : own.calls)
          for (const Option option : all_options) {
            if (whole.problem != call.problem || !on_gpu(option) || !whole.at(option) || !call.at(option))
              continue;
            const Profile& profile = data_.machines[whole.machine].profile;
            const auto all = analytic.time(form_of(whole), profile, option, Target::whole),
                       alone = analytic.time(form_of(whole), profile, option, Target::call);
            const double rest = whole.at(option)->median - call.at(option)->median;
            if (all && alone && rest > 0 && *all > *alone)
              errors.add(key.second, std::log(rest / (*all - *alone)));
          }
    if (errors.tell()) model_.constants.copies_deviation = errors.deviation();
  }

  // A predictor that knows the sizes number `small` and `small` + 1 of a kernel.
  struct TwoSizes {
    const std::string* kernel;
    const UserSeries* series;
    std::size_t small;
    Predictor predictor;
  };

  void know_two_sizes() {
    for (const auto& [key, own] : series_)
      for (std::size_t small = 0; small + 2 < own.calls.size(); ++small) {
        const auto in_probe = [&calls = own.calls, small](const Contest& one) {
          return one.problem == calls[small].problem || one.problem == calls[small + 1].problem;
        };
        ProblemsByTarget known;
        for (const Contest& one : own.calls)
          if (in_probe(one)) known[0].push_back(one);
        for (const Contest& one : own.wholes)
          if (in_probe(one)) known[1].push_back(one);
        two_sizes_.push_back({&key.second, &own, small, predictor(own.calls[small], known)});
      }
  }

  // Fraction of the times of larger sizes inside their intervals, if two sizes are known.
  double inside(Target target, bool gpu, bool* tell) const {
    std::size_t count = 0, in = 0;
    std::set<std::string> kernels;
    for (const auto& [kernel, own, small, knows_two] : two_sizes_)
      for (const Contest& asked : target == Target::call ? own->calls : own->wholes) {
        if (form_of(asked).n <= form_of(own->calls[small + 1]).n) continue;
        const Prediction said = predicted(knows_two, asked, form_of(asked), target);
        for (const Option option : all_options) {
          const OptionTime& one = said[static_cast<std::size_t>(option)];
          if (on_gpu(option) != gpu || !asked.at(option) || !one.sizes_known) continue;
          const double off = std::abs(std::log(asked.at(option)->median) - one.total.log_time);
          ++count, in += off <= one.total.half_width ? 1 : 0, kernels.insert(*kernel);
        }
      }
    *tell = kernels.size() >= fewest_kernels;
    return count > 0 ? static_cast<double>(in) / static_cast<double>(count) : 0;
  }

  // The least value of the constant with which 90 % of the times are inside.
  void widen(double Constants::*constant, Target target, bool gpu) {
    bool tell = false;
    inside(target, gpu, &tell);
    if (!tell) return;
    double low = 0.01, high = 1;
    for (int halving = 0; halving < 10; ++halving) {
      model_.constants.*constant = std::sqrt(low * high);
      (inside(target, gpu, &tell) >= 0.9 ? high : low) = model_.constants.*constant;
    }
    model_.constants.*constant = high;
  }

  void fit_sizes() {
    know_two_sizes();
    widen(&Constants::per_distance_on_cpu, Target::call, false);
    widen(&Constants::per_distance_on_gpu, Target::call, true);
    widen(&Constants::fitted_copies_deviation, Target::whole, true);
  }

  const DataSet& data_;
  AdviceModel& model_;
  std::map<std::pair<std::size_t, std::string>, UserSeries> series_;
  mutable std::map<std::size_t, Predictor> nothing_run_;  // by machine
  std::vector<std::tuple<const std::string*, const Contest*, Predictor>> serial_run_;
  std::vector<TwoSizes> two_sizes_;
};

}  // namespace

void fit_user_kernels(const DataSet& data, const ProblemsByTarget& problems, AdviceModel* model) {
  UserKernelsFit(data, problems, model).fit();
}

std::map<std::string, std::shared_ptr<const AdviceModel>> held_out_models(const DataSet& data,
                                                                          const AdviceModel& model) {
  const ProblemsByTarget problems = measured_problems(data);
  std::map<std::string, std::size_t> fold_of;
  for (const std::vector<Contest>& of_target : problems)
    for (const Contest& contest : of_target) fold_of[data.problems[contest.problem].what.kernel] = 0;
  std::size_t next = 0;
  for (auto& [kernel, fold] : fold_of) fold = next++ % folds;
  std::map<std::string, std::shared_ptr<const AdviceModel>> models;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    ProblemsByTarget others = problems;
    for (std::vector<Contest>& of_target : others)
      std::erase_if(of_target, [&](const Contest& contest) {
        return fold_of.at(data.problems[contest.problem].what.kernel) == fold;
      });
    const auto own = std::make_shared<AdviceModel>(model);
    fit_user_kernels(data, others, own.get());
    for (const auto& [kernel, its] : fold_of)
      if (its == fold) models[kernel] = own;
  }
  return models;
}

}  // namespace sextant::predict
