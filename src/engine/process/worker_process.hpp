// A worker as its parent sees it: started, written to, listened to, and killed when it hangs.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "engine/process/line_channel.hpp"
#include "engine/process/worker_command.hpp"

namespace sextant {

// Seconds for the start of a GPU, which is no case's own time: where a driver first has to compile the
// OpenACC library for its GPU, that takes half a minute.
inline constexpr double gpu_start_seconds = 300;
inline constexpr double tick = 0.1;  // seconds between questions whether to stop

// Processors that a process started by this one may keep busy.
int processors_to_use();

class WorkerProcess {
 public:
  // Starts it with descriptors 3 (requests) and 4 (replies), no input, its standard output thrown away and
  // its standard error kept; or, where the command says so, with its standard streams for both. Throws
  // UserError if the program cannot be started.
  WorkerProcess(const WorkerCommand& command, bool offload_on_host);
  ~WorkerProcess();  // lets it end by itself for a moment, then kills it
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  bool send(const std::string& line) { return write_line(channel_, line); }
  // Waits at most `seconds` for a line; closed: it has ended.
  Received receive(std::string* line, double seconds);
  void kill();
  // How it ended, with its last words on standard error: "was killed by signal 11 (Segmentation fault)".
  std::string ending();
  pid_t pid() const { return pid_; }

 private:
  void read_errors();
  void reap(double maximum_wait);
  void remove_folder();

  bool starts_others_;  // a launcher, of whose group the processes are that it started
  std::string folder_;  // for what it keeps while it runs; empty: it has none of its own
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

// The command's idle worker, or a new one, whose first word is still to come.
std::unique_ptr<WorkerProcess> take_worker(const WorkerCommand& command);
// Keeps it for the next, if the command says so; otherwise it ends.
void leave_worker(const WorkerCommand& command, std::unique_ptr<WorkerProcess> worker);

}  // namespace sextant
