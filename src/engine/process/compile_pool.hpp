// Starts worker processes that compile the code of upcoming cases in advance. The results are in the compile
// cache when these cases are measured.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "engine/process/worker_command.hpp"
#include "engine/process/worker_process.hpp"
#include "record/case.hpp"

namespace sextant {

class CompilePool {
 public:
  // `arch` is the GPU architecture, such as "sm_80", for CUDA variants whose GPU is not in this machine. If
  // it is empty, code is compiled for the GPU that a case names.
  explicit CompilePool(const WorkerCommand& command, const std::string& arch = "");
  ~CompilePool();

  // Returns the largest useful number of processes: one per processor, up to a limit.
  std::size_t most() const { return most_; }
  // Returns a text that is equal for cases that run the same compiled code on the same device.
  static std::string code_of(const Case& what);
  // Returns true if the code of the case is being compiled or was compiled, with or without errors.
  bool knows(const Case& what) const { return found_.contains(code_of(what)) || is_running(what); }
  // Returns the compiler's error for the case. The text is empty if there is none, the code was not compiled,
  // or the case cannot run.
  std::string problem_of(const Case& what) const;

  // Queues cases in this order, for at most `processes` processes. They replace queued cases that have not
  // started. Cases that knows() and cases that cannot run are skipped. Of cases with the same code, only the
  // first is queued.
  void expect(std::span<const Case> cases, std::size_t processes);
  // Collects results, and gives idle processes the next cases.
  void look();
  bool is_busy() const;
  // Wait until all queued cases are compiled, or the given case is, or `stop` (may be empty) returns true. If
  // the given case has not started, finish() does not wait for it, because its own worker then compiles it.
  void finish(const std::function<bool()>& stop);
  void finish(const Case& what, const std::function<bool()>& stop);

 private:
  struct Member {
    std::unique_ptr<WorkerProcess> process;
    std::string running;  // code of the case that the process compiles; empty: it is idle
    std::string device;   // device on which that case runs
    double until = 0;     // time at which the process is considered to hang
  };

  std::string arch_of(const std::string& device) const;
  bool has_to_wait(const Case& what) const;
  bool is_running(const Case& what) const;
  bool begin(Member* member, const Case& what);
  void hear(Member* member);
  void found(Member* member, const std::string& problem);

  WorkerCommand command_;
  std::string arch_;
  std::size_t most_, allowed_ = 0;
  std::deque<Member> members_;
  std::deque<Case> queue_;
  std::map<std::string, std::string> found_;  // compiler errors by code of the case; empty: it compiled
  // GPU architecture of each device, from the first process that compiled for it
  std::map<std::string, std::string> archs_;
};

}  // namespace sextant
