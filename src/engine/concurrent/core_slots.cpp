#include "engine/concurrent/core_slots.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/case/sampling.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

double bytes_of(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  double bytes = 0;
  for (int i = 0; entry && i < static_cast<int>(entry->kernel.arrays.size()); ++i)
    bytes += static_cast<double>(entry->kernel.bytes(what.problem, i));
  return bytes;
}

double operations_of(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry || !entry->kernel.work) return 0;
  const Work work = entry->kernel.work(what.problem);
  return static_cast<double>(work.flops) + static_cast<double>(work.integer_operations);
}

// Executes a case repeatedly in a background thread, between begin() and end().
class Neighbour {
 public:
  Neighbour(CaseExecutor& executor, const Case& what)
      : thread_([this, &executor, what](const std::stop_token& end) { repeat(executor, what, end); }) {}
  ~Neighbour() {
    thread_.request_stop();
    changed_.notify_all();
  }

  // Returns once the case is running, or has failed.
  void begin() {
    std::unique_lock lock(mutex_);
    wanted_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return at_it_ || !wanted_; });
  }
  void end() {
    std::unique_lock lock(mutex_);
    wanted_ = false;
    changed_.wait(lock, [&] { return !at_it_; });
  }

 private:
  void repeat(CaseExecutor& executor, const Case& what, const std::stop_token& end) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, end, [&] { return wanted_; })) {
      at_it_ = true;
      changed_.notify_all();
      lock.unlock();
      bool works = false;
      try {
        works = executor.run(what).has_value();
      } catch (const std::exception&) {  // this executor then stays idle
      }
      lock.lock();
      at_it_ = false;
      wanted_ = wanted_ && works;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool wanted_ = false, at_it_ = false;
  std::jthread thread_;
};

}  // namespace

bool computes_for_long(const Case& what) {
  const double operations = operations_of(what);
  return operations >= core_operations && operations >= core_operations_per_byte * bytes_of(what);
}

bool is_for_a_core(const Case& what, double core_cache) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  if (!variant || variant->model != Model::serial || variant->memory_space != MemorySpace::host ||
      what.device != "cpu" || what.cache != CacheMode::warm)
    return false;
  return bytes_of(what) <= share_of_core_cache * core_cache || computes_for_long(what);
}

std::vector<Case> longest_problems_first(std::vector<Case> cases) {
  std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    const double first = operations_of(a), second = operations_of(b);
    return first != second ? first > second : key_of(problem_case(a)) < key_of(problem_case(b));
  });
  return cases;
}

std::optional<Interval> concurrent_over_isolated(const Case& what,
                                                 const std::vector<std::unique_ptr<CaseExecutor>>& executors,
                                                 Trial trial, const std::function<bool()>& stop) {
  SteadyClock clock;
  const double end = clock.now() + trial.seconds;
  std::vector<std::unique_ptr<Neighbour>> neighbours;
  for (std::size_t i = 1; i < executors.size(); ++i)
    neighbours.push_back(std::make_unique<Neighbour>(*executors[i], what));
  const auto turn = [&](bool concurrent) -> double {
    if (stop && stop()) return -1;
    if (concurrent)
      for (const auto& one : neighbours) one->begin();
    const std::optional<Measurement> measurement = executors.front()->run(what);
    if (concurrent)
      for (const auto& one : neighbours) one->end();
    if (!measurement || measurement->status != Status::ok || measurement->call_times.empty()) return -1;
    return median_interval(measurement->call_times).median;
  };
  for (int i = 0; i < 2; ++i) turn(true);  // all executors load their data and check the case
  std::vector<double> ratios;
  const auto is_clear = [&] {
    if (static_cast<int>(ratios.size()) < trial.rounds) return false;
    const Interval ratio = median_interval(ratios);
    return ratio.high - ratio.low <= 2 * trial.width;
  };
  while (!is_clear() && clock.now() < end) {
    double sums[2] = {};
    for (const bool concurrent : {false, true, true, false}) {
      const double seconds = turn(concurrent);
      if (seconds <= 0) return std::nullopt;
      sums[concurrent ? 1 : 0] += seconds;
    }
    ratios.push_back(sums[1] / sums[0]);
  }
  if (2 * static_cast<int>(ratios.size()) < trial.rounds) return std::nullopt;
  return median_interval(ratios);
}

bool shows_disturbance(const Interval& ratio, double max_noise) {
  return ratio.low > 1 + max_noise / 2 || ratio.median > 1 + 2 * max_noise;
}

std::vector<TrialFound> try_concurrent(const Case& what,
                                       std::vector<std::unique_ptr<CaseExecutor>>* executors,
                                       std::size_t fewer, Trial trial, double max_noise,
                                       const std::function<bool()>& stop) {
  std::vector<TrialFound> all;
  for (;;) {
    const std::optional<Interval> ratio = concurrent_over_isolated(what, *executors, trial, stop);
    if (!ratio) return all;
    all.push_back({executors->size(), *ratio, shows_disturbance(*ratio, max_noise)});
    if (!all.back().disturbed || executors->size() <= fewer) return all;
    executors->resize(fewer);
  }
}

}  // namespace sextant
