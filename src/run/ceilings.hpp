// Measures the ceilings of a run's devices before its cases: bandwidths, arithmetic rates and launch costs,
// which no kernel can exceed. GPU bandwidths can be postponed and measured concurrently with cases.
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

// Measures ceilings and adds them to the session in the results file.
class RunCeilings {
 public:
  RunCeilings(const WorkerCommand& worker, ProgressReporter& progress, ResultsFile& file,
              std::int64_t session, Timings& timings)
      : worker_(worker), progress_(progress), file_(file), session_(session), timings_(timings) {}

  // Measures and returns the ceilings of `devices`. `leave_bandwidths` postpones the bandwidths of single
  // GPUs.
  std::vector<Ceiling> measure(const std::set<std::string>& devices, bool leave_bandwidths = false);
  // Measures the postponed bandwidths; further calls do nothing. Any thread may call it, because it uses only
  // its own worker process.
  void measure_left();
  // Stores and returns the bandwidths that measure_left() measured; further calls do nothing.
  std::vector<Ceiling> keep_left();
  // Calls measure_left() and keep_left(), and records the time they take.
  std::vector<Ceiling> measure_and_keep_left();

 private:
  const WorkerCommand& worker_;
  ProgressReporter& progress_;
  ResultsFile& file_;
  std::int64_t session_;
  Timings& timings_;
  std::vector<std::string> left_;  // devices whose bandwidths are postponed
  std::vector<Ceiling> late_;
};

}  // namespace sextant
