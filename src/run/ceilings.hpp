// The ceilings of a run's devices, measured before its cases, but for what can be measured beside some of
// them.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/process/worker_command.hpp"
#include "run/progress.hpp"
#include "run/timings.hpp"
#include "store/results_file.hpp"

namespace sextant {

// All are added to the session of the file.
class RunCeilings {
 public:
  RunCeilings(const WorkerCommand& worker, ProgressReporter& progress, ResultsFile& file,
              std::int64_t session, Timings& timings)
      : worker_(worker), progress_(progress), file_(file), session_(session), timings_(timings) {}

  // Bandwidths of single GPUs are left where that is wanted.
  std::vector<Ceiling> measure(const std::set<std::string>& devices, bool leave_bandwidths = false);
  // What was left, once: in any thread, and of the run's own things it uses the worker alone.
  void measure_left();
  // What has come of that, once.
  std::vector<Ceiling> keep_left();
  // Both, as a part of the run's time.
  std::vector<Ceiling> measure_and_keep_left();

 private:
  const WorkerCommand& worker_;
  ProgressReporter& progress_;
  ResultsFile& file_;
  std::int64_t session_;
  Timings& timings_;
  std::vector<std::string> left_;  // devices
  std::vector<Ceiling> late_;
};

}  // namespace sextant
