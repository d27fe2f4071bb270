#include "engine/case/case_runner.hpp"

#include <cstdio>
#include <limits>
#include <utility>

#include "engine/case/case_state.hpp"
#include "engine/case/phases.hpp"
#include "engine/case/prepared.hpp"
#include "engine/case/steps.hpp"
#include "engine/case/transfers.hpp"
#include "engine/case/trivial_answers.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/form/warnings.hpp"
#include "machine/host_gpus.hpp"
#include "machine/places.hpp"
#include "machine/processor_state.hpp"
#include "machine/thread_count.hpp"
#include "plan/memory_need.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr double gpu_warm_up = 0.1;  // seconds of work that raise a GPU's clocks

}  // namespace

const char* compile_anywhere(const Variant& variant, const Problem& problem, const int* tuning) {
  const AllPlaces all_places;
  return variant.compile(problem, tuning);
}

CaseRunner::CaseRunner(StageListener stage, std::function<void(const Measurement&)> taken)
    : stage_(std::move(stage)),
      taken_(std::move(taken)),
      clock_cost_(clock_cost(clock_)),
      clock_step_(clock_step(clock_)) {
  give_libraries_all_places();
}

CaseRunner::~CaseRunner() = default;

// Frees the data that consecutive cases share, and forgets which cases gave right results on them.
void CaseRunner::forget_data() {
  kept_.reset();
  right_.clear();
}

Measurement CaseRunner::run(const Case& what, const Settings& settings) {
  Measurement measurement = unmeasured(what, Status::skipped, "", settings.seed);
  expected_call_ = 0;
  is_light_ = would_be_light(what, settings);
  set_usual_arithmetic();
  const StepsEnd end = try_steps([&] { run_steps(what, settings, &measurement); }, &measurement);
  if (end == StepsEnd::device_lost) device_lost_ = true;
  if (end != StepsEnd::done) forget_data();  // the data may be half written
  return measurement;
}

void CaseRunner::run_steps(const Case& what, const Settings& settings, Measurement* measurement) {
  Subject subject;
  stage_(Stage::starting);
  measurement->reason = resolve(what, settings, &subject);
  if (measurement->reason.empty()) measurement->reason = load(subject, settings);
  if (!measurement->reason.empty()) return;  // the case is skipped
  measurement->standard_tuning = is_standard(what, subject);
  measurement->work = subject.kernel->work(subject.problem);
  map(subject, settings);
  const GivenThreads given(subject.threads);
  run_checked(subject, settings, measurement);
  if (subject.variant->memory_space == MemorySpace::host) kept_->workset->distrust_inputs();
}

// Returns true if checking this case costs the host almost nothing: the problem's data are on the device, the
// check touches little host memory, and the variant's last `prepare` was short. A variant with host arrays
// does not qualify on a real GPU, because its calls copy the arrays.
bool CaseRunner::would_be_light(const Case& what, const Settings& settings) const {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  constexpr double short_preparation = 1e-3;
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry || opens_a_library(*entry, what.variant))
    return false;  // the code of this case is loaded in a separate stage
  CaseSubject subject;
  if (gpu_index(what.device) < 0 || !kept_ || !kept_->device_copies ||
      !find_subject(what, &subject).empty() || !kept_->is_of(subject, settings))
    return false;
  const Variant& variant = *subject.variant;
  const auto prepared = kept_->preparations.find(what.variant);
  const bool is_prepared_soon =
      !variant.prepare || (prepared != kept_->preparations.end() && prepared->second <= short_preparation);
  return is_prepared_soon && !variant.compile && !variant.workspace &&
         variant.memory_space == kept_->copied_to->memory_space() &&
         (variant.memory_space != MemorySpace::host || !host_gpus().empty()) &&
         kept_->device_copies->bytes_checked() <= most_bytes;
}

