// Predicts the time of each option: analytic model, trees that correct it, and measured cases.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/contests.hpp"
#include "predict/decision.hpp"
#include "predict/memory.hpp"
#include "predict/model.hpp"

namespace sextant::predict {

// A kernel on a problem, for which times are predicted.
struct Asked {
  // Name by kernel_in_type, which selects the measured cases. Empty for a form without a kernel.
  std::string kernel;
  std::string problem;  // name by name_of_problem; a measurement of it is the answer; may be empty
  Form form;
  double reuse = 1;       // calls between copies in and copies out; at least 1
  bool resident = false;  // data are already where the option needs them: one call, no copies
};

// Sources of a prediction, from the weakest to the strongest.
enum class Basis : std::uint8_t {
  nothing,   // no prediction, for lack of ceilings or calibrations
  physics,   // analytic model alone; nothing was learnt for this option
  trees,     // analytic model, corrected by trees
  nearby,    // also corrected by measured cases of this kernel at other sizes or on other machines
  measured,  // this problem was measured on this machine
};

constexpr const char* name_of(Basis basis) {
  constexpr const char* names[] = {"nothing", "physics", "trees", "nearby", "measured"};
  return names[static_cast<std::size_t>(basis)];
}

// Expected log of seconds; infinite if not predicted. The 90 % interval is log_time ± half_width.
struct Expected {
  double log_time = std::numeric_limits<double>::infinity();
  double deviation = 0, half_width = 0;
};

struct OptionTime {
  Basis basis = Basis::nothing;  // the weaker basis of call and whole
  Expected call;                 // one call, with the data where the option needs them
  Expected total;                // requested time: a resident call, or copies and `reuse` calls
  bool few_groups = false;       // too few families to claim a 90 % interval
  // For the basis `nearby`. `sizes_known`: this option was measured here at other sizes. `open`: the share of
  // the variance that remains.
  bool sizes_known = false;
  double open = 1;
};

using Prediction = std::array<OptionTime, option_count>;  // by option

// Half width of the 90 % interval of the ratio of two options' times, in log time. Errors of an unknown
// kernel are correlated on a device. Measured cases of a kernel already explain part of the common error.
double half_width_between(const Prediction& prediction, Option a, Option b);

// Options that are predicted and `offered`, as input of decide and to_measure. Their cost is the time to
// measure them: several samples of the whole, and the reference, which takes as long as serial code.
std::vector<Outlook> outlooks_of(const Prediction& prediction, const std::array<bool, option_count>& offered);

// Kernel name and type: "triad float".
std::string kernel_in_type(const Case& what);

// Predictions for one machine. Thread-compatible. Only `model` must outlive the predictor.
class Predictor {
 public:
  // `known`: measured problems of `data` that may be used, by target.
  Predictor(const AdviceModel& model, const Profile& profile, const DataSet& data,
            const std::array<std::vector<Contest>, target_count>& known);

  Prediction predict(const Asked& asked) const;
  const std::string& hardware() const { return hardware_; }  // result of hardware_of for the machine

  // True if the model was trained on this hardware, whole or in part, or on enough machines to predict a new
  // one.
  bool knows_machine() const { return knows_machine_; }

  // Features of the form that are more than a factor of two outside the training range.
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

  using Cases = std::array<std::map<std::string, std::vector<Remembered>>, target_count>;

  void remember(const DataSet& data, Target target, const std::vector<Contest>& known, bool skip_cpu,
                Cases* all);
  Learnt learnt(const Form& form, const Profile& profile, Option option, Target target,
                const std::vector<float>& x) const;
  Learnt with_memory(const Asked& asked, Option option, Target target, Learnt learnt) const;
  struct Known {
    bool anywhere = false, here = false;
  };
  Known known_of(const std::string& kernel, Option option, Target target) const;

  const AdviceModel* model_;
  Profile profile_;  // without ceilings that no training machine has
  std::string hardware_;
  bool knows_machine_;
  std::vector<float> profile_features_, profile_place_;
  std::array<std::map<std::string, ByOption>, target_count> measured_;  // times on this machine, by problem
  std::array<std::map<std::string, Memory>, target_count> memories_;    // by kernel and type
  // Whether and where each kernel and type was measured.
  std::array<std::map<std::string, std::array<Known, option_count>>, target_count> known_;
};

}  // namespace sextant::predict
