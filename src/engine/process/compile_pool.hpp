// Starts worker processes that compile the code of upcoming cases, so that it is in the compile cache when
// they are measured.
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
  // `arch`: GPU architecture, e.g. "sm_80", for CUDA variants whose GPU is not in this machine. Empty: use
  // the GPU that a case names.
  explicit CompilePool(const WorkerCommand& command, const std::string& arch = "");
  ~CompilePool();

  // Maximum useful number of processes: one per processor, up to a limit.
  std::size_t most() const { return most_; }
  // True if the case is being compiled or was compiled, with or without errors.
  bool knows(const Case& what) const { return found_.contains(key(what)) || is_running(what); }
  // The compiler's error for the case. Empty if there is none or the case was not compiled.
  std::string problem_of(const Case& what) const;

  // Queues cases, the first ones first, for at most `processes` processes. Replaces queued cases that have
  // not started, and skips known cases.
  void expect(std::span<const Case> cases, std::size_t processes);
  // Collects results and gives idle processes the next cases.
  void look();
  bool is_busy() const;
  // Returns when all queued cases are compiled, or the given case is, or `stop` (may be empty) returns true.
  // A given case that has not started is not waited for, because its worker compiles it.
  void finish(const std::function<bool()>& stop);
  void finish(const Case& what, const std::function<bool()>& stop);

 private:
  struct Member {
    std::unique_ptr<WorkerProcess> process;
    std::string running;  // Key of the case that it compiles. Empty: it is idle.
    std::string device;   // Device of that case.
    double until = 0;     // Time at which the process is given up.
  };

  static std::string key(const Case& what);
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
  std::map<std::string, std::string> found_;  // compiler errors, by case key
  std::map<std::string, std::string>
      archs_;  // architectures of devices, from the first process that compiled for each
};

}  // namespace sextant
