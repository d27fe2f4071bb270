#include "engine/floor.hpp"

#include <chrono>

namespace sextant {

const char* name_of(Overlap overlap) {
  return overlap == Overlap::all ? "all" : overlap == Overlap::device_passes ? "device passes" : "nothing";
}

StageClass with_overlap(StageClass one, const std::string& stage, Overlap overlap) {
  if (one != StageClass::device || overlap == Overlap::all) return one;
  const bool device_pass = stage == "timing on the device" || stage == "reading hardware counters";
  return device_pass && overlap == Overlap::device_passes ? one : StageClass::alone;
}

bool Floor::ask(std::size_t worker, const std::string& stage, StageClass wanted) {
  const std::lock_guard lock(mutex_);
  arbiter_.ask(worker, with_overlap(wanted, stage, overlap_), clock_.now());
  changed_.notify_all();
  return arbiter_.may_go(worker);
}

bool Floor::wait(std::size_t worker, double seconds) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                           [&] { return arbiter_.may_go(worker); });
}

void Floor::leave(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  arbiter_.leave(worker, clock_.now());
  changed_.notify_all();
}

}  // namespace sextant
