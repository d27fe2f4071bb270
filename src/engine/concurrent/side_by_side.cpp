#include "engine/concurrent/side_by_side.hpp"

#include <barrier>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "engine/concurrent/exclusive_section.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "engine/process/worker_executor.hpp"

namespace sextant {
namespace {

// Data that the threads of all devices share.
struct SideBySide {
  SideBySide(const std::vector<Tried>& cases_, std::size_t devices, const Callbacks& outer_)
      : cases(cases_),
        outer(outer_),
        section(devices),
        step(static_cast<std::ptrdiff_t>(devices)),
        results(devices, std::vector<BothWays>(cases_.size())) {
    inner.stop = [this] {
      const std::lock_guard lock(mutex);
      return error || (outer.stop && outer.stop());
    };
    inner.message = [this](const std::string& text) {
      const std::lock_guard lock(mutex);
      if (outer.message) outer.message(text);
    };
  }

  void fail(std::exception_ptr what) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(what);
  }

  const std::vector<Tried>& cases;
  const Callbacks& outer;
  Callbacks inner;
  std::mutex mutex;
  ExclusiveSection section;
  std::barrier<> step;  // synchronizes the threads of all devices at the end of each step
  std::vector<std::vector<BothWays>> results;
  std::exception_ptr error;
};

// Returns settings for a short first measurement, which does all one-time work.
Settings made_ready_by(Settings settings) {
  settings.min_samples = settings.max_samples = 2;
  settings.least_seconds = settings.warm_seconds = settings.case_seconds = 1e-3;
  return settings;
}

// Measures on one device. If that device fails, its thread still takes part in all steps, so that the other
// threads do not wait for it.
void run_on_slot(std::size_t slot, const std::vector<std::string>& devices, const MakeExecutor& make,
                 SideBySide& shared) {
  std::unique_ptr<CaseExecutor> executor;
  const auto run = [&](const Tried& tried, const Settings& settings, std::vector<Measurement>* into) {
    if (shared.inner.stop()) return;
    try {
      if (!executor) executor = make(slot, shared.inner, {&shared.section, slot});
      executor->use(settings);
      Case what = tried.what;
      what.device = devices[slot];
      if (std::optional<Measurement> one = executor->run(what)) into->push_back(std::move(*one));
    } catch (...) {
      shared.section.leave(slot);
      shared.fail(std::current_exception());
    }
  };
  for (std::size_t i = 0; i < shared.cases.size(); ++i) {
    const Tried& tried = shared.cases[i];
    BothWays& both = shared.results[slot][i];
    std::vector<Measurement> ready;
    run(tried, made_ready_by(tried.settings), &ready);
    shared.step.arrive_and_wait();
    const auto one_by_one = [&] {
      for (std::size_t turn = 0; turn < devices.size(); ++turn) {
        if (turn == slot) run(tried, tried.settings, &both.isolated);
        shared.step.arrive_and_wait();
      }
    };
    for (int round = 0; round < tried.rounds; ++round) {
      if (round % 2 == 0) one_by_one();
      run(tried, tried.settings, &both.concurrent);
      shared.step.arrive_and_wait();
      if (round % 2 == 1) one_by_one();
    }
  }
}

}  // namespace

std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Tried>& cases,
                                                    const std::vector<std::string>& devices,
                                                    const MakeExecutor& make, const Callbacks& callbacks) {
  SideBySide shared(cases, devices.size(), callbacks);
  {
    std::vector<std::jthread> threads;
    for (std::size_t slot = 0; slot < devices.size(); ++slot)
      threads.emplace_back([&, slot] { run_on_slot(slot, devices, make, shared); });
  }
  if (shared.error) std::rethrow_exception(shared.error);
  return std::move(shared.results);
}

std::vector<std::vector<BothWays>> run_side_by_side(const std::vector<Tried>& cases, const Settings& settings,
                                                    const std::vector<WorkerSlot>& slots,
                                                    const Callbacks& callbacks) {
  std::vector<std::string> devices;
  for (const WorkerSlot& slot : slots) devices.push_back(slot.device);
  const MakeExecutor make = [&](std::size_t slot, const Callbacks& shared, Participant participant) {
    return make_worker_executor(slots[slot].worker, settings, shared, participant);
  };
  return run_side_by_side(cases, devices, make, callbacks);
}

}  // namespace sextant
