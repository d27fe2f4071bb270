// The command that starts a worker process, and its environment.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sextant {

// Holds a running worker until it is needed again (engine/process/worker_process.hpp).
struct IdleWorker;
std::shared_ptr<IdleWorker> no_worker_yet();

// The program and arguments of a worker, e.g. {"/proc/self/exe", "worker"}, and how it is started.
struct WorkerCommand {
  std::vector<std::string> arguments;
  // If set, all users of this command share one process, one after the other, because starting a GPU takes
  // seconds.
  std::shared_ptr<IdleWorker> idle = nullptr;
  // Minimum number of OpenMP threads, even with fewer processors, unless the user sets the number. For
  // checks, because a loop's division may be right for two threads only.
  int least_threads = 0;
  // Processors to which the worker is bound; empty: no binding. OpenMP then has `threads` threads, unless the
  // user sets the number.
  std::vector<int> processors = {};
  int threads = 0;
  // Value of CUDA_VISIBLE_DEVICES in the worker: the number or name of one GPU, which the worker knows as
  // gpu0. Empty: as in this process. A driver starts one GPU faster than all.
  std::string visible_gpu = {};
  // For cases on ranks (engine/process/rank_command.hpp): the launcher's command, with `{}` for the number of
  // ranks, and the program that it starts. Empty: the usual launcher here, and sextant-rank from this
  // program's folder.
  std::string launcher = {}, rank_program = {};

  // Set in commands that start ranks, like the members below. Requests and replies then use standard input
  // and output.
  bool by_streams = false;
  // Variables in addition to this process's environment.
  std::vector<std::string> environment = {};
  // Variables that name a temporary folder. The folder is made for this command and removed afterwards.
  std::vector<std::string> folder_variables = {};
  // OpenMP threads of each rank, unless the user sets the number.
  int most_threads = 0;
};

// Ends the command's idle worker, if there is one, and frees its devices.
void end_idle_worker(const WorkerCommand& command);

}  // namespace sextant
