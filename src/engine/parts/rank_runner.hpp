// Runs one case of a partitioned problem on all ranks.
//
// Each rank (process) has one partition of the problem. The first rank also has the complete arrays, to
// distribute them and to check the result. All ranks call each function together and agree on the outcome of
// each step. A device group (several GPUs of one process) counts as one rank that has all partitions. A rank
// with one GPU uses a device group of one.
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

// The GPU of a rank, as a device group of one.
struct RankGpu {
  DeviceTeam* team = nullptr;
  int sharing = 1;            // number of ranks that use this GPU
  bool sends_memory = false;  // true if MPI messages may be in GPU memory
};

class RankRunner {
 public:
  // On the first rank, `stage` is called before each stage, and `taken` receives the measurement once its
  // call times are known.
  RankRunner(const parts::Ranks& ranks, StageListener stage,
             std::function<void(const Measurement&)> taken = {});
  // For a device group. It must outlive this object.
  RankRunner(DeviceTeam& team, StageListener stage, std::function<void(const Measurement&)> taken = {});
  // For ranks with one GPU each. `gpu` and `ranks` must outlive this object.
  RankRunner(const RankGpu& gpu, const parts::Ranks& ranks, StageListener stage,
             std::function<void(const Measurement&)> taken = {});
  ~RankRunner();

  // Measures the case. The measurement is complete on the first rank only. Throws DeviceError on GPUs,
  // otherwise never.
  Measurement run(const Case& what, const Settings& settings);

 private:
  struct Kept;
  class AuditedParts;

  // Values for each sample:
  //   longest  seconds of the slowest rank
  //   balance  mean seconds of all ranks divided by the longest
  //   own      seconds of this rank
  struct Times {
    std::vector<double> longest, balance, own;
  };
  // One value for each partition in this process.
  using ByPart = std::vector<std::optional<double>>;

  RankRunner(const parts::Ranks& ranks, DeviceTeam* team, StageListener stage,
             std::function<void(const Measurement&)> taken);

  bool first() const { return ranks_.rank == 0; }
  int parts() const { return ranks_.size * of_team_.parts; }
  void finish() const {  // waits for all launches on the device group
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
  bool has_processes_;      // true if each partition has its own process
  parts::GpuRank of_team_;  // device group and message functions of this rank
  const parts::Ranks& ranks_;
  StageListener stage_;
  std::function<void(const Measurement&)> taken_;
  SteadyClock clock_;
  double clock_cost_, clock_step_;
  std::unique_ptr<Device> host_;
  std::unique_ptr<Kept> kept_;  // the complete problem; null except on the first rank
};

}  // namespace sextant
