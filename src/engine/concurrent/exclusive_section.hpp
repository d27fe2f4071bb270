// Lets the threads of several workers measure at once, and decides which of their GPU measurements may
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

// Which GPU measurements may overlap: all, only long calls (short calls are then sampled in isolation), or
// none.
enum class Overlap : std::uint8_t { all, long_calls, nothing };

const char* name_of(Overlap overlap);  // returns "all", "long calls" or "nothing"

// Which GPU measurements of a run may overlap.
struct Concurrency {
  Overlap overlap = Overlap::all;
  // calls of up to this many seconds count as short
  double short_call = std::numeric_limits<double>::infinity();
  bool tried = false;  // true if a trial determined the other members
};

// Adapts the class `one` of a GPU case's stage to the allowed overlap. Returns loose, device or alone. `call`
// is the expected seconds of one call of the case, 0 if unknown.
StageClass with_overlap(StageClass one, Stage stage, double call, const Concurrency& concurrency);

// Makes each worker wait until its next stage may run concurrently with the stages that run already.
class ExclusiveSection : public StageScheduler {
 public:
  explicit ExclusiveSection(std::size_t workers, const Concurrency& concurrency = {})
      : scheduler_(workers), concurrency_(concurrency), cases_(workers) {}

  // Gives the worker a long maximum wait. This is for a worker whose stages take seconds while those of other
  // workers take milliseconds.
  void allow_long_wait(std::size_t worker);
  Overlap overlap() const { return concurrency_.overlap; }
  // Announces the worker's next case. If `by_device` is true, only the case's device times count, so its
  // calls may overlap even if they are short.
  void begin_case(std::size_t worker, bool by_device);
  bool ask(std::size_t worker, Stage stage, StageClass wanted, double call = 0) override;
  bool wait(std::size_t worker, double seconds) override;
  void leave(std::size_t worker) override;
  // Returns whether other GPUs were busy while the worker's last case was timed, or nothing if it was not
  // timed.
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
  const Concurrency concurrency_;
  std::vector<OfCase> cases_;
};

}  // namespace sextant
