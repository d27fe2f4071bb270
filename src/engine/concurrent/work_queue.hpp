// Distributes cases over several devices of this machine, with one worker process for each device. Each case
// is measured once.
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

// A worker slot: a device that measures cases, and the worker process for it.
struct WorkerSlot {
  std::string device;  // "gpu2", or "cpu" for cases on the host
  WorkerCommand worker;
  // True if this is one of several "cpu" workers with separate cores, and a trial showed that they do not
  // disturb each other. They may then measure at any time.
  bool on_own_cores = false;
  std::function<void()> wait = {};  // returns when the worker may begin; may be empty
};

// Assigns cases to devices. All cases of a problem go to the same device, because two GPUs of one model
// differ slightly. The first device that asks gets the next problem. On several GPUs, the problems with the
// longest estimated time go first, on one GPU last. On the host, a case that is estimated to take seconds is
// assigned separately from its problem.
class WorkQueue {
 public:
  WorkQueue(const std::vector<Case>& cases, std::vector<std::string> devices);
  // Returns the cases of the next problem, with the device of worker slot `slot`. The list is empty if no
  // cases are left for this slot.
  std::vector<Case> next(std::size_t slot);

 private:
  std::vector<std::string> devices_;
  std::deque<std::vector<Case>> on_host_, on_gpus_;
};

// Creates the executor of worker slot `slot`. It is called on the thread that uses and destroys the executor.
using MakeExecutor = std::function<std::unique_ptr<CaseExecutor>(std::size_t slot, const Callbacks& callbacks,
                                                                 Participant participant)>;

// Runs a thread for each device. Callbacks come one at a time from any of these threads, but `spent` may
// overlap another callback. Measurements are passed on from a background thread, while the devices continue
// to measure.
//
// If short calls must not overlap, the tunings of a search overlap nevertheless and get a warning, because
// device times decide which one is fastest. The default and the fastest tuning are measured in isolation.
void run_distributed(const std::vector<Case>& cases, const std::vector<std::string>& devices,
                     const MakeExecutor& make, const Callbacks& callbacks,
                     const Concurrency& concurrency = {});

// Runs the cases in worker processes. A GPU case may go to the GPU of any worker. A CPU case goes to a "cpu"
// worker.
void execute_distributed(const std::vector<Case>& cases, const Settings& settings,
                         const std::vector<WorkerSlot>& slots, const Callbacks& callbacks,
                         const Concurrency& concurrency = {});

}  // namespace sextant
