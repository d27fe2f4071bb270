#include "engine/concurrent/work_queue.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "engine/case/sampling.hpp"
#include "engine/concurrent/result_forwarder.hpp"
#include "engine/concurrent/tuning_search.hpp"
#include "engine/form/warnings.hpp"
#include "engine/process/worker_executor.hpp"
#include "plan/estimate.hpp"
#include "plan/guess.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// State that the threads of all devices share, protected by mutex_. Callbacks have a separate lock, for which
// the device threads do not wait, because a callback may take milliseconds to store results.
class DistributedRun {
 public:
  DistributedRun(const std::vector<Case>& cases, const std::vector<std::string>& devices,
                 const Callbacks& outer)
      : queue_(cases, devices), outer_(outer), estimate_(cases) {
    progress_.total = cases.size();
    began_ = clock_.now();
    inner_.message = [this](const std::string& text) {
      const std::lock_guard lock(outer_mutex_);
      if (outer_.message) outer_.message(text);
    };
    inner_.stop = [this] { return stops(); };
    if (outer_.spent)
      inner_.spent = [this](const Case& what, Stage stage, double seconds) {
        const std::lock_guard lock(mutex_);
        outer_.spent(what, stage, seconds);
      };
  }

  const Callbacks& callbacks() const { return inner_; }

  std::vector<Case> next(std::size_t slot) {
    if (stops()) return {};
    const std::lock_guard lock(mutex_);
    return queue_.next(slot);
  }

  // Called before each case. Returns false if the run ends.
  bool begins(const Case& what) {
    if (stops()) return false;
    report(progress_of(&what), std::unique_lock(outer_mutex_, std::try_to_lock));
    return true;
  }

  void ended(const Case& what, double seconds) {
    const std::lock_guard lock(mutex_);
    estimate_.ended(what, seconds);
    busy_ += seconds;
    ++progress_.done;
  }

  void forward_result(Measurement measurement) { forwarder_->add(std::move(measurement)); }

  // Stores the first error for the caller and ends the run.
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    stopped_ = true;
  }

  void finish() {
    forwarder_.reset();
    if (error_) std::rethrow_exception(error_);
    if (!stopped_) report(progress_of(nullptr), std::unique_lock(outer_mutex_));
  }

 private:
  // Returns true if the run ends. If another thread runs a callback, a device thread does not wait for it and
  // calls `stop` the next time. The storing thread calls `stop` every time.
  bool stops() {
    if (const std::unique_lock outer(outer_mutex_, std::try_to_lock); outer) ask_whether_to_stop();
    return stopped_;
  }

  void ask_whether_to_stop() {
    if (!stopped_ && outer_.stop && outer_.stop()) stopped_ = true;
  }

  // Called on the thread of forwarder_. After an error, no more measurements are passed on.
  void tell_measured(std::span<const Measurement> measurements) {
    const std::lock_guard lock(outer_mutex_);
    if (told_all_ || !outer_.measured) return;
    const auto tell = [&] {
      for (const Measurement& one : measurements) outer_.measured(one);
    };
    try {
      if (measurements.size() > 1 && outer_.together)
        outer_.together(tell);
      else
        tell();
      ask_whether_to_stop();
    } catch (...) {
      told_all_ = true;
      fail(std::current_exception());
    }
  }

  // Returns the progress. The estimate assumes that the remaining cases overlap as much as the finished ones.
  Progress progress_of(const Case* running) {
    const std::lock_guard lock(mutex_);
    progress_.running = running;
    progress_.elapsed = clock_.now() - began_;
    const double left = estimate_.remaining();
    progress_.remaining = left > 0 && busy_ > 0 ? left * progress_.elapsed / busy_ : left;
    return progress_;
  }

  void report(const Progress& progress, const std::unique_lock<std::mutex>& outer) {
    if (outer && outer_.progress) outer_.progress(progress);
  }

  std::mutex mutex_, outer_mutex_;
  WorkQueue queue_;
  const Callbacks& outer_;
  Callbacks inner_;
  Estimate estimate_;
  Progress progress_;
  SteadyClock clock_;
  double began_ = 0, busy_ = 0;  // when the run began, and total seconds of all cases that have ended
  std::atomic<bool> stopped_ = false;
  std::exception_ptr error_;
  bool told_all_ = false;  // true if no more measurements are passed on
  std::optional<ResultForwarder> forwarder_{
      std::in_place, [this](std::span<const Measurement> waiting) { tell_measured(waiting); }};
};

class SlotRun {
 public:
  SlotRun(std::size_t slot, const MakeExecutor& make, ExclusiveSection& section, DistributedRun& run)
      : slot_(slot), section_(section), run_(run), executor_(make(slot, run.callbacks(), {&section, slot})) {}

  void run() {
    for (;;) {
      const std::vector<Case> cases = run_.next(slot_);
      if (cases.empty()) return;
      for (std::span<const Case> rest = cases; !rest.empty();) {
        const std::span<const Case> group = tunings_in_front(rest);
        if (!measure_group(group)) return;
        rest = rest.subspan(group.size());
      }
    }
  }

 private:
  // Measures cases that differ only in their tuning. Returns false if the run ends. The measurement that the
  // search holds back is stored even after an exception.
  bool measure_group(std::span<const Case> group) {
    TuningSearch search(group, section_.overlap() == Overlap::long_calls);
    bool goes_on = false;
    try {
      goes_on = measure_each(group, search);
      if (const Case* what = search.unfinished(); what && goes_on)
        if (std::optional<Measurement> again = measure(*what, search.what_it_lacks(), false))
          search.finish(std::move(*again));
    } catch (...) {
      forward_result(search.take());
      throw;
    }
    forward_result(search.take());
    return goes_on;
  }

