// Predicts the time of each option (programming model and device) from the analytic model and measured cases.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/analytic_model.hpp"
#include "predict/contests.hpp"
#include "predict/decision.hpp"
#include "predict/history.hpp"
#include "predict/model.hpp"
#include "predict/size_fit.hpp"

namespace sextant::predict {

// The kernel and problem for which times are predicted.
struct Asked {
  // Name from kernel_in_type, to find measured cases of the same kernel; empty if there is no kernel code.
  std::string kernel;
  // Name from name_of_problem. A measurement of this problem replaces the prediction. May be empty.
  std::string problem;
  Form form;
  double reuse = 1;  // number of calls between copies in and copies out; at least 1
  // True if the data are already on the option's device. The prediction is then one call without copies.
  bool resident = false;
  // Number of each option's variants that could be advised; 0 if unknown. Without measurements, the advised
  // one of several variants of a user kernel may be a slow one.
  std::array<std::size_t, option_count> variants = {};
  bool threads_take_turns = false;  // takes_turns() of all variants of OpenMP
};

// What a prediction is based on, from the weakest to the strongest source.
enum class Basis : std::uint8_t {
  nothing,   // there is no prediction, because ceilings or calibrations are missing
  analytic,  // from the analytic model alone
  nearby,    // also corrected by measurements of this kernel at other sizes or on other machines
  measured,  // the time that was measured for this problem on this machine
};

constexpr const char* name_of(Basis basis) {
  constexpr const char* names[] = {"nothing", "physics", "nearby", "measured"};
  return names[static_cast<std::size_t>(basis)];
}

// Expected logarithm of a time in seconds; infinite if there is no prediction. The 90 % interval is log_time
// ± half_width.
struct Expected {
  double log_time = std::numeric_limits<double>::infinity();
  double deviation = 0, half_width = 0;
};

struct OptionTime {
  Basis basis = Basis::nothing;  // the weaker one of the bases of call time and end-to-end time
  Expected call;                 // time of one call with the data on the option's device
  Expected total;                // the requested time: one call without copies, or copies and `reuse` calls
  bool few_groups = false;       // true if too few kernel families are known for a reliable 90 % interval
  // Only for the basis `nearby`. `sizes_known`: this option was measured on this machine at other sizes.
  // `open`: the fraction of the variance that the history correction leaves.
  bool sizes_known = false;
  double open = 1;
  // Only if this option was measured on this machine: the time of a call over the time that the analytic
  // model expects from the kernel's description.
  std::optional<double> over_description = std::nullopt;
};

// One entry for each option (programming model and device).
using Prediction = std::array<OptionTime, option_count>;

// Half width of the 90 % interval of the ratio of two options' times, in log time. It takes into account that
// the prediction errors of two options on the same device are correlated.
double half_width_between(const Prediction& prediction, Option a, Option b);

// The options that are predicted and `offered`, as input of `decide` and `to_measure`. Their cost is the time
// that measuring them takes: several end-to-end executions, and one of the serial reference.
std::vector<Outlook> outlooks_of(const Prediction& prediction, const std::array<bool, option_count>& offered);

// Kernel name and type: "triad float".
std::string kernel_in_type(const Case& what);

// The error of modelled call times: measured over modelled time, and the standard deviation of its log.
struct CallError {
  double factor = 1, deviation = 0;
};

// Predicts times on one machine. Thread-compatible. Only `model` must outlive the predictor.
class Predictor {
 public:
  // `known`: the measured problems of `data` that predictions may use, for each target.
  Predictor(const AdviceModel& model, const Profile& profile, const DataSet& data,
            const std::array<std::vector<Contest>, target_count>& known);

  Prediction predict(const Asked& asked) const;
  // The machine's hardware, as hardware_of names it.
  const std::string& hardware() const { return hardware_; }

  // True if items of a user kernel are too few to keep the option's GPU busy, and long. Its time then depends
  // on how threads share an item, which the form does not tell.
  bool has_few_long_items(const Form& form, Option option) const;

  // True if the model was trained on this hardware, or on enough machines to predict a new one.
  bool knows_machine() const { return knows_machine_; }

  // Names of the kernel's features that are more than a factor of two outside the range of the training data.
  std::vector<std::string> outside(const Form& form) const;

 private:
  struct Learnt {
    Basis basis = Basis::nothing;
    Expected expected;
    bool few_groups = false;
    bool sizes_known = false;
    double open = 1;
  };
  using ByOption = std::array<std::optional<Expected>, option_count>;

  using Cases = std::array<std::map<std::string, std::vector<MeasuredResidual>>, target_count>;

  void remember(const DataSet& data, Target target, const std::vector<Contest>& known, bool skip_cpu,
                Cases* all);
  Learnt learnt(const Form& form, const Profile& profile, Option option, Target target) const;
  struct Known {
    bool elsewhere = false, here = false;
  };
  Known known_of(const std::string& kernel, Option option, Target target) const;
  Learnt with_memory(const Asked& asked, Option option, Target target, Learnt learnt) const;
  void remember_sizes(const DataSet& data, const std::array<std::vector<Contest>, target_count>& known);
  void remember_size(const DataSet& data, const Contest& contest, Option option);
  void remember_rest(const DataSet& data, const Contest& contest, Option option);
  std::optional<Learnt> measured(const Asked& asked, Option option, Target target) const;
  std::optional<Learnt> fitted(const Asked& asked, Option option, Target target) const;
  Form as_measured(const Asked& asked, Option option) const;
  Learnt with_error(const Form& form, Option option, Target target, const CallError& error,
                    Learnt learnt) const;
  Learnt expected(const Asked& asked, Option option, Target target) const;
  void keep_possible(const Asked& asked, Prediction* prediction) const;

  const AdviceModel* model_;
  AnalyticModel analytic_;
  Profile profile_;
  std::string hardware_;
  bool knows_machine_;
  std::vector<float> profile_place_;
  // Times measured on this machine, by problem.
  std::array<std::map<std::string, ByOption>, target_count> measured_;
  // Sizes measured on this machine, by kernel and type. For end-to-end times of a GPU, the times are those of
  // allocation and copies, and the first amount is their modelled time.
  struct Sizes {
    std::array<std::array<std::vector<TimedSize>, option_count>, target_count> timed;
    std::size_t amount = 0;  // the amount that serial code grows with
  };
  std::map<std::string, Sizes> sizes_;
  // Measured cases for the history correction, by kernel and type.
  std::array<std::map<std::string, HistoryCorrection>, target_count> histories_;
  // By kernel and option: whether it was measured on another machine, and whether on this one.
  std::array<std::map<std::string, std::array<Known, option_count>>, target_count> known_;
};

}  // namespace sextant::predict
