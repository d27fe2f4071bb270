#include "engine/dealing.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/sampling.hpp"
#include "plan/estimate.hpp"
#include "plan/guess.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// What the threads of the lanes share; one at a time has it.
class DealtRun {
 public:
  DealtRun(const std::vector<Case>& cases, const std::vector<std::string>& devices, const Callbacks& outer)
      : deal_(cases, devices), outer_(outer), estimate_(cases) {
    progress_.total = cases.size();
    began_ = clock_.now();
    inner_.message = [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      if (outer_.message) outer_.message(text);
    };
    inner_.stop = [this] {
      const std::lock_guard lock(mutex_);
      return stops();
    };
    if (outer_.spent)
      inner_.spent = [this](const Case& what, const std::string& stage, double seconds) {
        const std::lock_guard lock(mutex_);
        outer_.spent(what, stage, seconds);
      };
  }

  const Callbacks& callbacks() const { return inner_; }

  std::vector<Case> next(std::size_t lane) {
    const std::lock_guard lock(mutex_);
    return stops() ? std::vector<Case>() : deal_.next(lane);
  }

  // False: the run ends.
  bool begins(const Case& what) {
    const std::lock_guard lock(mutex_);
    if (stops()) return false;
    report(&what);
    return true;
  }

  void ended(const Case& what, const Measurement& measurement, double seconds) {
    const std::lock_guard lock(mutex_);
    estimate_.ended(what, seconds);
    busy_ += seconds;
    ++progress_.done;
    if (outer_.measured) outer_.measured(measurement);
  }

  // Keeps the first error, for whoever started the run, and ends it.
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }

  void finish() {
    if (error_) std::rethrow_exception(error_);
    if (!stopped_) report(nullptr);
  }

 private:
  bool stops() {
    stopped_ = stopped_ || error_ || (outer_.stop && outer_.stop());
    return stopped_;
  }

  // What is left takes as much less than its cases' seconds as what was done did.
  void report(const Case* running) {
    progress_.running = running;
    progress_.elapsed = clock_.now() - began_;
    const double left = estimate_.remaining();
    progress_.remaining = left > 0 && busy_ > 0 ? left * progress_.elapsed / busy_ : left;
    if (outer_.progress) outer_.progress(progress_);
  }

  std::mutex mutex_;
  Deal deal_;
  const Callbacks& outer_;
  Callbacks inner_;
  Estimate estimate_;
  Progress progress_;
  SteadyClock clock_;
  double began_ = 0, busy_ = 0;  // busy: seconds of all cases that ended
  bool stopped_ = false;
  std::exception_ptr error_;
};

void run_lane(std::size_t lane, const MakeExecutor& make, Floor& floor, DealtRun& run) {
  const std::unique_ptr<CaseExecutor> executor = make(lane, run.callbacks(), {&floor, lane});
  SteadyClock clock;
  for (;;) {
    const std::vector<Case> cases = run.next(lane);
    if (cases.empty()) return;
    for (const Case& what : cases) {
      if (!run.begins(what)) return;
      const double start = clock.now();
      const std::optional<Measurement> measurement = executor->run(what);
      if (!measurement) return;
      run.ended(what, *measurement, clock.now() - start);
    }
  }
}

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

// Guessed seconds from which a case on the host goes alone: what its problem's data cost once more is little beside that.
constexpr double goes_alone = 4;

bool goes_with(const Case& before, const Case& what) {
  return of_same_problem(before, what) && (what.device != "cpu" || guessed_seconds(what, false) < goes_alone);
}

}  // namespace

Deal::Deal(const std::vector<Case>& cases, std::vector<std::string> devices) : devices_(std::move(devices)) {
  for (const Case& what : cases) {
    std::deque<std::vector<Case>>& problems = what.device == "cpu" ? on_host_ : on_gpus_;
    if (problems.empty() || !goes_with(problems.back().back(), what)) problems.emplace_back();
    problems.back().push_back(what);
  }
  // So that no GPU begins the longest while the others have nothing left.
  std::stable_sort(on_gpus_.begin(), on_gpus_.end(),
                   [](const auto& a, const auto& b) { return guessed_seconds(a) > guessed_seconds(b); });
}

std::vector<Case> Deal::next(std::size_t lane) {
  const std::string& device = devices_.at(lane);
  std::deque<std::vector<Case>>& problems = device == "cpu" ? on_host_ : on_gpus_;
  if (problems.empty()) return {};
  std::vector<Case> cases = std::move(problems.front());
  problems.pop_front();
  for (Case& what : cases) what.device = device;
  return cases;
}

void run_dealt(const std::vector<Case>& cases, const std::vector<std::string>& devices,
               const MakeExecutor& make, const Callbacks& callbacks, Overlap overlap) {
  Floor floor(devices.size(), overlap);
  DealtRun run(cases, devices, callbacks);
  {
    std::vector<std::jthread> threads;
    for (std::size_t lane = 0; lane < devices.size(); ++lane)
      threads.emplace_back([&, lane] {
        try {
          run_lane(lane, make, floor, run);
        } catch (...) {
          run.fail(std::current_exception());
        }
        floor.leave(lane);
      });
  }
  run.finish();
}

void execute_dealt(const std::vector<Case>& cases, const Settings& settings, const std::vector<Lane>& lanes,
                   const Callbacks& callbacks, Overlap overlap) {
  const Settings chosen = with_seed(settings);
  std::vector<std::string> devices;
  for (const Lane& lane : lanes) devices.push_back(lane.device);
  const MakeExecutor make = [&](std::size_t lane, const Callbacks& shared, Seat seat) {
    if (lanes[lane].wait) lanes[lane].wait();
    return make_worker_executor(lanes[lane].worker, chosen, shared, lanes[lane].on_own_cores ? Seat() : seat);
  };
  run_dealt(cases, devices, make, callbacks, overlap);
}

}  // namespace sextant
