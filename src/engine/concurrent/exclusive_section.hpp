// The stage scheduler of several workers, which their threads share, and what measurements of a run may
// overlap.
#pragma once

#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/case/sampling.hpp"
#include "engine/concurrent/class_scheduler.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "record/measurement.hpp"

namespace sextant {

// Which measurements on GPUs may overlap: all, those of long calls (short ones are sampled alone), or none.
enum class Overlap : std::uint8_t { all, long_calls, nothing };

const char* name_of(Overlap overlap);  // "all", "long calls", "nothing"

// What GPUs of a run may do concurrently, and how that is known.
struct Beside {
  Overlap overlap = Overlap::all;
  double short_call = std::numeric_limits<double>::infinity();  // seconds: up to here a call is short
  bool tried = false;                                           // whether a trial said so
};

// The class that a stage of a case on a GPU has by that: loose, device or alone. `call`: seconds that a call
// of the case takes, 0 if not known.
StageClass with_overlap(StageClass one, Stage stage, double call, const Beside& beside);

// A worker waits here until its stage may run concurrently with those that run.
class ExclusiveSection : public StageScheduler {
 public:
  explicit ExclusiveSection(std::size_t workers, const Beside& beside = {})
      : scheduler_(workers), beside_(beside), cases_(workers) {}

  // For a worker whose stages take seconds while those of others take milliseconds: it lets others go first
  // for a while.
  void allow_long_wait(std::size_t worker);
  Overlap overlap() const { return beside_.overlap; }
  // The worker begins a case. `by_device`: device times decide on it, so that its calls may overlap however
  // short they are.
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
  ClassScheduler scheduler_;
  const Beside beside_;
  std::vector<OfCase> cases_;
};

}  // namespace sextant
