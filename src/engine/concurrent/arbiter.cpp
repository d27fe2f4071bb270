#include "engine/concurrent/arbiter.hpp"

#include <algorithm>

namespace sextant {

void Arbiter::ask(std::size_t index, StageClass wanted, double now) {
  Worker& worker = workers_.at(index);
  if (worker.holds == wanted) return;
  worker.holds.reset();
  worker.waits = wanted;
  worker.turn = ++turns_;
  worker.asked = now;
  let_in(now);
}

void Arbiter::leave(std::size_t index, double now) {
  Worker& worker = workers_.at(index);
  worker.holds.reset();
  worker.waits.reset();
  let_in(now);
}

const Arbiter::Worker* Arbiter::longest_waiting(std::optional<StageClass> of) const {
  const Worker* longest = nullptr;
  for (const Worker& worker : workers_)
    if (worker.waits && (!of || worker.waits == of) && (!longest || worker.turn < longest->turn))
      longest = &worker;
  return longest;
}

bool Arbiter::has_holder() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.holds.has_value(); });
}

// Whether who asks for the class that has the floor may join those who have it.
bool Arbiter::keeps_floor(double now) const {
  return floor_ && std::none_of(workers_.begin(), workers_.end(), [&](const Worker& worker) {
           return worker.waits && worker.waits != floor_ && now - worker.asked >= worker.patience;
         });
}

void Arbiter::give(Worker& worker) {
  worker.holds = worker.waits;
  worker.waits.reset();
}

void Arbiter::let_in(double now) {
  const Worker* next = longest_waiting();
  if (!next) {
    if (!has_holder()) floor_.reset();
    return;
  }
  const bool keeps = keeps_floor(now);
  if (has_holder()) {
    if (!keeps || floor_ == StageClass::alone) return;
  } else if (!keeps || !longest_waiting(floor_)) {
    floor_ = next->waits;
  }
  for (Worker& worker : workers_) {
    if (worker.waits != floor_) continue;
    if (floor_ == StageClass::alone && &worker != longest_waiting(floor_)) continue;
    give(worker);
    if (floor_ == StageClass::alone) return;
  }
}

}  // namespace sextant
