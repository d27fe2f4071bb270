// The arbiter as the threads of a parent ask it, each for its worker, and what measurements of this run may overlap.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "engine/arbiter.hpp"
#include "engine/sampling.hpp"

namespace sextant {

// How much of what is measured on GPUs may overlap: all, the passes that time on the device (call times are sampled alone), or
// nothing.
enum class Overlap : std::uint8_t { all, device_passes, nothing };

const char* name_of(Overlap overlap);  // "all", "device passes", "nothing"
StageClass with_overlap(StageClass one, const std::string& stage, Overlap overlap);

class Floor {
 public:
  explicit Floor(std::size_t workers, Overlap overlap = Overlap::all)
      : arbiter_(workers), overlap_(overlap) {}

  // True: the worker may go at once; else it has to wait().
  bool ask(std::size_t worker, const std::string& stage, StageClass wanted);
  // True: it may go; false: not within so many seconds.
  bool wait(std::size_t worker, double seconds);
  void leave(std::size_t worker);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  SteadyClock clock_;
  Arbiter arbiter_;
  Overlap overlap_;
};

// A worker's place at it; none: nothing runs beside.
struct Seat {
  Floor* floor = nullptr;
  std::size_t worker = 0;
};

}  // namespace sextant
