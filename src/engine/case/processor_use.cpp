#include "engine/case/processor_use.hpp"

#include <time.h>

#include <chrono>
#include <thread>

namespace sextant {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Times {
  double wall = seconds_of(CLOCK_MONOTONIC), process = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
         thread = seconds_of(CLOCK_THREAD_CPUTIME_ID);
};

// Waits until the other threads of this process are idle. Returns false if they stay busy.
bool wait_until_idle() {
  constexpr int most_windows = 10;
  constexpr double window = 10e-3, idle = 0.05;
  for (int i = 0; i < most_windows; ++i) {
    const Times before;
    std::this_thread::sleep_for(std::chrono::duration<double>(window));
    const Times after;
    if (after.process - before.process < idle * (after.wall - before.wall)) return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessorUse> processor_use_of(const std::function<void()>& function) {
  constexpr double least = 10e-3;          // seconds
  constexpr double share_of_others = 0.1;  // maximum fraction of the processor time in other threads
  if (!wait_until_idle()) return std::nullopt;
  const Times before;
  Times after = before;
  do {
    function();
    after = Times();
  } while (after.wall - before.wall < least);
  const double process = after.process - before.process, own = after.thread - before.thread;
  return ProcessorUse{process / (after.wall - before.wall), process - own < share_of_others * process};
}

}  // namespace sextant
