#include "engine/concurrent/exclusive_section.hpp"

#include <chrono>

namespace sextant {

const char* name_of(Overlap overlap) {
  return overlap == Overlap::all ? "all" : overlap == Overlap::long_calls ? "long calls" : "nothing";
}

StageClass with_overlap(StageClass one, Stage stage, double call, const Concurrency& concurrency) {
  if (one == StageClass::light)
    return concurrency.overlap == Overlap::nothing ? StageClass::loose : StageClass::device;
  if (one != StageClass::device || concurrency.overlap == Overlap::all) return one;
  if (concurrency.overlap == Overlap::nothing) return StageClass::alone;
  const bool device_pass = stage == Stage::timing_on_device || stage == Stage::reading_counters;
  return device_pass || call > concurrency.short_call ? one : StageClass::alone;
}

void ExclusiveSection::allow_long_wait(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  scheduler_.allow_long_wait(worker);
}

void ExclusiveSection::begin_case(std::size_t worker, bool by_device) {
  const std::lock_guard lock(mutex_);
  cases_.at(worker) = {by_device, {}};
}

bool ExclusiveSection::ask(std::size_t worker, Stage stage, StageClass wanted, double call) {
  const std::lock_guard lock(mutex_);
  OfCase& of_case = cases_.at(worker);
  StageClass given = with_overlap(wanted, stage, call, concurrency_);
  if (of_case.by_device && wanted == StageClass::device && concurrency_.overlap != Overlap::nothing)
    given = wanted;
  if (stage == Stage::sampling) of_case.isolation = isolation_by(wanted, given, call);
  scheduler_.ask(worker, given, clock_.now());
  changed_.notify_all();
  return scheduler_.may_go(worker);
}

Isolation ExclusiveSection::isolation_by(StageClass wanted, StageClass given, double call) const {
  if (concurrency_.overlap == Overlap::nothing || wanted == StageClass::alone) return Isolation::alone;
  if (!concurrency_.tried) return Isolation::not_tried;
  if (given == StageClass::alone) return Isolation::calls_alone;
  const bool undisturbed = concurrency_.overlap == Overlap::all || call > concurrency_.short_call;
  return undisturbed ? Isolation::undisturbed : Isolation::calls_disturbed;
}

std::optional<Isolation> ExclusiveSection::isolation_of(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  return cases_.at(worker).isolation;
}

bool ExclusiveSection::wait(std::size_t worker, double seconds) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                           [&] { return scheduler_.may_go(worker); });
}

void ExclusiveSection::leave(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  scheduler_.leave(worker, clock_.now());
  changed_.notify_all();
}

}  // namespace sextant
