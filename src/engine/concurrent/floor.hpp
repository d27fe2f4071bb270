// The arbiter as the threads of a parent ask it, each for its worker, and what measurements of this run may overlap.
#pragma once

#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/concurrent/arbiter.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "record/measurement.hpp"

namespace sextant {

// How much of what is measured on GPUs may overlap: all, what no neighbour moves (short calls are sampled alone), or nothing.
enum class Overlap : std::uint8_t { all, long_calls, nothing };

const char* name_of(Overlap overlap);  // "all", "long calls", "nothing"

// What a run's GPUs may do beside each other, and how that is known.
struct Beside {
  Overlap overlap = Overlap::all;
  double short_call = std::numeric_limits<double>::infinity();  // seconds: up to here a call is short
  bool tried = false;                                           // whether a trial said so
};

// What a stage of a case on a GPU may be beside: loose, device or alone; `call`: seconds that a call of the case takes, as far as is known, else 0.
StageClass with_overlap(StageClass one, Stage stage, double call, const Beside& beside);

class Floor : public StageScheduler {
 public:
  explicit Floor(std::size_t workers, const Beside& beside = {})
      : arbiter_(workers), beside_(beside), cases_(workers) {}

  // The worker's stages are of seconds, others' of milliseconds: it lets them go first for a while (Arbiter::make_patient).
  void make_patient(std::size_t worker);
  Overlap overlap() const { return beside_.overlap; }
  // The worker begins a case. `by_device`: it is judged by its time on the device, so that its calls may overlap however short.
  void begin_case(std::size_t worker, bool by_device);
  bool ask(std::size_t worker, Stage stage, StageClass wanted, double call = 0) override;
  bool wait(std::size_t worker, double seconds) override;
  void leave(std::size_t worker) override;
  // What the others did while the worker's last case was timed; nothing if it was not.
  std::optional<Isolation> isolation_of(std::size_t worker);

 private:
  struct OfCase {
    bool by_device = false;
    std::optional<Isolation> isolation = {};
  };
  Isolation isolation_by(StageClass wanted, StageClass given, double call) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  SteadyClock clock_;
  Arbiter arbiter_;
  const Beside beside_;
  std::vector<OfCase> cases_;
};

}  // namespace sextant
