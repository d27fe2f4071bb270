// Distributes cases over several devices of this machine, with a worker process for each. Each case is
// measured once.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/concurrent/exclusive_section.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// A device that takes cases, and the worker that measures there.
struct Lane {
  std::string device;  // "gpu2", or "cpu" for cases on the host
  WorkerCommand worker;
  // One of several "cpu" workers with separate cores, which a calibration run found not to disturb each
  // other. It needs no scheduling.
  bool on_own_cores = false;
  std::function<void()> wait = {};  // returns when the worker may begin
};

// Assigns cases to devices. All cases of a problem go to the same device, because two GPUs of one model
// differ slightly. The first device that asks gets the next problem.
// On GPUs, the problems with the longest estimated time go first. On the host, a case that is estimated to
// take seconds is assigned separately.
class WorkQueue {
 public:
  WorkQueue(const std::vector<Case>& cases, std::vector<std::string> devices);
  // The cases of the next problem, with the device of worker slot `lane`. Empty if none is left for it.
  std::vector<Case> next(std::size_t lane);

 private:
  std::vector<std::string> devices_;
  std::deque<std::vector<Case>> on_host_, on_gpus_;
};

// Creates the executor of worker slot `lane`, in the thread that uses and destroys it.
using MakeExecutor = std::function<std::unique_ptr<CaseExecutor>(std::size_t lane, const Callbacks& callbacks,
                                                                 Participant participant)>;

// Runs a thread for each device. Callbacks come one at a time from any of these threads, but `spent` may
// overlap another callback. Measurements come from a background thread, while the devices continue to
// measure.
// If short calls must not overlap, tunings of a search overlap nevertheless and get a warning, because their
// device times decide. The default and the fastest tuning are measured in isolation.
void run_distributed(const std::vector<Case>& cases, const std::vector<std::string>& devices,
                     const MakeExecutor& make, const Callbacks& callbacks, const Beside& beside = {});

// Runs the cases in worker processes. A GPU case may go to any worker's GPU. A CPU case goes to a "cpu"
// worker.
void execute_distributed(const std::vector<Case>& cases, const Settings& settings,
                         const std::vector<Lane>& lanes, const Callbacks& callbacks,
                         const Beside& beside = {});

}  // namespace sextant
