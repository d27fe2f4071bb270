// A sweep dealt to several devices of this machine: a worker each, whole problems, every case once.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/concurrent/floor.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// Where cases are dealt to, and the worker that measures there.
struct Lane {
  std::string device;  // "gpu2", or "cpu": what runs on the host
  WorkerCommand worker;
  // Of several lanes "cpu", each with cores of its own: what they do was found not to disturb the others, and takes no turns.
  bool on_own_cores = false;
  std::function<void()> wait = {};  // returns when the lane may begin
};

// Which cases are whose. A problem goes to one device with all its cases, as two GPUs of a kind differ a little, to whichever
// asks first; on GPUs those first that are likely to take longest. On the host a case that is likely to take seconds goes by itself.
class Deal {
 public:
  Deal(const std::vector<Case>& cases, std::vector<std::string> devices);
  // The cases of one more problem, which now name the lane's device; empty: there are no more for it.
  std::vector<Case> next(std::size_t lane);

 private:
  std::vector<std::string> devices_;
  std::deque<std::vector<Case>> on_host_, on_gpus_;
};

// Makes the executor of a lane, in the thread that uses and ends it.
using MakeExecutor =
    std::function<std::unique_ptr<CaseExecutor>(std::size_t lane, const Callbacks& callbacks, Seat seat)>;

// A thread a device. Callbacks come one at a time, from any of these threads, measurements from one of their own, while devices go on
// measuring; `spent` may come while another callback runs. Where short calls are not to overlap, those of many tunings of a
// variant do all the same, and say so: they are judged by their times on the device. The default is not among them, and the
// fastest is measured once more.
void run_dealt(const std::vector<Case>& cases, const std::vector<std::string>& devices,
               const MakeExecutor& make, const Callbacks& callbacks, const Beside& beside = {});

// The same in worker processes. Cases on a GPU are for any of the lanes' GPUs, cases on the CPU for the lane "cpu".
void execute_dealt(const std::vector<Case>& cases, const Settings& settings, const std::vector<Lane>& lanes,
                   const Callbacks& callbacks, const Beside& beside = {});

}  // namespace sextant
