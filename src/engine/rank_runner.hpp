// Runs one case with all ranks: each has a part of the problem, the first has the whole of it, too, to hand out and to
// check. All ranks call everything here together, and agree on what each step came to. A team of GPUs is one rank that has
// all parts.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/team.hpp"
#include "engine/executor.hpp"
#include "engine/rank_talk.hpp"
#include "engine/sampling.hpp"
#include "engine/workset.hpp"
#include "suite/variant.hpp"

namespace sextant {

class RankRunner {
 public:
  // The first rank's `stage` hears what is about to happen, its `taken` of a measurement that has its call times.
  RankRunner(const parts::Ranks& ranks, std::function<void(const char*)> stage,
             std::function<void(const Measurement&)> taken = {});
  // The same for a team, which outlives it.
  RankRunner(DeviceTeam& team, std::function<void(const char*)> stage,
             std::function<void(const Measurement&)> taken = {});
  ~RankRunner();

  // The measurement, which is whole at the first rank. Throws DeviceError of a team, else never.
  Measurement run(const Case& what, const Settings& settings);

 private:
  struct Subject;
  struct Kept;

  // The parts' times of samples: of the longest, and how even they were.
  struct Times {
    std::vector<double> longest, balance;
  };

  RankRunner(const parts::Ranks& ranks, DeviceTeam* team, std::function<void(const char*)> stage,
             std::function<void(const Measurement&)> taken);

  bool first() const { return ranks_.rank == 0; }
  int parts() const { return team_ ? of_team_.parts : ranks_.size; }
  void finish() const {  // what was launched
    if (team_) team_->synchronise();
  }
  void stage(const char* name);
  std::string resolve(const Case& what, Subject* subject) const;
  std::string load(const Subject& subject, const Settings& settings);
  void run_prepared(Call& call, const Subject& subject, const Settings& settings, Measurement* measurement);
  bool check(const Call& call, const Subject& subject, const Settings& settings, Measurement* measurement,
             double* seconds);
  bool compare_poisoned(const Call& call, const Subject& subject, unsigned char poison,
                        Measurement* measurement, double* seconds);
  double launch_together(const Call& call, const Subject& subject);
  Times sample_together(Call call, parts::Do what, int calls, double expected, const Subject& subject,
                        const Settings& settings, std::vector<double> begun = {});
  void time(const Call& call, const Subject& subject, double checked, const Settings& settings,
            Measurement* measurement);
  double cores() const;

  DeviceTeam* team_;
  parts::Team of_team_;  // with messages of one rank
  const parts::Ranks& ranks_;
  std::function<void(const char*)> stage_;
  std::function<void(const Measurement&)> taken_;
  SteadyClock clock_;
  double clock_cost_, clock_step_;
  std::unique_ptr<Device> host_;
  std::unique_ptr<Kept> kept_;  // the first rank's alone
};

// The processes' loop: requests of the first rank's `in`, answers to its `out`, as worker_main has them.
int rank_main(const parts::Ranks& ranks, int in, int out, const std::vector<Load>& loads = {});

}  // namespace sextant
