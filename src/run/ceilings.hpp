// Measures the ceilings (bandwidths, arithmetic rates, launch costs) of a run's devices before its cases. GPU
// bandwidths can be postponed and measured concurrently with cases.
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

// Adds all ceilings to the session of the results file.
class RunCeilings {
 public:
  RunCeilings(const WorkerCommand& worker, ProgressReporter& progress, ResultsFile& file,
              std::int64_t session, Timings& timings)
      : worker_(worker), progress_(progress), file_(file), session_(session), timings_(timings) {}

  // Measures and returns ceilings. `leave_bandwidths` postpones the bandwidths of single GPUs.
  std::vector<Ceiling> measure(const std::set<std::string>& devices, bool leave_bandwidths = false);
  // Measures the postponed bandwidths, once. Any thread may call it: it uses only the worker, no other
  // members of the run.
  void measure_left();
  // Stores and returns the postponed bandwidths that were measured, once.
  std::vector<Ceiling> keep_left();
  // Calls measure_left and keep_left, and records the time they take.
  std::vector<Ceiling> measure_and_keep_left();

 private:
  const WorkerCommand& worker_;
  ProgressReporter& progress_;
  ResultsFile& file_;
  std::int64_t session_;
  Timings& timings_;
  std::vector<std::string> left_;  // Devices whose bandwidths are postponed.
  std::vector<Ceiling> late_;
};

}  // namespace sextant
