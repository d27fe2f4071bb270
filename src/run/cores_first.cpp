#include "run/cores_first.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "engine/concurrent/core_slots.hpp"
#include "engine/executor.hpp"
#include "engine/process/worker_questions.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "run/interrupt.hpp"

namespace sextant {
namespace {

std::vector<Case> without(const std::vector<Case>& cases, const std::vector<Case>& others) {
  std::set<std::string> keys;
  for (const Case& what : others) keys.insert(key_of(what));
  std::vector<Case> rest;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(rest),
               [&](const Case& what) { return !keys.contains(key_of(what)); });
  return rest;
}

// Returns the GPU cases in `rest` that are measured concurrently with those of `on_cores`. All of them are on
// the same GPU.
std::vector<Case> gpu_cases_beside(const OnCores& on_cores, const std::vector<Case>& rest) {
  std::vector<Case> beside;
  if (!on_cores.gpu_beside) return beside;
  for (const Case& what : rest)
    if (gpu_index(what.device) >= 0 && (beside.empty() || beside.front().device == what.device))
      beside.push_back(what);
  return beside;
}

// Measures serial code on several cores, and a GPU's cases meanwhile.
class CoresFirst {
 public:
  CoresFirst(const Settings& settings, const WorkerCommand& worker, const OnCores& on_cores,
             const std::vector<Case>& rest, const Callbacks& callbacks)
      : settings_(settings),
        on_cores_(on_cores),
        beside_(gpu_cases_beside(on_cores, rest)),
        code_(one_for_each_library(rest)),
        loader_(worker),
        callbacks_(callbacks) {
    if (beside_.empty()) return;
    loader_.idle = no_worker_yet();
    loader_.processors = on_cores.free_processors;
    loader_.threads = static_cast<int>(on_cores.free_processors.size());
  }

  const std::vector<Case>& beside() const { return beside_; }
  bool loads_code() const { return !code_.empty(); }
  double on_slots_seconds() const { return on_slots_seconds_; }
  double on_gpu_seconds() const { return on_gpu_seconds_; }

  // Meanwhile the worker process of the GPU's cases loads its code. The last worker slot waits for that, so
  // that no more cores than slots are busy. Then `meanwhile` runs, and after it the GPU's cases. `ended` gets
  // the number of cases that have been measured before the next ones.
  void run(std::size_t* ended) {
    const std::shared_future<void> loading =
        std::async(std::launch::async, [this] { ask_to_load_code(loader_, code_, interrupted); }).share();
    const std::shared_future<void> ready = std::async(std::launch::async, [this, loading] {
                                             loading.wait();
                                             run_meanwhile();
                                           }).share();
    SteadyClock clock;
    const double began = clock.now();
    std::vector<WorkerSlot> slots = on_cores_.slots;
    slots.back().wait = [loading] { loading.wait(); };
    if (beside_.empty())
      run_serial(std::move(slots), ended);
    else
      run_beside(std::move(slots), ready);
    on_slots_seconds_ = clock.now() - began;
    ready.get();
    if (on_cores_.afterwards && beside_.empty()) on_cores_.afterwards();
    *ended = on_cores_.cases.size() + beside_.size();
  }

 private:
  static bool interrupted() { return InterruptGuard::interrupted(); }

  void run_meanwhile() {
    if (on_cores_.meanwhile && !interrupted()) on_cores_.meanwhile();
    if (beside_.empty() || !on_cores_.afterwards) return;
    const std::lock_guard lock(telling_);
    on_cores_.afterwards();
  }

  void run_serial(std::vector<WorkerSlot> slots, std::size_t* ended) {
    Callbacks callbacks = callbacks_;
    callbacks.spent = {};  // the stages of concurrent cases overlap, so their times cannot be added
    std::vector<Case> first = on_cores_.cases, second;
    if (slots.size() > most_slots_in_cache) {
      const auto middle = std::stable_partition(first.begin(), first.end(), computes_for_long);
      second.assign(middle, first.end());
      first.erase(middle, first.end());
    }
    if (!first.empty()) execute_distributed(first, settings_, slots, callbacks);
    if (second.empty()) return;
    *ended = first.size();
    slots.erase(slots.begin(), slots.end() - most_slots_in_cache);
    execute_distributed(second, settings_, slots, callbacks);
  }

  void run_beside(std::vector<WorkerSlot> slots, const std::shared_future<void>& ready) {
    std::vector<Case> cases = on_cores_.cases;
    cases.insert(cases.end(), beside_.begin(), beside_.end());
    slots.push_back({beside_.front().device, loader_, true, [ready] { ready.wait(); }});
    Callbacks callbacks = callbacks_;
    callbacks.measured = [this](const Measurement& one) {
      const std::lock_guard lock(telling_);
      callbacks_.measured(one);
    };
    if (callbacks.together)
      callbacks.together = [this](const std::function<void()>& tell) {
        const std::lock_guard lock(telling_);
        callbacks_.together(tell);
      };
    callbacks.spent = [this](const Case& what, Stage stage, double seconds) {
      if (is_on_cpu(what.device)) return;
      on_gpu_seconds_ += seconds;
      if (callbacks_.spent) callbacks_.spent(what, stage, seconds);
    };
    execute_distributed(cases, settings_, slots, callbacks);
  }

  const Settings& settings_;
  const OnCores& on_cores_;
  const std::vector<Case> beside_, code_;
  WorkerCommand loader_;  // the worker that loads the GPU's code: that of the GPU's cases
  const Callbacks& callbacks_;
  std::recursive_mutex telling_;  // held while `afterwards` or a measurement's callback runs
  double on_slots_seconds_ = 0, on_gpu_seconds_ = 0;
};

}  // namespace

void sweep_cores_first(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
                       const OnCores& on_cores, Callbacks callbacks, StageTimes* times) {
  const std::vector<Case> rest = without(cases, on_cores.cases);
  std::size_t before = 0;
  bool first = true;
  const auto report = callbacks.progress;
  callbacks.progress = [&](Progress now) {
    now.done += before;
    now.total = cases.size();
    if (first) now.remaining = -1;  // the time of the remaining cases is not known
    report(now);
  };
  SteadyClock clock;
  const double began = clock.now();
  CoresFirst cores(settings, worker, on_cores, rest, callbacks);
  cores.run(&before);
  if (times)
    (*times)["serial code on several cores"][0] +=
        std::max(0.0, cores.on_slots_seconds() - cores.on_gpu_seconds());
  if (times && cores.loads_code())
    (*times)[name_of(Stage::loading_code)][1] += clock.now() - began - cores.on_slots_seconds();
  first = false;
  execute(without(rest, cores.beside()), settings, worker, callbacks);
}

}  // namespace sextant