// Returns why the case cannot run, or an empty string.
std::string CaseRunner::resolve(const Case& what, const Settings& settings, Subject* subject) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (entry && gpu_index(what.device) >= 0 && opens_a_library(*entry, what.variant))
    stage_(Stage::loading_code);
  std::string reason = find_subject(what, subject);
  if (reason.empty()) reason = tune_subject(what, "here", subject);
  if (!reason.empty()) return reason;

  const Variant* variant = subject->variant;
  if (is_partitioned(variant->memory_space))
    return what.variant + " runs in several ranks or partitions, not in a single process";
  subject->gpu = gpu_index(what.device);
  const bool wants_gpu = variant->memory_space != MemorySpace::host || variant->model == Model::cuda;
  if (subject->gpu == -2) return "there is no device " + what.device + ": devices are cpu, gpu0, gpu1, …";
  std::string why_not;
  const bool offloaded = is_offloaded(variant->model);
  const bool stands_in = subject->gpu >= 0 && subject->gpu < static_cast<int>(host_gpus().size());
  const bool on_host = settings.offload_on_host || stands_in;
  if (stands_in && variant->model == Model::cuda)
    return what.variant + " runs on a GPU, not on a simulated device";
  if (stands_in || (offloaded && on_host))
    subject->gpu = -1;
  else if (wants_gpu && subject->gpu < 0)
    return what.variant + " runs on a GPU, not on the CPU";
  else if (!wants_gpu && !offloaded && subject->gpu >= 0)
    return what.variant + " runs on the CPU, not on a GPU";
  // A variant that copies its own data has host arrays, but it still needs the GPU.
  const MemorySpace of_directives =
      variant->model == Model::target ? MemorySpace::target : MemorySpace::openacc;
  if (offloaded && !open(of_directives, subject->gpu, on_host, &why_not)) return why_not;
  if (variant->model == Model::cuda && !open(MemorySpace::cuda, subject->gpu, false, &why_not))
    return why_not;
  subject->device = open(variant->memory_space, subject->gpu, on_host, &why_not);
  if (!subject->device) return why_not;
  const char* lacking = variant->unavailable ? variant->unavailable() : nullptr;
  return lacking ? lacking : "";
}

void CaseRunner::load_code(const Case& what) {
  const auto stage = std::exchange(stage_, [](Stage) {});
  try {
    const RegisteredKernel* entry = find_kernel(what.kernel);
    const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
    std::string why_not;
    const int gpu = gpu_index(what.device);
    if (variant && gpu >= 0 && host_gpus().empty())
      open(variant->model == Model::target ? MemorySpace::target : MemorySpace::openacc, gpu, false,
           &why_not);
  } catch (const std::exception&) {
  }
  stage_ = stage;
}

Device* CaseRunner::open(MemorySpace memory_space, int gpu, bool offload_on_host, std::string* why_not) {
  const auto slot = static_cast<std::size_t>(memory_space);
  if (memory_space == MemorySpace::host) gpu = -1;
  if (devices_[slot] && device_indices_[slot] == gpu) return devices_[slot].get();
  const bool by_directives = memory_space == MemorySpace::openacc || memory_space == MemorySpace::target;
  if (gpu < 0 && by_directives && !offload_on_host) {
    *why_not = "offloaded variants are measured only on a GPU";
    return nullptr;
  }
  if (kept_) {
    kept_->device_copies.reset();
    kept_->on_devices.clear();
  }
  stage_(memory_space == MemorySpace::host ? Stage::starting : Stage::starting_gpu);
  devices_[slot].reset();
  devices_[slot] = open_device(memory_space, gpu, why_not);
  device_indices_[slot] = gpu;
  Device* device = devices_[slot].get();
  if (device && gpu >= 0)
    for (const double end = clock_.now() + gpu_warm_up; clock_.now() < end;) device->flush_caches();
  return device;
}

// Creates the host data of the problem, unless the last case had the same problem. Returns why the data do
// not fit into memory, or an empty string.
std::string CaseRunner::load(const Subject& subject, const Settings& settings) {
  stage_(Stage::allocating);
  const bool same = kept_ && kept_->is_of(subject, settings);
  if (same && kept_->device_copies && kept_->copied_to == subject.device && !subject.variant->workspace)
    return {};
  if (!same)
    forget_data();
  else
    kept_->device_copies.reset();
  const MemorySpace memory_space = subject.variant->memory_space;
  const auto kept_bytes = same ? static_cast<double>(kept_->workset->total_bytes()) : 0.0;
  std::string why_not;
  const Device* host = open(MemorySpace::host, -1, false, &why_not);
  const std::string reason = why_too_large(
      *subject.kernel, subject.problem, {memory_space, subject.variant->workspace, subject.tuning.data()},
      settings.guard_bytes,
      same && !subject.variant->workspace ? 1e300 : static_cast<double>(host->free_memory()) + kept_bytes,
      memory_space == MemorySpace::host ? 0.0 : static_cast<double>(subject.device->free_memory()));
  if (!reason.empty() || same) return reason;
  kept_ = std::make_unique<Kept>(subject, settings, stage_);
  kept_->workset->keep_references(share_of_references * static_cast<double>(host->free_memory()));
  return {};
}

