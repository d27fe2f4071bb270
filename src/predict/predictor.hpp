// What each option will take: physics, trees on what it leaves over, and cases that were measured.
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

// What is asked of a kernel on a problem.
struct Asked {
  std::string
      kernel;  // with its type, kernel_in_type: its measured cases are remembered; empty: a form alone
  std::string problem;  // as name_of_problem has it: cases of it are the answer; empty likewise
  Form form;
  double reuse = 1;       // calls on the data between their copies in and out; at least 1
  bool resident = false;  // the data are where the option wants them: one call, no copies
};

// What a prediction rests on, from the weakest.
enum class Basis : std::uint8_t {
  nothing,   // neither physics nor a model says anything: the option is not predicted
  physics,   // the model learnt nothing of this option
  trees,     // physics, and trees on what it leaves over
  nearby,    // these, and cases of this kernel that were measured at other sizes or elsewhere
  measured,  // this problem was measured on this machine
};

constexpr const char* name_of(Basis basis) {
  constexpr const char* names[] = {"nothing", "physics", "trees", "nearby", "measured"};
  return names[static_cast<std::size_t>(basis)];
}

// A log time; infinite: not predicted. Its 90 % interval is log_time ± half_width.
struct Expected {
  double log_time = std::numeric_limits<double>::infinity();
  double deviation = 0, half_width = 0;
};

struct OptionTime {
  Basis basis = Basis::nothing;  // the weaker one of call and whole
  Expected call;                 // one call, the data where the option wants them
  Expected total;                // what was asked: a resident call, or copies and `reuse` calls
  bool few_groups = false;       // its interval is from too few families to claim 90 %
  // Of a basis `nearby`: whether other sizes of this option are among what is remembered, and the share of
  // the variance that all leave open.
  bool sizes_known = false;
  double open = 1;
};

using Prediction = std::array<OptionTime, option_count>;  // by option

// Half of the 90 % interval of the ratio of two options' times, in log time. Errors of unknown kernels go
// together on a device; of a kernel that is remembered what they have in common is known.
double half_width_between(const Prediction& prediction, Option a, Option b);

// The options that are predicted and `offered`, for decide and to_measure. Their cost is that of measuring:
// some samples of the whole, and the reference's time, which is serial's.
std::vector<Outlook> outlooks_of(const Prediction& prediction, const std::array<bool, option_count>& offered);

// "triad float".
std::string kernel_in_type(const Case& what);

// Predictions for one machine. Thread-compatible; what it was made of need not outlive it, but for the model.
class Predictor {
 public:
  // `known`: of each target the measured problems of `data` that may be used.
  Predictor(const AdviceModel& model, const Profile& profile, const DataSet& data,
            const std::array<std::vector<Contest>, target_count>& known);

  Prediction predict(const Asked& asked) const;
  const std::string& hardware() const { return hardware_; }  // hardware_of the machine

  // Whether the model learnt on this hardware, whole or in part, or on so many others that it may speak of
  // one more.
  bool knows_machine() const { return knows_machine_; }

  // Features of the form that lie outside of what the model learnt from by more than a factor of two.
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
  Profile profile_;  // without what the model never saw
  std::string hardware_;
  bool knows_machine_;
  std::vector<float> profile_features_, profile_place_;
  std::array<std::map<std::string, ByOption>, target_count> measured_;  // here, by problem
  std::array<std::map<std::string, Memory>, target_count> memories_;    // by kernel and type
  std::array<std::map<std::string, std::array<Known, option_count>>, target_count>
      known_;  // likewise: where it was measured
};

}  // namespace sextant::predict
