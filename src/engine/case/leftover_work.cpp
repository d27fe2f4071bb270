#include "engine/case/leftover_work.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sextant {
namespace {

// Processor time of a thread of this process, seconds; 0: it has ended. (The clock of the whole process does not know what threads that
// run now have used since the scheduler's last tick.)
double processor_time(pid_t thread) {
  const auto clock =
      static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u);  // as Linux numbers them
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// OpenMP's threads, this one among them: they spin after any parallel region.
std::set<pid_t> threads_of_team() {
  std::set<pid_t> threads;
#pragma omp parallel
#pragma omp critical
  threads.insert(::gettid());
  return threads;
}

std::set<pid_t> threads_but(const std::set<pid_t>& team) {
  std::set<pid_t> others;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", failed))
    if (const pid_t thread = std::atoi(entry.path().filename().c_str()); !team.contains(thread))
      others.insert(thread);
  return others;
}

}  // namespace

LeftoverWork::LeftoverWork(const Variant& variant, Device& device, Clock& clock)
    : variant_(variant), device_(device), clock_(clock) {}

// What the process's other threads use in a window in which this thread sleeps.
double LeftoverWork::used_in(double window) const {
  std::vector<std::pair<pid_t, double>> before;
  for (const pid_t thread : threads_but(team_)) before.emplace_back(thread, processor_time(thread));
  std::this_thread::sleep_for(std::chrono::duration<double>(window));
  double used = 0;
  for (const auto& [thread, time] : before) used += std::max(0.0, processor_time(thread) - time);
  return used;
}

// They may always use some; work that was left ends, which is waited for.
bool LeftoverWork::goes_on_host(double seconds) {
  constexpr double short_window = 1e-4, long_window = 1e-3, least = 50e-6;
  if (team_.empty()) team_ = threads_of_team();
  const double window = std::clamp(seconds, short_window, long_window);
  const double most = std::min(std::max(least, share * seconds), window / 4);
  double used = used_in(window);
  if (used <= most) return false;
  const double left = used;
  for (const double end = clock_.now() + 2 * seconds + 2 * long_window;
       clock_.now() < end && left - used <= most;)
    used = used_in(window);
  return left - used > most;
}

// Until all of the device is idle, and once more, when it is.
bool LeftoverWork::goes_on_device(double seconds) {
  constexpr double least = 20e-6;
  const auto settled = [&] {
    const double began = clock_.now();
    device_.settle();
    return clock_.now() - began;
  };
  const double left = settled();
  return left - settled() > std::max(least, share * seconds);
}

void LeftoverWork::look(double seconds) {
  const bool on_host = variant_.memory_space == MemorySpace::host;
  // Threads of libraries spin for as long as they like.
  if (on_host && variant_.model != Model::serial && variant_.model != Model::openmp) return;
  ++looks_;
  if (on_host ? goes_on_host(seconds) : goes_on_device(seconds)) ++found_;
}

}  // namespace sextant