void CaseRunner::map(const Subject& subject, const Settings& settings) {
  if (kept_->device_copies && kept_->copied_to == subject.device) return;
  kept_->device_copies.reset();
  const MemorySpace memory_space = subject.variant->memory_space;
  Kept::Costs& costs = kept_->costs[static_cast<std::size_t>(memory_space)];
  const bool measure =
      !costs.known && settings.transfers && !settings.check_only && memory_space != MemorySpace::host;
  stage_(measure ? Stage::timing_allocation : Stage::allocating_on_device);
  if (measure) costs.alloc_times = measure_allocation(*subject.device, *kept_->workset, clock_);
  KeptOnDevice& kept = kept_->on_devices.try_emplace(subject.device, *subject.device).first->second;
  kept_->device_copies = std::make_unique<DeviceCopies>(*subject.device, *kept_->workset, &kept);
  kept_->copied_to = subject.device;
  if (!measure) return;
  stage_(Stage::copying);
  costs.transfers = measure_transfers(*subject.device, *kept_->workset, *kept_->device_copies, clock_);
  costs.known = true;
}

// Returns true if the check can be skipped, because this case was found right on the same arrays before. This
// requires check_once, or a run that measures only the end-to-end pass, which compares its own result.
bool CaseRunner::recalls(const Case& what, const Settings& settings) const {
  return (settings.check_once || settings.timed == Timed::pass) && right_.contains(key_of(what));
}

// Returns the seconds above which the check does not repeat an execution. It is 0 if samples follow, because
// audits then repeat the check.
double CaseRunner::once_checked(const Settings& settings) const {
  if (settings.check_fully) return std::numeric_limits<double>::infinity();
  return settings.check_only || observer_ ? once_from(settings) : 0;
}

CheckResult CaseRunner::check_or_recall(const Subject& subject, const Case& what, Call& call,
                                        const Settings& settings, bool* has_phases,
                                        std::vector<Phase>* of_one_call) {
  if (recalls(what, settings)) return right_.at(key_of(what));
  stage_(Stage::checking);
  const GivenThreads given(subject.checking_threads());
  // Phases are marked during the check only on the host, where marking costs nothing.
  Device* const marked = subject.on_gpu() ? nullptr : subject.device;
  PhaseListener listener(&call, marked);
  CheckResult checked = check(*subject.variant, call, *subject.device, *kept_->workset, *kept_->device_copies,
                              once_checked(settings), settings.check_only);
  *has_phases = listener.heard();
  if (marked) {
    std::vector<Phase> phases;
    listener.finish(&phases);
    if (checked.passed && checked.seconds.size() == 1 && checked.seconds.front() > once_from(settings)) {
      *of_one_call = std::move(phases);
      *has_phases = false;
    }
  }
  if (checked.passed && checked.seconds.front() < long_call)
    right_[key_of(what)] = checked;
  else
    right_.erase(key_of(what));
  return checked;
}

// Adds a warning if the tolerance of a user kernel accepts a result that needs no computation, such as all
// zeros. Small problems are not tested, because such a result may be right there.
void CaseRunner::try_trivial_answers(const Subject& subject, Measurement* measurement) {
  constexpr std::int64_t few = 1000;
  const RegisteredKernel* entry = find_kernel(measurement->what.kernel);
  if (entry->loaded_from.empty() || subject.unchecked || subject.problem.n < few) return;
  if (!kept_->trivial_answers) kept_->trivial_answers = passing_trivial_answers(*kept_->workset);
  if (kept_->trivial_answers->empty()) return;
  const Tolerance tolerance = subject.kernel->tolerance(subject.problem);
  char allowed[128];
  std::snprintf(allowed, sizeof allowed, "at N = %lld it allows %.3g + %.3g times the value, and ",
                static_cast<long long>(subject.problem.n), tolerance.absolute, tolerance.relative);
  measurement->warnings.push_back(text_of(Warning::trivial, allowed + *kept_->trivial_answers));
}

