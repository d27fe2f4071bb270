// Which stages of which workers may run beside each other, where several measure at once. No clocks, no processes: who asks
// says what time it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/form/stage.hpp"

namespace sextant {

// One class has the floor at a time. It is the turn of whom waited longest, and of all who wait for the same class; whoever asks
// for it joins them until somebody who waits for another loses patience. `alone` goes to one at a time.
class Arbiter {
 public:
  // Seconds: about as long as a stage of a case on a GPU, so that those who do much the same wait for each other; and of who is
  // patient, so that many such stages share the costs of a change.
  static constexpr double patience = 0.02, long_patience = 2;

  explicit Arbiter(std::size_t workers) : workers_(workers) {}

  void make_patient(std::size_t worker) { workers_.at(worker).patience = long_patience; }
  // What the worker does now ends, and it wants to do something of this class. A worker that has the class keeps it.
  void ask(std::size_t worker, StageClass wanted, double now);
  // It does nothing more, and waits for nothing: it is idle, or gone.
  void leave(std::size_t worker, double now);

  bool may_go(std::size_t worker) const { return workers_.at(worker).holds.has_value(); }
  std::optional<StageClass> held_by(std::size_t worker) const { return workers_.at(worker).holds; }

 private:
  struct Worker {
    std::optional<StageClass> holds, waits;
    std::uint64_t turn = 0;  // when it asked: by order
    double asked = 0;        // and by the clock
    double patience = Arbiter::patience;
  };
  const Worker* longest_waiting(std::optional<StageClass> of = std::nullopt) const;
  bool has_holder() const;
  bool keeps_floor(double now) const;
  void give(Worker& worker);
  void let_in(double now);

  std::vector<Worker> workers_;
  std::optional<StageClass> floor_;
  std::uint64_t turns_ = 0;
};

}  // namespace sextant
