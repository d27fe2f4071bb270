// Measures a case whose result was found right: calls, device times, phases and end-to-end passes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "engine/case/call_timer.hpp"
#include "engine/case/case_state.hpp"
#include "engine/case/device_pass.hpp"
#include "engine/case/energy_meter.hpp"
#include "engine/case/paused_calls.hpp"
#include "engine/case/phases.hpp"
#include "engine/case/processor_use.hpp"
#include "engine/case/state_watch.hpp"
#include "engine/case/steady_state.hpp"
#include "engine/case/transfers.hpp"
#include "engine/form/warnings.hpp"
#include "machine/energy.hpp"
#include "machine/environment.hpp"
#include "machine/thread_count.hpp"
#include "record/statistics.hpp"
#include "record/threads_ran.hpp"
#include "suite/preparation.hpp"
#include "trace/counters.hpp"

namespace sextant {
namespace {

// If an execution takes more seconds than this, one launch is enough for device and phase times.
constexpr double long_execution = 0.5;
// If an execution takes more seconds than this, a few launches are enough for the device time.
constexpr double steady_execution = 0.1;
constexpr double short_on_device = 1e-4;  // executions of up to this many seconds get more launches
constexpr double low_clock = 0.75;  // a GPU counts as slow if its clock is below this fraction of its maximum

// A visit is too short to ask the driver for the state, which may take a millisecond.
StateReader::Read state_reading(int gpu, const Settings& settings) {
  if (settings.visit) return {};
  return [gpu] { return read_gpu_state(gpu); };
}

std::string megahertz(double clock) { return std::to_string(std::lround(clock * 1e-6)) + " MHz"; }

}  // namespace

// Returns true if a launch failed, and marks the case as failed.
bool CaseRunner::has_failed(Measurement* measurement) {
  const std::string reason = failure_of_launches();
  if (!reason.empty()) forget(measurement, Status::failed, reason);
  return !reason.empty();
}

// Returns true if the check was so slow that the case gets no samples. The fastest execution of the check
// then becomes the call time.
bool CaseRunner::is_too_slow_to_sample(const CheckResult& checked, const Settings& settings,
                                       Measurement* measurement) {
  const double fastest = *std::min_element(checked.seconds.begin(), checked.seconds.end());
  if (settings.give_up_above <= 0 || fastest <= settings.give_up_above) return false;
  measurement->effort = Effort::checked_only;
  measurement->call_times = {fastest};
  return true;
}

// Measures call times and, on a GPU, device times.
void CaseRunner::time(const Subject& subject, Call& call, const CheckResult& checked,
                      const Settings& settings, Measurement* measurement) {
  SampleRecords recorded([] { start_activity(); }, stop_activity);
  const bool cold = subject.cache == CacheMode::cold;
  const bool records =
      checked.seconds.front() > steady_execution && !cold && subject.on_gpu() && !activity_unavailable();
  CallTimer timer(
      {*subject.variant, call, *subject.device, *kept_->workset, *kept_->device_copies, subject.on_gpu()},
      settings, {clock_, clock_cost_, clock_step_}, cold, stage_);
  timer.next_filling = [&](bool compared) {
    return kept_->next_filling(subject.variant->name, settings.check_once, compared);
  };
  timer.has_other_fill = subject.fill != InputFill::uniform;
  timer.audits = settings.check_once ? 1 : kept_->audits();
  timer.checking_threads = subject.checking_threads();
  timer.expected = &expected_call_;
  if (records) timer.recorded = &recorded;
  std::optional<StateWatch> state;
  if (subject.on_gpu() && settings.steady_seconds > 0)
    warm_until_steady(subject, call, checked.seconds.front(), settings, measurement);
  if (subject.on_gpu())
    state.emplace(device_with_counters(subject), state_reading(subject.gpu, settings), clock_);
  timer.state = state ? &*state : nullptr;
  if (!timer.time(checked.seconds.front(), measurement)) {
    has_failed(measurement);
    return;
  }
  if (measurement->effort != Effort::measured) return;
  if (state) store_state(*state, measurement);
  if (settings.visit) return;
  if (kept_->workset->has_fixed_data()) measurement->warnings.push_back(text_of(Warning::fixed_data, ""));

  if (!subject.on_gpu()) record_threads(subject, call, measurement);
  if (taken_) taken_(*measurement);
  if (settings.gap > 0) time_after_pauses(subject, call, settings, measurement);
  if (subject.on_gpu()) {
    time_on_device(subject, call, recorded, measurement);
    if (taken_) taken_(*measurement);
    if (settings.counters) count(subject, call, measurement);
  }
  if (settings.energy_windows > 0) measure_energy(subject, call, settings, measurement);
}

// Measures the energy of calls. If it cannot be known, warns once per worker and reason.
void CaseRunner::measure_energy(const Subject& subject, const Call& call, const Settings& settings,
                                Measurement* measurement) {
  stage_(Stage::measuring_energy);
  const std::string obstacle = energy_of_calls(subject, call, settings, measurement);
  if (!obstacle.empty() && energy_obstacles_.insert(obstacle).second)
    measurement->warnings.push_back(text_of(Warning::no_energy, obstacle));
}

// Returns why the energy cannot be known, or an empty text.
std::string CaseRunner::energy_of_calls(const Subject& subject, const Call& call, const Settings& settings,
                                        Measurement* measurement) {
  if (subject.cache == CacheMode::cold) return "calls with cold caches do not follow each other";
  const EnergyCounter counter = energy_counter(subject.gpu);
  if (std::string obstacle = counter.obstacle(); !obstacle.empty()) return obstacle;
  put_back(subject);
  EnergyPlan plan;
  plan.windows = settings.energy_windows;
  plan.window_seconds = settings.energy_window;
  if (!idle_power_.contains(subject.gpu)) {
    const std::optional<double> idle = measure_idle_power(counter.read, clock_, plan);
    if (counter.is_busy()) return "another program keeps the device busy";
    idle_power_[subject.gpu] = idle;
  }
  const auto run = [&](int calls) {
    for (int i = 0; i < calls; ++i) subject.variant->launch[call.problem.type](call);
    subject.device->synchronise();
  };
  const double expected = median_interval(measurement->call_times).median;
  CallEnergy energy = sextant::measure_energy(run, expected, counter.read, clock_, plan);
  if (!energy.obstacle.empty()) return energy.obstacle;
  if (std::string obstacle = counter.obstacle(); !obstacle.empty()) return obstacle;
  measurement->energies = std::move(energy.energies);
  measurement->energy_times = std::move(energy.times);
  measurement->energy_window = energy.window;
  measurement->idle_power = idle_power_.at(subject.gpu);
  return "";
}

// Records the number of threads on which the CPU variant ran. For OpenMP, it is the size of a team. Other
// libraries choose their threads for each call, so the processor time of some calls is measured instead.
void CaseRunner::record_threads(const Subject& subject, const Call& call, Measurement* measurement) {
  constexpr double longest_call = 5;  // seconds; another call would take too long
  const Variant& variant = *subject.variant;
  const ThreadLibrary library = variant.threads_by();
  if (library == ThreadLibrary::none) return;
  if (library == ThreadLibrary::openmp) {
    measurement->counters.emplace_back(threads_ran, threads_of_a_team());
    return;
  }
  if (median_interval(measurement->call_times).median > longest_call) return;
  const std::optional<ProcessorUse> use = processor_use_of([&] { variant.launch[call.problem.type](call); });
  if (!use) return;
  measurement->counters.emplace_back(processors_busy, use->processors);
  if (use->by_one_thread) measurement->counters.emplace_back(threads_ran, 1);
}

// Times calls after pauses, and on a GPU the device's time of further such calls.
void CaseRunner::time_after_pauses(const Subject& subject, const Call& call, const Settings& settings,
                                   Measurement* measurement) {
  stage_(Stage::timing_after_pauses);
  put_back(subject);
  const auto launch = [&] { subject.variant->launch[call.problem.type](call); };
  const auto execute = [&] {
    launch();
    subject.device->synchronise();
  };
  const auto pause = [&] { std::this_thread::sleep_for(std::chrono::duration<double>(settings.gap)); };
  const int calls = paused_calls(settings.gap, median_interval(measurement->call_times).median);
  measurement->gap = settings.gap;
  measurement->gap_times = sextant::time_after_pauses(execute, pause, calls, clock_, clock_cost_);
  if (subject.on_gpu())
    measurement->gap_device_times =
        measure_on_device(launch, pause, *subject.device, subject.gpu, calls).times;
}

// Calls the variant until the GPU's clock and temperature stay. Warns if they do not. Afterwards the inputs
// are those of the first call.
void CaseRunner::warm_until_steady(const Subject& subject, const Call& call, double expected,
                                   const Settings& settings, Measurement* measurement) {
  stage_(Stage::reaching_steady_state);
  const auto run = [&](int calls) {
    for (int i = 0; i < calls; ++i) subject.variant->launch[call.problem.type](call);
    subject.device->synchronise();
  };
  SteadyPlan plan;
  plan.longest = settings.steady_seconds;
  const SteadyEnd end = call_until_steady(
      run, expected, [&] { return read_gpu_state(subject.gpu); }, clock_, plan);
  measurement->steady_after = end.seconds;
  if (!end.obstacle.empty()) measurement->warnings.push_back(text_of(Warning::not_steady, end.obstacle));
  const GivenThreads given(subject.checking_threads());
  put_timed_inputs(*subject.device, *kept_->workset, *kept_->device_copies);
}

// Restores the timed inputs, if audits have replaced them.
void CaseRunner::put_back(const Subject& subject) {
  if (kept_->workset->filling() == timed_filling) return;
  const GivenThreads given(subject.checking_threads());
  put_timed_inputs(*subject.device, *kept_->workset, *kept_->device_copies);
}

void CaseRunner::time_phases(const Subject& subject, Call& call, Measurement* measurement) {
  stage_(Stage::timing_phases);
  put_back(subject);
  const double expected = median_interval(measurement->call_times).median;
  const int launches =
      expected > long_execution ? 1 : static_cast<int>(std::clamp(0.2 / expected, 3.0, 11.0));
  measurement->phases = measure_phases(*subject.variant, &call, *subject.device, launches);
}

// Measures the end-to-end pass, and adds the problem's transfer and allocation times. The pass frees the
// device copies of the arrays.
void CaseRunner::time_end_to_end(const Subject& subject, const Call& call, const Settings& settings,
                                 Measurement* measurement) {
  const Variant& variant = *subject.variant;
  if (variant.memory_space == MemorySpace::host) {
    // A variant with host arrays copies its data within the call, so its call times are also its end-to-end
    // times. If its preparation depends on the inputs, the time of a preparation is added. A CPU variant
    // without such a preparation needs no end-to-end times.
    const bool is_prepared = prepares_for_inputs(variant) && !measurement->prepare_times.empty();
    if (!subject.on_gpu() && !is_prepared) return;
    measurement->end_to_end_times = measurement->call_times;
    if (is_prepared)
      for (double& time : measurement->end_to_end_times) time += measurement->prepare_times.front();
    return;
  }
  const Kept::Costs& costs = kept_->costs[static_cast<std::size_t>(variant.memory_space)];
  measurement->transfers = costs.transfers;
  measurement->alloc_times = costs.alloc_times;
  if (settings.timed == Timed::without_pass) return;
  stage_(Stage::timing_end_to_end);
  kept_->device_copies.reset();
  EndToEnd passes = measure_end_to_end(variant, call, *subject.device, *kept_->workset, clock_);
  if (!passes.wrong.empty())
    return forget(measurement, Status::wrong,
                  "right when first checked, wrong from end to end: " + passes.wrong);
  measurement->end_to_end_times = std::move(passes.times);
  measurement->prepare_times.insert(measurement->prepare_times.end(), passes.prepare_times.begin(),
                                    passes.prepare_times.end());
}

void CaseRunner::time_on_device(const Subject& subject, const Call& call, const SampleRecords& recorded,
                                Measurement* measurement) {
  stage_(Stage::timing_on_device);
  put_back(subject);
  const double expected = median_interval(measurement->call_times).median;
  // The GPU's time stamps have steps of 32 ns, about 1/30 of the time of the shortest kernels. Short kernels
  // therefore get more launches.
  const int most = expected > long_execution    ? 1
                   : expected > short_on_device ? 15
                                                : 50,
            least = std::min(most, expected > steady_execution ? 3 : 5);
  const int launches =
      expected > 0 ? static_cast<int>(std::clamp(0.02 / expected, double(least), double(most))) : most;
  const int missing = launches - static_cast<int>(recorded.launches().size());
  DevicePass pass = pass_of(recorded.launches(), subject.gpu);
  if (missing > 0) {
    std::function<void()> flush;
    if (subject.cache == CacheMode::cold) flush = [&] { subject.device->flush_caches(); };
    DevicePass more = measure_on_device([&] { subject.variant->launch[call.problem.type](call); }, flush,
                                        *subject.device, subject.gpu, missing);
    more.times.insert(more.times.begin(), pass.times.begin(), pass.times.end());
    pass = std::move(more);
  }
  measurement->device_times = pass.times;
  measurement->launches = pass.launches;
  if (pass.without_records)
    measurement->warnings.push_back(
        text_of(pass.times.empty() ? Warning::no_device_time : Warning::no_records, pass.without_records));
}

// Reads hardware counters. If they are not available, warns once per worker, because the reason is the same
// for every case.
void CaseRunner::count(const Subject& subject, const Call& call, Measurement* measurement) {
  if (no_counters_) return;
  stage_(Stage::reading_counters);
  try {
    measurement->counters = read_counters(subject.gpu, [&] {
      subject.variant->launch[call.problem.type](call);
      subject.device->synchronise();
    });
  } catch (const DeviceError& error) {
    no_counters_ = true;
    measurement->warnings.push_back(text_of(Warning::no_counters, error.what()));
    subject.device->synchronise();  // throws if the device itself has failed
  }
}

// Returns the device whose cycle counters give the GPU's clock, or null. A variant in CUDA with host arrays
// uses CUDA's device, too.
Device* CaseRunner::device_with_counters(const Subject& subject) const {
  if (subject.device->memory_space() != MemorySpace::host) return subject.device;
  return subject.variant->model == Model::cuda ? devices_[static_cast<std::size_t>(MemorySpace::cuda)].get()
                                               : nullptr;
}

// Stores the state of the GPU during the samples, and warns of a throttled or slow GPU.
void CaseRunner::store_state(StateWatch& watch, Measurement* measurement) {
  stage_(Stage::reading_gpu_state);
  SampledState state = watch.finish();
  measurement->clock = clock_of(state);
  measurement->temperature = state.temperature;
  measurement->power = state.power;
  if (!state.throttle_reasons.empty())
    measurement->warnings.push_back(text_of(Warning::throttled, state.throttle_reasons));
  const std::optional<double> most = watch.max_clock();
  if (measurement->clock && most && *measurement->clock < low_clock * *most)
    measurement->warnings.push_back(
        text_of(Warning::slow_clock, megahertz(*measurement->clock) + " of at most " + megahertz(*most)));
  if (!state.groups.empty()) measurement->states = {std::move(state)};
}

}  // namespace sextant
