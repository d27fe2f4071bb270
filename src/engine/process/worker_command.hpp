// The command that starts a worker process, and its environment.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sextant {

// Holds a running worker process that nobody uses at present (engine/process/worker_process.hpp).
struct IdleWorker;
std::shared_ptr<IdleWorker> no_worker_yet();

// The program and arguments of a worker process, such as {"/proc/self/exe", "worker"}, and how it is started.
struct WorkerCommand {
  std::vector<std::string> arguments;
  // If set, all users of this command share one process, one after the other, because starting a GPU takes
  // seconds.
  std::shared_ptr<IdleWorker> idle = nullptr;
  // Minimum number of OpenMP threads, even with fewer processors, unless the user sets the number. Used for
  // checks: an error in how a loop is divided among threads may show only with several threads.
  int least_threads = 0;
  // Processors to which the worker is bound; empty: no binding. If bound, OpenMP uses `threads` threads,
  // unless the user sets the number.
  std::vector<int> processors = {};
  int threads = 0;
  // Value of CUDA_VISIBLE_DEVICES in the worker: the number or name of one GPU, which is gpu0 there. Empty:
  // the value of this process. A driver starts one GPU faster than all.
  std::string visible_gpu = {};
  // For cases on ranks (engine/process/rank_command.hpp). `launcher` is the MPI launcher's command, with `{}`
  // for the number of ranks; empty: the usual launcher here. `rank_program` is the program that it starts;
  // empty: sextant-rank in this program's folder.
  std::string launcher = {}, rank_program = {};

  // The members from here on are set in commands that start ranks. Requests and replies then use standard
  // input and output.
  bool by_streams = false;
  // Environment variables in addition to those of this process.
  std::vector<std::string> environment = {};
  // Environment variables that name a temporary folder. The folder is created for this command and removed
  // afterwards.
  std::vector<std::string> folder_variables = {};
  // Number of OpenMP threads of each rank, unless the user sets the number.
  int most_threads = 0;
};

// Ends the command's idle worker process, if there is one, and frees its devices.
void end_idle_worker(const WorkerCommand& command);

}  // namespace sextant