void CaseRunner::run_checked(const Subject& subject, const Settings& settings, Measurement* measurement) {
  Device& device = *subject.device;
  const Variant& variant = *subject.variant;
  Call call{subject.problem, subject.tuning.data(), kept_->device_copies->arrays(), device.stream(), nullptr};
  if (variant.compile) {
    stage_(Stage::compiling);
    if (const char* reason = compile_anywhere(variant, call.problem, call.tuning)) {
      measurement->status = Status::failed;
      measurement->reason = reason;
      return;
    }
  }
  Prepared prepared(variant);
  if (variant.prepare) {
    stage_(Stage::preparing);
    const bool others = once_checked(settings) > 0 && runs_on_others(*subject.kernel, subject.problem) &&
                        !recalls(measurement->what, settings);
    {
      const GivenThreads given(subject.checking_threads());
      kept_->workset->reset(0xFF, others ? other_filling : timed_filling);
      kept_->device_copies->copy_in(DeviceCopies::Which::all, 0xFF);
    }
    const double began = clock_.now();
    if (const char* reason = variant.prepare(call, &prepared.state)) {
      measurement->reason = std::string("cannot be prepared: ") + reason;
      return;
    }
    call.state = prepared.state;
    device.synchronise_all();
    measurement->prepare_times.push_back(clock_.now() - began);
    kept_->preparations[measurement->what.variant] = measurement->prepare_times.back();
  }
  bool has_phases = false;
  const CheckResult checked =
      check_or_recall(subject, measurement->what, call, settings, &has_phases, &measurement->phases);
  measurement->error = checked.error;
  measurement->tolerance = checked.tolerance;
  if (subject.unchecked) {
    measurement->error = measurement->tolerance = std::numeric_limits<double>::quiet_NaN();
    measurement->warnings.push_back(text_of(Warning::not_checked, "its file names no reference"));
  }
  if (checked.passed && checked.outliers > 0)
    measurement->warnings.push_back(text_of(Warning::outliers, std::to_string(checked.outliers)));
  if (checked.passed && !checked.keeps_arithmetic)
    measurement->warnings.push_back(text_of(Warning::arithmetic, ""));
  if (checked.passed && !checked.repeats) measurement->warnings.push_back(text_of(Warning::not_repeated, ""));
  measurement->reason = checked.reason;
  measurement->status = checked.passed ? Status::ok : checked.failed ? Status::failed : Status::wrong;
  if (checked.passed && settings.check_only) try_trivial_answers(subject, measurement);
  if (checked.passed && observer_)
    observer_([&] {
      variant.launch[call.problem.type](call);
      device.synchronise();
    });
  if (!checked.passed || observer_ || settings.check_only) return;
  if (settings.timed != Timed::pass && !time_calls(subject, call, checked, settings, has_phases, measurement))
    return;
  if (!settings.transfers) return;
  // Free the state of `prepare`. The end-to-end pass creates another one, and both might not fit into memory.
  prepared.release();
  call.state = nullptr;
  time_end_to_end(subject, call, settings, measurement);
}

// Measures the call times. Returns false if nothing else of this case should be measured.
bool CaseRunner::time_calls(const Subject& subject, Call& call, const CheckResult& checked,
                            const Settings& settings, bool has_phases, Measurement* measurement) {
  measurement->first_call = checked.seconds.front();
  // for the first case of a problem, this is known only after the check
  is_light_ = would_be_light(measurement->what, settings);
  if (!is_too_slow_to_sample(checked, settings, measurement))
    time(subject, call, checked, settings, measurement);
  if (measurement->status != Status::ok) return false;
  if (measurement->effort != Effort::measured) {
    has_failed(measurement);
    return false;
  }
  if (has_phases) time_phases(subject, call, measurement);
  return !has_failed(measurement);
}

}  // namespace sextant
