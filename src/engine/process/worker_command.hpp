// The command that starts a worker process, and its environment.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sextant {

// A worker that has answered, until somebody else wants one (engine/process/worker_process.hpp).
struct IdleWorker;
std::shared_ptr<IdleWorker> no_worker_yet();

// How a worker is run: the program and its leading arguments, e.g. {"/proc/self/exe", "worker"}.
struct WorkerCommand {
  std::vector<std::string> arguments;
  // Set, one process serves all who ask by this command, one after the other: starting a GPU takes seconds.
  std::shared_ptr<IdleWorker> idle = nullptr;
  // OpenMP has at least so many threads, more than processors if need be, unless the user says how many: for
  // checks, since a loop's division may be right for two threads alone.
  int least_threads = 0;
  // Bound to these processors, if there are any; OpenMP then has `threads` threads unless the user says how
  // many.
  std::vector<int> processors = {};
  int threads = 0;
  // What CUDA_VISIBLE_DEVICES is there, the number or name of one GPU, which is gpu0 there whatever cases
  // call it; empty: as in this process. A driver starts one GPU sooner than all.
  std::string visible_gpu = {};
  // Of problems in parts (engine/process/rank_command.hpp): what starts their processes, `{}` being their
  // number; empty: whatever is usual here. And the program that is started; empty: the one beside this.
  std::string launcher = {}, rank_program = {};

  // Of the command that starts them: requests and replies are its standard streams; variables beside this
  // process's; those that name a folder for what it keeps while it runs, made for it alone; what OpenMP has
  // in each, unless the user says.
  bool by_streams = false;
  std::vector<std::string> environment = {};
  std::vector<std::string> folder_variables = {};
  int most_threads = 0;
};

// Ends the command's idle worker, if there is one, and what it has of devices.
void end_idle_worker(const WorkerCommand& command);

}  // namespace sextant
