// Distributes a sweep over several devices of this machine, with a worker for each. Each case is measured
// once.
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
  std::string device;  // "gpu2", or "cpu": what runs on the host
  WorkerCommand worker;
  // One of several lanes "cpu" with cores of their own, which a trial found not to disturb each other: it
  // takes no turns.
  bool on_own_cores = false;
  std::function<void()> wait = {};  // returns when the lane may begin
};

// Assigns cases to devices. All cases of a problem go to the same device, because two GPUs of one model
// differ slightly. The first device that asks gets the next problem. GPUs begin with the problems that are
// likely to take longest. On the host a case that is likely to take seconds goes by itself.
class WorkQueue {
 public:
  WorkQueue(const std::vector<Case>& cases, std::vector<std::string> devices);
  // The cases of the next problem, on the lane's device; empty if none is left for it.
  std::vector<Case> next(std::size_t lane);

 private:
  std::vector<std::string> devices_;
  std::deque<std::vector<Case>> on_host_, on_gpus_;
};

// Makes the executor of a lane, in the thread that uses and ends it.
using MakeExecutor = std::function<std::unique_ptr<CaseExecutor>(std::size_t lane, const Callbacks& callbacks,
                                                                 Participant participant)>;

// Runs a thread for each device. Callbacks come one at a time from any of these threads, measurements from a
// thread of their own, while devices go on measuring; `spent` may come while another callback runs. Where
// short calls must not overlap, those of many tunings of a variant do all the same, with a warning, since
// their device times decide. The default is not among them, and the fastest is measured once more.
void run_distributed(const std::vector<Case>& cases, const std::vector<std::string>& devices,
                     const MakeExecutor& make, const Callbacks& callbacks, const Beside& beside = {});

// The same in worker processes. A case on a GPU may go to any lane's GPU; a case on the CPU goes to a lane
// "cpu".
void execute_distributed(const std::vector<Case>& cases, const Settings& settings,
                         const std::vector<Lane>& lanes, const Callbacks& callbacks,
                         const Beside& beside = {});

}  // namespace sextant
