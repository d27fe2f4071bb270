// Worker processes that compile what cases are likely to need, so that it is in the cache when they are
// measured.
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
  // `arch`: "sm_80", for CUDA variants where the GPU is not of this machine; empty: the GPU that a case
  // names.
  explicit CompilePool(const WorkerCommand& command, const std::string& arch = "");
  ~CompilePool();

  // As many processes as are worth having, one a processor.
  std::size_t most() const { return most_; }
  // Whether the case was compiled, well or not, or is being compiled.
  bool knows(const Case& what) const { return found_.contains(key(what)) || is_running(what); }
  // What the compiler said of the case; empty if it had nothing to say, or was not asked.
  std::string problem_of(const Case& what) const;

  // Cases to compile, the first first, by `processes` at most; those expected before and not begun are
  // forgotten, as are those that are known.
  void expect(std::span<const Case> cases, std::size_t processes);
  // Hears who is done, and gives them the next.
  void look();
  bool is_busy() const;
  // Returns when all, or the one, that is expected is compiled, or `stop` (which may be empty) says so. A
  // case that is not begun is left to whoever runs it.
  void finish(const std::function<bool()>& stop);
  void finish(const Case& what, const std::function<bool()>& stop);

 private:
  struct Member {
    std::unique_ptr<WorkerProcess> process;
    std::string running;  // the case's key; empty: it is idle
    std::string device;   // the case's
    double until = 0;     // when it is given up
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
  std::map<std::string, std::string> found_;  // what was said of each, by key
  std::map<std::string, std::string>
      archs_;  // of devices, as the first process that compiled for one found it
};

}  // namespace sextant
