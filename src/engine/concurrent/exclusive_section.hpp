// The stage scheduler that the threads of several workers share, and the rule for which GPU measurements may
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

// GPU measurements that may overlap: all, only long calls (short calls are sampled in isolation), or none.
enum class Overlap : std::uint8_t { all, long_calls, nothing };

const char* name_of(Overlap overlap);  // "all", "long calls", "nothing"

// The overlap rule of a run's GPU measurements, and whether a calibration run determined it.
struct Beside {
  Overlap overlap = Overlap::all;
  double short_call = std::numeric_limits<double>::infinity();  // seconds; calls up to this length are short
  bool tried = false;  // a calibration run determined the other members
};

// The class of a GPU case's stage under the overlap rule: loose, device or alone. `call`: expected seconds of
// one call of the case, 0 if unknown.
StageClass with_overlap(StageClass one, Stage stage, double call, const Beside& beside);

// Lets each worker wait until its stage may run concurrently with the running ones.
class ExclusiveSection : public StageScheduler {
 public:
  explicit ExclusiveSection(std::size_t workers, const Beside& beside = {})
      : scheduler_(workers), beside_(beside), cases_(workers) {}

  // Gives the worker a long maximum wait. Use it for a worker whose stages take seconds while other stages
  // take milliseconds.
  void allow_long_wait(std::size_t worker);
  Overlap overlap() const { return beside_.overlap; }
  // Announces the worker's next case. `by_device`: the case is judged by its device times, so its calls may
  // overlap even if they are short.
  void begin_case(std::size_t worker, bool by_device);
  bool ask(std::size_t worker, Stage stage, StageClass wanted, double call = 0) override;
  bool wait(std::size_t worker, double seconds) override;
  void leave(std::size_t worker) override;
  // Tells whether other GPUs were busy while the worker's last case was timed. Empty if it was not timed.
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
