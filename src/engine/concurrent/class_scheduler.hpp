// Decides which workers may continue if several measure at the same time. Callers pass the time in seconds,
// so the scheduler needs no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/form/stage.hpp"

namespace sextant {

// Schedules stages (steps of measuring a case, engine/form/stage.hpp). Only one class of stages runs at a
// time. The longest-waiting worker determines the class. Other workers that want this class join, until a
// worker that wants another class has waited its maximum. Stages of class `alone` run one at a time.
class ClassScheduler {
 public:
  // Once a worker has waited this many seconds, others may no longer join the running class. The default is
  // about the duration of a stage on a GPU. The long maximum lets many such stages run before the class
  // changes, because a change costs time.
  static constexpr double maximum_wait = 0.02, long_maximum_wait = 2;

  explicit ClassScheduler(std::size_t workers) : workers_(workers) {}

  void allow_long_wait(std::size_t worker) { workers_.at(worker).maximum_wait = long_maximum_wait; }
  // Ends the worker's stage and requests one of class `wanted`. If that class runs already, the worker
  // continues at once.
  void ask(std::size_t worker, StageClass wanted, double now);
  // Ends the worker's stage without a new request, because the worker is idle or has ended.
  void leave(std::size_t worker, double now);

  bool may_go(std::size_t worker) const { return workers_.at(worker).runs.has_value(); }

 private:
  struct Worker {
    std::optional<StageClass> runs, waits;
    std::uint64_t turn = 0;  // position of the worker's request in the order of all requests
    double asked = 0;        // time of the worker's request in seconds
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
