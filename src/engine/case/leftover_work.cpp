#include "engine/case/leftover_work.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sextant {
namespace {

// Returns the processor seconds of a thread of this process, or 0 if it has ended. The clock of the whole
// process is not exact enough: it omits the time of running threads since the scheduler's last tick.
double processor_time(pid_t thread) {
  // the ID of the thread's clock in Linux
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u);
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Returns the IDs of OpenMP's threads, including this one. They spin after a parallel region, so they do not
// count as unfinished work.
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

bool is_runnable(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');  // the text is "123 (name) R …"
  return name_end != std::string::npos && text.compare(name_end, 3, ") R") == 0;
}

// Returns true if no other thread of the machine is runnable, according to the kernel. This is much faster
// than asking about each thread.
bool runs_alone() {
  std::ifstream file("/proc/loadavg");  // "0.20 0.18 0.12 1/80 11206": one of 80 threads is runnable
  double load = 0;
  int runnable = 0;
  file >> load >> load >> load >> runnable;
  return runnable == 1;
}

bool is_any_runnable(const std::set<pid_t>& team) {
  const std::set<pid_t> threads = threads_but(team);
  return std::any_of(threads.begin(), threads.end(), is_runnable);
}

struct Seen {
  pid_t thread;
  bool runnable;
  double time;  // processor seconds of the thread so far
};

}  // namespace

// Returns the processor seconds that other threads of this process use while this thread sleeps for `window`
// seconds. If a thread was running and has ended meanwhile, the whole window counts, because its time is
// unknown.
double LeftoverWork::used_in(double window) const {
  std::vector<Seen> before;
  for (const pid_t thread : threads_but(team_))
    before.push_back({thread, is_runnable(thread), processor_time(thread)});
  std::this_thread::sleep_for(std::chrono::duration<double>(window));
  double used = 0;
  for (const Seen& seen : before) {
    const double now = processor_time(seen.thread);
    used += now > 0 ? now - seen.time : seen.runnable ? window : 0;
  }
  return used;
}

// Returns true if other threads are busy after the call and become idle later. Threads that stay busy do not
// count, because they may always be busy. On a busy machine a thread with work may wait for a processor, so a
// runnable thread counts as busy.
bool LeftoverWork::goes_on_host(double seconds) {
  constexpr double short_window = 1e-4, long_window = 1e-3, least = 50e-6, longest_wait = 0.02;
  if (runs_alone()) return false;
  if (team_.empty()) team_ = threads_of_team();
  const double window = std::clamp(seconds, short_window, long_window);
  const double most = std::min(std::max(least, share * seconds), window / 4);
  const auto is_busy = [&] {
    const bool runnable = is_any_runnable(team_);
    const double used = used_in(window);
    return used > most || (runnable && is_any_runnable(team_));
  };
  if (!is_busy()) return false;
  for (const double end = clock_.now() + 20 * seconds + longest_wait; clock_.now() < end;)
    if (!is_busy()) return true;
  return false;
}

// Returns true if work was left on the device: waiting for the whole device takes longer than waiting a
// second time, when it is idle.
bool LeftoverWork::goes_on_device(double seconds) {
  constexpr double least = 20e-6;
  const auto synchronised = [&] {
    const double began = clock_.now();
    synchronise_();
    return clock_.now() - began;
  };
  const double left = synchronised();
  return left - synchronised() > std::max(least, share * seconds);
}

bool LeftoverWork::is_examined() const {
  return synchronise_ || variant_.model == Model::serial || variant_.model == Model::openmp;
}

void LeftoverWork::look(double seconds) {
  constexpr double clear = 5e-3;  // seconds; a share of such a call exceeds what other threads do by chance
  if (!is_examined()) return;
  ++looks_;
  enough_ = seconds > clear ? 2 : 3;
  if (synchronise_ ? goes_on_device(seconds) : goes_on_host(seconds)) ++found_;
}

}  // namespace sextant
