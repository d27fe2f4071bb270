// The rule by which workers that measure at the same time take turns. It has no clock and no processes:
// callers give the time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/form/stage.hpp"

namespace sextant {

// Only one class of stages runs at a time. The longest-waiting worker picks it. Workers that want the class
// that runs join it, until a worker that wants another class has waited its maximum. Of `alone` one stage
// runs at a time.
class ClassScheduler {
 public:
  // Seconds. The first is about as long as a stage of a case on a GPU, so that workers with similar cases
  // wait for each other. With the second, many such stages share the costs of a change of class.
  static constexpr double maximum_wait = 0.02, long_maximum_wait = 2;

  explicit ClassScheduler(std::size_t workers) : workers_(workers) {}

  void allow_long_wait(std::size_t worker) { workers_.at(worker).maximum_wait = long_maximum_wait; }
  // The worker's stage ends, and its next one is of this class. If that class is the same, the worker goes
  // on.
  void ask(std::size_t worker, StageClass wanted, double now);
  // The worker's stage ends, and it wants no other: it is idle, or gone.
  void leave(std::size_t worker, double now);

  bool may_go(std::size_t worker) const { return workers_.at(worker).runs.has_value(); }

 private:
  struct Worker {
    std::optional<StageClass> runs, waits;
    std::uint64_t turn = 0;  // the number of its request
    double asked = 0;        // the time of its request
    double maximum_wait = ClassScheduler::maximum_wait;
  };
  const Worker* longest_waiting(std::optional<StageClass> of = std::nullopt) const;
  bool any_runs() const;
  bool may_join(double now) const;
  void begin(Worker& worker);
  void let_in(double now);

  std::vector<Worker> workers_;
  std::optional<StageClass> running_;
  std::uint64_t turns_ = 0;
};

}  // namespace sextant
