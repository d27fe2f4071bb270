// Runs one case with all ranks: each has a part of the problem, the first has the whole of it, too, to hand
// out and to check. All ranks call everything here together, and agree on what each step came to. A team of
// GPUs is one rank that has all parts; ranks with a GPU each have a team of one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/team.hpp"
#include "engine/case/case_subject.hpp"
#include "engine/case/sampling.hpp"
#include "engine/case/workset.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage.hpp"
#include "engine/parts/rank_talk.hpp"
#include "suite/gpu_rank.hpp"

namespace sextant {

// A rank's own GPU, a team of one.
struct RankGpu {
  DeviceTeam* team = nullptr;
  int sharing = 1;  // ranks that have this one
  bool sends_memory = false;
};

class RankRunner {
 public:
  // The first rank's `stage` hears what is about to happen, its `taken` of a measurement that has its call
  // times.
  RankRunner(const parts::Ranks& ranks, StageListener stage,
             std::function<void(const Measurement&)> taken = {});
  // The same for a team, which outlives it.
  RankRunner(DeviceTeam& team, StageListener stage, std::function<void(const Measurement&)> taken = {});
  // The same for ranks with a GPU each, which outlive it.
  RankRunner(const RankGpu& gpu, const parts::Ranks& ranks, StageListener stage,
             std::function<void(const Measurement&)> taken = {});
  ~RankRunner();

  // The measurement, which is whole at the first rank. Throws DeviceError where there are GPUs, else never.
  Measurement run(const Case& what, const Settings& settings);

 private:
  struct Kept;
  class AuditedParts;

  // The parts' times of samples: of the longest, how even they were, and this rank's own.
  struct Times {
    std::vector<double> longest, balance, own;
  };
  // Of each part that this process has.
  using ByPart = std::vector<std::optional<double>>;

  RankRunner(const parts::Ranks& ranks, DeviceTeam* team, StageListener stage,
             std::function<void(const Measurement&)> taken);

  bool first() const { return ranks_.rank == 0; }
  int parts() const { return ranks_.size * of_team_.parts; }
  void finish() const {  // what was launched
    if (team_) team_->synchronise();
  }
  void stage(Stage entered);
  std::string resolve(const Case& what, const Settings& settings, CaseSubject* subject) const;
  std::string why_elsewhere(const Case& what, const Variant& variant, const Settings& settings) const;
  std::string load(const CaseSubject& subject, const Settings& settings);
  void run_prepared(Call& call, const CaseSubject& subject, const Settings& settings,
                    Measurement* measurement);
  void check_and_time(Call& call, const CaseSubject& subject, const Settings& settings,
                      Measurement* measurement);
  bool check(const Call& call, const CaseSubject& subject, const Settings& settings, Measurement* measurement,
             double* seconds);
  bool compare_poisoned(const Call& call, const CaseSubject& subject, unsigned char poison,
                        Measurement* measurement, double* seconds);
  void scatter(const Call& call, const CaseSubject& subject, unsigned char poison);
  bool compare_gathered(const std::string& failure, Measurement* measurement);
  void audit(const Call& call, const CaseSubject& subject, const Settings& settings,
             Measurement* measurement);
  double launch_together(const Call& call, const CaseSubject& subject, int launches = 1);
  Times sample_together(Call call, parts::Do what, int calls, double expected, const CaseSubject& subject,
                        const Settings& settings, std::vector<double> begun = {});
  void time(const Call& call, const CaseSubject& subject, double checked, const Settings& settings,
            Measurement* measurement);
  int calls_of_sample(const Call& call, double expected, const CaseSubject& subject,
                      const Settings& settings);
  void time_apart(const Call& call, int calls, double expected, const CaseSubject& subject,
                  const Settings& settings, Times all, Measurement* measurement);
  std::vector<std::vector<double>> launches_of_team(Call call, parts::Do what, const CaseSubject& subject,
                                                    const std::vector<double>& times);
  ByPart own_parts(const std::vector<std::vector<double>>& launches, const std::vector<double>& own) const;
  void read_states(Measurement* measurement);
  void tell(const ByPart& own, std::optional<double> Part::*what, Measurement* measurement) const;
  double cores() const;

  DeviceTeam* team_;
  bool has_processes_;      // one for each part
  parts::GpuRank of_team_;  // with the ranks' messages
  const parts::Ranks& ranks_;
  StageListener stage_;
  std::function<void(const Measurement&)> taken_;
  SteadyClock clock_;
  double clock_cost_, clock_step_;
  std::unique_ptr<Device> host_;
  std::unique_ptr<Kept> kept_;  // the first rank's alone
};

}  // namespace sextant