  bool measure_each(std::span<const Case> group, TuningSearch& search) {
    for (const Case& what : group) {
      if (!run_.begins(what)) return false;
      const double start = clock_.now();
      const bool is_brief = search.is_brief(what);
      std::optional<Measurement> one = measure(what, is_brief ? Timed::without_pass : Timed::all, is_brief);
      if (!one) return false;
      run_.ended(what, clock_.now() - start);
      forward_result(search.add(std::move(*one)));
    }
    return true;
  }

  // Measures the case. If only its device time counts, but it has none, measures it again in isolation.
  std::optional<Measurement> measure(const Case& what, Timed timed, bool by_device) {
    section_.begin_case(slot_, by_device);
    executor_->time(timed);
    std::optional<Measurement> one = executor_->run(what);
    if (!one) return one;
    one->isolation = section_.isolation_of(slot_);
    if (one->status != Status::ok || one->isolation != Isolation::calls_disturbed) return one;
    if (one->device_times.empty()) return measure(what, timed, false);
    one->warnings.push_back(text_of(Warning::beside_others, ""));
    return one;
  }

  void forward_result(std::optional<Measurement> one) {
    if (one) run_.forward_result(std::move(*one));
  }

  std::size_t slot_;
  ExclusiveSection& section_;
  DistributedRun& run_;
  SteadyClock clock_;
  std::unique_ptr<CaseExecutor> executor_;
};

bool of_same_problem(const Case& a, const Case& b) {
  return (a.device == "cpu") == (b.device == "cpu") && key_of(problem_case(a)) == key_of(problem_case(b));
}

double guessed_seconds(const Case& what, bool first_of_problem) {
  const Settings settings;
  return guess_seconds(what, sampled_by(settings), first_of_problem);
}

double guessed_seconds(const std::vector<Case>& problem) {
  double seconds = 0;
  for (const Case& what : problem) seconds += guessed_seconds(what, &what == &problem.front());
  return seconds;
}

// If a case on the host is estimated to take more seconds than this, it is distributed separately from the
// other cases of its problem. Creating the problem's data again then costs little in comparison.
constexpr double goes_alone = 4;

bool goes_with(const Case& before, const Case& what) {
  return of_same_problem(before, what) && (what.device != "cpu" || guessed_seconds(what, false) < goes_alone);
}

}  // namespace

WorkQueue::WorkQueue(const std::vector<Case>& cases, std::vector<std::string> devices)
    : devices_(std::move(devices)) {
  for (const Case& what : cases) {
    std::deque<std::vector<Case>>& problems = what.device == "cpu" ? on_host_ : on_gpus_;
    if (problems.empty() || !goes_with(problems.back().back(), what)) problems.emplace_back();
    problems.back().push_back(what);
  }
  // On several GPUs, the longest problems come first. Otherwise one GPU might start the longest problem when
  // the others have nothing left to do. On one GPU they come last: serial code that is measured at the same
  // time has then ended, which would slow down the copies of large arrays.
  const auto gpus =
      std::count_if(devices_.begin(), devices_.end(), [](const auto& one) { return one != "cpu"; });
  std::stable_sort(on_gpus_.begin(), on_gpus_.end(), [gpus](const auto& a, const auto& b) {
    return gpus > 1 ? guessed_seconds(a) > guessed_seconds(b) : guessed_seconds(a) < guessed_seconds(b);
  });
}

std::vector<Case> WorkQueue::next(std::size_t slot) {
  const std::string& device = devices_.at(slot);
  std::deque<std::vector<Case>>& problems = device == "cpu" ? on_host_ : on_gpus_;
  if (problems.empty()) return {};
  std::vector<Case> cases = std::move(problems.front());
  problems.pop_front();
  for (Case& what : cases) what.device = device;
  return cases;
}

void run_distributed(const std::vector<Case>& cases, const std::vector<std::string>& devices,
                     const MakeExecutor& make, const Callbacks& callbacks, const Concurrency& concurrency) {
  ExclusiveSection section(devices.size(), concurrency);
  for (std::size_t slot = 0; slot < devices.size(); ++slot)
    if (devices[slot] == "cpu") section.allow_long_wait(slot);
  DistributedRun run(cases, devices, callbacks);
  {
    std::vector<std::jthread> threads;
    for (std::size_t slot = 0; slot < devices.size(); ++slot)
      threads.emplace_back([&, slot] {
        try {
          SlotRun(slot, make, section, run).run();
        } catch (...) {
          run.fail(std::current_exception());
        }
        section.leave(slot);
      });
  }
  run.finish();
}

void execute_distributed(const std::vector<Case>& cases, const Settings& settings,
                         const std::vector<WorkerSlot>& slots, const Callbacks& callbacks,
                         const Concurrency& concurrency) {
  const Settings chosen = with_seed(settings);
  std::vector<std::string> devices;
  for (const WorkerSlot& slot : slots) devices.push_back(slot.device);
  const MakeExecutor make = [&](std::size_t slot, const Callbacks& shared, Participant participant) {
    if (slots[slot].wait) slots[slot].wait();
    return make_worker_executor(slots[slot].worker, chosen, shared,
                                slots[slot].on_own_cores ? Participant() : participant);
  };
  run_distributed(cases, devices, make, callbacks, concurrency);
}

}  // namespace sextant
