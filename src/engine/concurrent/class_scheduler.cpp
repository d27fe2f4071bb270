#include "engine/concurrent/class_scheduler.hpp"

#include <algorithm>

namespace sextant {

void ClassScheduler::ask(std::size_t index, StageClass wanted, double now) {
  Worker& worker = workers_.at(index);
  if (worker.runs == wanted) return;
  worker.runs.reset();
  worker.waits = wanted;
  worker.turn = ++turns_;
  worker.asked = now;
  let_in(now);
}

void ClassScheduler::leave(std::size_t index, double now) {
  Worker& worker = workers_.at(index);
  worker.runs.reset();
  worker.waits.reset();
  let_in(now);
}

const ClassScheduler::Worker* ClassScheduler::longest_waiting(std::optional<StageClass> of) const {
  const Worker* longest = nullptr;
  for (const Worker& worker : workers_)
    if (worker.waits && (!of || worker.waits == of) && (!longest || worker.turn < longest->turn))
      longest = &worker;
  return longest;
}

bool ClassScheduler::any_runs() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.runs.has_value(); });
}

// Returns true if further workers may begin stages of the class that runs now.
bool ClassScheduler::may_join(double now) const {
  return running_ && std::none_of(workers_.begin(), workers_.end(), [&](const Worker& worker) {
           return worker.waits && worker.waits != running_ && now - worker.asked >= worker.maximum_wait;
         });
}

void ClassScheduler::begin(Worker& worker) {
  worker.runs = worker.waits;
  worker.waits.reset();
}

void ClassScheduler::let_in(double now) {
  const Worker* next = longest_waiting();
  if (!next) {
    if (!any_runs()) running_.reset();
    return;
  }
  const bool joins = may_join(now);
  if (any_runs()) {
    if (!joins || running_ == StageClass::alone) return;
  } else if (!joins || !longest_waiting(running_)) {
    running_ = next->waits;
  }
  for (Worker& worker : workers_) {
    if (worker.waits != running_) continue;
    if (running_ == StageClass::alone && &worker != longest_waiting(running_)) continue;
    begin(worker);
    if (running_ == StageClass::alone) return;
  }
}

}  // namespace sextant
