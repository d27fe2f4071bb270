#include "engine/case/energy_meter.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include "machine/places.hpp"

namespace sextant {
namespace {

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Calls without a pause, whose ends are marked.
class Train {
 public:
  Train(const std::function<void(int)>& run, double expected, Clock& clock)
      : run_(run), clock_(clock), calls_(calls_in_a_row(expected)) {}

  // Calls until `enough` returns true or the time is over.
  void run_until(const std::function<bool()>& enough, double time) {
    do {
      run_(calls_);
      done_ += calls_;
      marks_.push_back({clock_.now(), done_});
    } while (!enough() && marks_.back().time < time);
  }
  const std::vector<CallMark>& marks() const { return marks_; }

 private:
  const std::function<void(int)>& run_;
  Clock& clock_;
  int calls_;
  std::int64_t done_ = 0;
  std::vector<CallMark> marks_;
};

}  // namespace

int calls_in_a_row(double expected) {
  constexpr double seconds = 1e-3;
  constexpr double most = 1000;
  return static_cast<int>(std::clamp(seconds / std::max(expected, 1e-9), 1.0, most));
}

EnergySteps::EnergySteps(Read read, Clock& clock, double poll_seconds)
    : read_(std::move(read)), clock_(clock), poll_seconds_(poll_seconds), thread_([this] { run(); }) {}

EnergySteps::~EnergySteps() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

std::vector<EnergyReading> EnergySteps::steps() const {
  const std::lock_guard lock(mutex_);
  return steps_;
}

std::size_t EnergySteps::count() const {
  const std::lock_guard lock(mutex_);
  return steps_.size();
}

void EnergySteps::run() {
  const AllPlaces all_places;  // so that it does not share a processor with the thread that calls
  std::optional<double> last;
  std::unique_lock lock(mutex_);
  while (!ends_) {
    lock.unlock();
    const std::optional<double> joules = read_();
    const double time = clock_.now();
    lock.lock();
    if (joules && last && *joules > *last) steps_.push_back({time, *joules});
    if (joules) last = joules;
    ending_.wait_for(lock, std::chrono::duration<double>(poll_seconds_), [this] { return ends_; });
  }
}

double step_seconds(const std::vector<EnergyReading>& steps) {
  std::vector<double> seconds;
  for (std::size_t i = 1; i < steps.size(); ++i) seconds.push_back(steps[i].time - steps[i - 1].time);
  return median_interval(seconds).median;
}

std::optional<double> joules_at(const std::vector<EnergyReading>& steps, double time) {
  const auto after =
      std::lower_bound(steps.begin(), steps.end(), time,
                       [](const EnergyReading& one, double wanted) { return one.time < wanted; });
  if (after == steps.end()) return std::nullopt;
  if (after->time == time) return after->joules;
  if (after == steps.begin()) return std::nullopt;
  const EnergyReading &low = *std::prev(after), &high = *after;
  return low.joules + (high.joules - low.joules) * (time - low.time) / (high.time - low.time);
}

CallEnergy energy_in_windows(const std::vector<EnergyReading>& steps, const std::vector<CallMark>& marks,
                             double begin, double window, int most) {
  CallEnergy found;
  const CallMark* first = nullptr;
  double sum = 0;
  for (const CallMark& mark : marks) {
    if (static_cast<int>(found.energies.size()) == most) break;
    if (mark.time < begin) continue;
    if (!first) first = &mark;
    if (mark.time - first->time < window) continue;
    const std::optional<double> before = joules_at(steps, first->time), after = joules_at(steps, mark.time);
    const auto calls = static_cast<double>(mark.calls - first->calls);
    if (before && after && calls > 0) {
      found.energies.push_back((*after - *before) / calls);
      found.times.push_back((mark.time - first->time) / calls);
      sum += mark.time - first->time;
    }
    first = &mark;
  }
  if (!found.energies.empty()) found.window = sum / static_cast<double>(found.energies.size());
  return found;
}

std::optional<double> measure_idle_power(const EnergySteps::Read& read, Clock& clock,
                                         const EnergyPlan& plan) {
  sleep(plan.idle_after);
  const EnergySteps counter(read, clock, plan.poll_seconds);
  const double begin = clock.now();
  const double last = begin + plan.window_seconds + plan.longest_step * plan.window_steps;
  const auto steps_wanted = static_cast<std::size_t>(plan.window_steps) + 1;
  for (double now = begin; now < last; now = clock.now()) {
    if (counter.count() >= steps_wanted && now >= begin + plan.window_seconds) break;
    if (counter.count() < 2 && now > begin + 2 * plan.longest_step + plan.window_seconds) break;
    sleep(plan.poll_seconds);
  }
  const std::vector<EnergyReading> steps = counter.steps();
  if (steps.size() < 2) return std::nullopt;
  return (steps.back().joules - steps.front().joules) / (steps.back().time - steps.front().time);
}

CallEnergy measure_energy(const std::function<void(int calls)>& run, double expected,
                          const EnergySteps::Read& read, Clock& clock, const EnergyPlan& plan) {
  constexpr std::size_t known_step = 4;  // steps after which the seconds between two steps are known
  CallEnergy failed;
  if (expected > plan.longest_call) {
    char text[96];
    std::snprintf(text, sizeof text, "a call takes %.3g s, longer than %.3g s", expected, plan.longest_call);
    failed.obstacle = text;
    return failed;
  }
  const EnergySteps counter(read, clock, plan.poll_seconds);
  Train train(run, expected, clock);
  const double begin = clock.now(), first = begin + plan.lead_in;
  train.run_until([&] { return counter.count() >= known_step && clock.now() >= first; },
                  first + static_cast<double>(known_step) * plan.longest_step);
  if (counter.count() < known_step) {
    failed.obstacle = "the energy counter does not advance";
    return failed;
  }
  const double window = std::max(plan.window_seconds, plan.window_steps * step_seconds(counter.steps()));
  const double took = std::max(window, expected);
  const int windows = static_cast<int>(std::clamp(plan.longest / took, 1.0, double(plan.windows)));
  const double windows_begin = train.marks().back().time;
  double window_begin = windows_begin;
  int complete = 0;  // windows, counted as energy_in_windows does
  const auto are_complete = [&] {
    const double now = train.marks().back().time;
    if (now - window_begin >= window) window_begin = now, ++complete;
    return complete == windows;
  };
  // A busy machine may make windows longer.
  train.run_until(are_complete, windows_begin + 2 * (windows + 1) * took);
  // The last window needs a step of the counter after its end.
  const std::size_t seen = counter.count();
  train.run_until([&] { return counter.count() > seen; }, clock.now() + plan.longest_step);
  CallEnergy found = energy_in_windows(counter.steps(), train.marks(), windows_begin, window, windows);
  if (found.energies.empty()) found.obstacle = "the energy counter stopped";
  return found;
}

}  // namespace sextant
