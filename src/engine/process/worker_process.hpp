// A worker process as seen by its parent. The parent starts it, exchanges lines with it, and kills it if it
// hangs.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "engine/process/line_channel.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// Maximum seconds for starting a GPU. They do not count towards a case's time limit, because a driver may
// first compile the OpenACC library for its GPU, which can take half a minute.
inline constexpr double gpu_start_seconds = 300;
inline constexpr double tick = 0.1;  // seconds between calls of Callbacks::stop

// Returns the number of processors that a process started by this one may keep busy.
int processors_to_use();

class WorkerProcess {
 public:
  // Starts the worker with descriptors 3 (requests) and 4 (replies). The worker has no input, its standard
  // output is discarded, and its standard error is kept. With command.by_streams, requests and replies use
  // standard input and output instead. Throws UserError if the program cannot be started.
  WorkerProcess(const WorkerCommand& command, bool offload_on_host);
  ~WorkerProcess();  // gives the worker a moment to exit, then kills it
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  bool send(const std::string& line) { return write_line(channel_, line); }
  // Waits at most `seconds` for a line. Received::closed means that the worker has ended.
  Received receive(std::string* line, double seconds);
  void kill();
  // Returns how the worker ended, with its last output on standard error: "was killed by signal 11
  // (Segmentation fault)".
  std::string ending();
  pid_t pid() const { return pid_; }

 private:
  void read_errors();
  void reap(double maximum_wait);
  void remove_folder();

  bool starts_others_;  // true for a launcher, whose process group contains the processes that it started
  std::string folder_;  // temporary folder of the process; empty: it has none
  pid_t pid_ = -1;
  int channel_ = -1, errors_ = -1;
  LineReader reader_;
  std::string last_words_;
  bool reaped_ = false;
  int status_ = 0;
};

struct IdleWorker {
  std::unique_ptr<WorkerProcess> process;
};

// Returns the command's idle worker process, or a new one that has not answered yet.
std::unique_ptr<WorkerProcess> take_worker(const WorkerCommand& command);
// Keeps the worker process for its next user, if the command can hold an idle worker. Otherwise the process
// ends.
void leave_worker(const WorkerCommand& command, std::unique_ptr<WorkerProcess> worker);

}  // namespace sextant
