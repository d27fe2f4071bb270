#include "engine/executor.hpp"

#include <algorithm>
#include <utility>

#include "engine/concurrent/tuning_search.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/process/in_process_executor.hpp"
#include "engine/process/worker_executor.hpp"
#include "plan/estimate.hpp"

namespace sextant {
namespace {

constexpr std::size_t windows = 4;  // number of cases compiled ahead in one batch, per compiler process

// Executes all cases in order. Holds the progress and the results that were not yet passed to the caller.
class AllRun {
 public:
  AllRun(const std::vector<Case>& cases, CaseExecutor& executor, const Callbacks& callbacks, Clock& clock)
      : cases_(cases), executor_(executor), callbacks_(callbacks), clock_(clock), estimate_(cases) {
    progress_.total = cases.size();
  }

  void run() {
    for (std::span<const Case> rest = cases_; !rest.empty();) {
      const std::span<const Case> tunings = tunings_in_front(rest);
      if (!measure_tunings(tunings, rest)) return forward_result();
      rest = rest.subspan(tunings.size());
    }
    forward_result();
    report(nullptr);
  }

 private:
  // Measures the tunings of one variant and problem. Returns false if the run was stopped. The fastest
  // measurement so far, which the search holds back, is stored even after an exception.
  bool measure_tunings(std::span<const Case> tunings, std::span<const Case> rest) {
    TuningSearch search(tunings);
    bool goes_on = false;
    try {
      goes_on = measure_each(tunings, rest, search);
      if (const Case* what = search.unfinished(); what && goes_on)
        if (std::optional<Measurement> again = measure({what, 1}, search.what_it_lacks()))
          search.finish(std::move(*again));
    } catch (...) {
      keep(search.take());
      forward_result();
      throw;
    }
    keep(search.take());
    return goes_on;
  }

  bool measure_each(std::span<const Case> tunings, std::span<const Case> rest, TuningSearch& search) {
    for (const Case& what : tunings) {
      if (callbacks_.stop && callbacks_.stop()) return false;
      const double start = clock_.now();
      const auto place = static_cast<std::size_t>(&what - tunings.data());
      std::optional<Measurement> one =
          measure(rest.subspan(place), search.is_brief(what) ? Timed::without_pass : Timed::all);
      if (!one) return false;
      estimate_.ended(what, clock_.now() - start);
      ++progress_.done;
      keep(search.add(std::move(*one)));
    }
    return true;
  }

  // Measures the first of `cases`. The executor may compile the code of the following ones in advance.
  std::optional<Measurement> measure(std::span<const Case> cases, Timed timed) {
    const Case& what = cases.front();
    const auto begin = [&] {
      forward_result();
      report(&what);
    };
    if (callbacks_.refuse) {
      forward_result();
      if (std::string why = callbacks_.refuse(what); !why.empty())
        return unmeasured(what, Status::skipped, std::move(why));
    }
    executor_.time(timed);
    if (const std::size_t ahead = windows * executor_.looks_ahead(what); ahead > 0) {
      begin();
      executor_.expect(cases.first(std::min(ahead, cases.size())), false);
    } else {
      executor_.during_next(begin);
    }
    return executor_.run(what);
  }

  void keep(std::optional<Measurement> one) {
    if (one) ended_.push_back(std::move(*one));
  }

  void forward_result() {
    for (const Measurement& one : std::exchange(ended_, {}))
      if (callbacks_.measured) callbacks_.measured(one);
  }

  void report(const Case* running) {
    progress_.running = running;
    progress_.elapsed = clock_.now() - began_;
    progress_.remaining = estimate_.remaining();
    if (callbacks_.progress) callbacks_.progress(progress_);
  }

  const std::vector<Case>& cases_;
  CaseExecutor& executor_;
  const Callbacks& callbacks_;
  Clock& clock_;
  const double began_ = clock_.now();
  Estimate estimate_;
  Progress progress_;
  // finished measurements; they are passed to the caller while the next case starts
  std::vector<Measurement> ended_;
};

}  // namespace

void run_all(const std::vector<Case>& cases, CaseExecutor& executor, const Callbacks& callbacks,
             Clock& clock) {
  AllRun(cases, executor, callbacks, clock).run();
}

void execute(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
             const Callbacks& callbacks) {
  const Settings chosen = with_seed(settings);
  const auto executor = chosen.in_process ? make_in_process_executor(chosen, callbacks)
                                          : make_worker_executor(worker, chosen, callbacks);
  SteadyClock clock;
  run_all(cases, *executor, callbacks, clock);
}

}  // namespace sextant
