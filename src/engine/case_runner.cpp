#include "engine/case_runner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <utility>

#include "engine/device_pass.hpp"
#include "engine/phases.hpp"
#include "engine/prepared.hpp"
#include "engine/rank_runner.hpp"
#include "engine/transfers.hpp"
#include "engine/warnings.hpp"
#include "machine/environment.hpp"
#include "machine/places.hpp"
#include "machine/stand_in.hpp"
#include "machine/thread_count.hpp"
#include "plan/memory_need.hpp"
#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"
#include "suite/thread_count.hpp"
#include "trace/counters.hpp"

namespace sextant {
namespace {

constexpr double counted_execution = 0.06;  // seconds from which the check's own executions count as samples
constexpr double long_execution = 0.5;  // seconds from which one launch has to do on the device, and by phase
constexpr double short_execution = 1e-3;  // seconds up to which it is asked how many calls make a sample
constexpr double steady_execution = 0.1;  // seconds from which a few launches say the time on the device
constexpr double short_on_device = 1e-4;
constexpr double low_clock = 0.75;   // of the highest: below it a GPU is not at its best
constexpr double gpu_warm_up = 0.1;  // seconds of work that bring a GPU's clocks up

std::string percent(double fraction) {
  if (fraction >= 1) return "its order of magnitude";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * fraction);
  return text;
}

// The threads that the case asks for; 0: it does not, or its variant's own tunable does.
int threads_asked(const Case& what, const Variant& variant) {
  if (!takes_thread_count(variant)) return 0;
  const auto given = std::find_if(what.tuning.begin(), what.tuning.end(),
                                  [](const auto& pair) { return pair.first == thread_count; });
  return given == what.tuning.end() ? 0 : given->second.number;
}

// Whether the case is what a run without tunings takes.
bool is_standard(const Case& what, const Variant& variant) {
  Tuning standard = default_tuning(variant, what.problem);
  if (threads_asked(what, variant) > 0) standard.emplace_back(thread_count, openmp_threads());
  return what.tuning == standard;
}

std::string megahertz(double clock) { return std::to_string(std::lround(clock * 1e-6)) + " MHz"; }

}  // namespace

int gpu_index(const std::string& device) {
  if (device == "cpu") return -1;
  int index = 0;
  if (device.rfind("gpu", 0) != 0) return -2;
  const char* end = device.data() + device.size();
  const auto [rest, error] = std::from_chars(device.data() + 3, end, index);
  return error == std::errc() && rest == end && index >= 0 ? index : -2;
}

struct CaseRunner::Subject {
  const Kernel* kernel = nullptr;
  const Variant* variant = nullptr;
  Problem problem;
  CacheMode cache = CacheMode::warm;
  std::vector<int> tuning;
  Device* device = nullptr;
  int gpu = -1;     // where it runs, -1: the host
  int threads = 0;  // OpenMP's, if the case says how many
  bool unchecked = false;
  bool on_gpu() const { return gpu >= 0; }
};

// Consecutive cases of one kernel and problem share the host data, and those of one home the device's copy,
// the allocation times and the transfer times.
struct CaseRunner::Kept {
  std::string kernel;
  Problem problem;
  std::int64_t guard_bytes;
  std::uint64_t seed;
  std::unique_ptr<Workset> workset;
  std::unique_ptr<Mapped> mapped;
  Device* mapped_on = nullptr;

  struct Costs {
    bool known = false;
    std::vector<Transfer> transfers;
    std::vector<double> alloc_times;
  };
  std::array<Costs, home_count> costs;

  bool is_of(const Subject& subject, const Settings& settings) const {
    return kernel == subject.kernel->name && problem.type == subject.problem.type &&
           problem.n == subject.problem.n && problem.extents == subject.problem.extents &&
           problem.parameters == subject.problem.parameters && guard_bytes == settings.guard_bytes &&
           seed == settings.seed;
  }
};

const char* compile_anywhere(const Variant& variant, const Problem& problem, const int* tuning) {
  const AllPlaces all_places;
  return variant.compile(problem, tuning);
}

CaseRunner::CaseRunner(std::function<void(const char*)> stage, std::function<void(const Measurement&)> taken)
    : stage_(std::move(stage)),
      taken_(std::move(taken)),
      clock_cost_(clock_cost(clock_)),
      clock_step_(clock_step(clock_)) {
  give_libraries_all_places();
}

CaseRunner::~CaseRunner() = default;

// The data of consecutive cases, and what was right on it.
void CaseRunner::forget_data() {
  kept_.reset();
  right_.clear();
}

// Why the case's team cannot be had, or empty.
std::string CaseRunner::open_team_of(const Case& what) {
  if (team_place_ == what.device) return {};
  leave_team();
  const Place place = *place_of(what.device);
  if (!stand_in_gpus().empty()) return "a team is of GPUs, not of stand-ins";
  if (observer_) return "what a team's GPUs do is not recorded: profile it on one, without parts";
  stage_(starting_gpu);
  std::string why_not;
  team_ = open_team(place.device, place.devices, place.sharing, &why_not);
  if (!team_) return why_not;
  of_team_ = std::make_unique<RankRunner>(*team_, stage_, taken_);
  team_place_ = what.device;
  return {};
}

void CaseRunner::leave_team() {
  of_team_.reset();
  team_.reset();
  team_place_.clear();
}

Measurement CaseRunner::run_on_team(const Case& what, const Settings& settings, Measurement measurement) {
  forget_data();
  measurement.reason = open_team_of(what);
  return measurement.reason.empty() ? of_team_->run(what, settings) : measurement;
}

Measurement CaseRunner::run(const Case& what, const Settings& settings) {
  Measurement measurement;
  measurement.what = what;
  measurement.seed = settings.seed;
  measurement.timestamp = timestamp_now();
  try {
    if (const auto place = place_of(what.device); place && place->is_team())
      return run_on_team(what, settings, measurement);
    leave_team();
    Subject subject;
    stage_("starting");
    measurement.reason = resolve(what, settings, &subject);
    if (measurement.reason.empty()) measurement.reason = load(subject, settings);
    if (!measurement.reason.empty()) return measurement;  // skipped
    measurement.standard_tuning = is_standard(what, *subject.variant);
    measurement.work = subject.kernel->work(subject.problem);
    map(subject, settings);
    const GivenThreads given(subject.threads);
    run_checked(subject, settings, &measurement);
    if (subject.variant->home == Home::host) kept_->workset->distrust_inputs();
    return measurement;
  } catch (const DeviceError& error) {
    device_lost_ = true;
    measurement.reason = std::string("device error: ") + error.what();
  } catch (const std::bad_alloc&) {
    measurement.reason = "host memory ran out";
  } catch (const std::exception& error) {
    measurement.reason = error.what();
  }
  measurement.status = Status::failed;
  forget_data();  // its data may be half written
  leave_team();
  return measurement;
}

// What keeps the case from being run, or empty.
std::string CaseRunner::resolve(const Case& what, const Settings& settings, Subject* subject) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return "this build has no kernel " + what.kernel;
  if (gpu_index(what.device) >= 0 && opens_a_library(*entry, what.variant)) stage_(loading_code);
  const Variant* variant = find_variant(*entry, what.variant);
  if (!variant) return "this build has no variant " + what.variant + " of " + what.kernel;
  subject->kernel = &entry->kernel;
  subject->variant = variant;
  subject->unchecked = entry->unchecked;
  subject->problem = what.problem;
  subject->cache = what.cache;
  if (!entry->kernel.has(what.problem.type) || !variant->launch[what.problem.type])
    return what.variant + " has no form for " + name_of(what.problem.type);
  if (what.problem.extents.count() <= 0) return "N = " + std::to_string(what.problem.n) + " is too small";
  for (const Tunable& tunable : variant->tunables) {
    const auto given = std::find_if(what.tuning.begin(), what.tuning.end(),
                                    [&](const auto& pair) { return pair.first == tunable.name; });
    if (given == what.tuning.end()) return "the case gives no value for " + std::string(tunable.name);
    subject->tuning.push_back(given->second);
  }
  if (variant->constraint)
    if (const char* reason = variant->constraint(what.problem, subject->tuning.data())) return reason;
  subject->threads = threads_asked(what, *variant);
  if (subject->threads > openmp_threads())
    return std::to_string(subject->threads) + " threads are asked for, OpenMP has " +
           std::to_string(openmp_threads()) + " here; OMP_NUM_THREADS gives it more";

  if (is_in_parts(variant->home)) return what.variant + " runs in parts: not in one process by itself";
  subject->gpu = gpu_index(what.device);
  const bool wants_gpu = variant->home != Home::host || variant->model == Model::cuda;
  if (subject->gpu == -2) return "there is no device " + what.device + ": devices are cpu, gpu0, gpu1, …";
  std::string why_not;
  const bool offloaded = is_offloaded(variant->model);
  const bool stands_in = subject->gpu >= 0 && subject->gpu < static_cast<int>(stand_in_gpus().size());
  const bool on_host = settings.offload_on_host || stands_in;
  if (stands_in && variant->model == Model::cuda) return what.variant + " runs on a GPU, not on a stand-in";
  if (stands_in || (offloaded && on_host))
    subject->gpu = -1;
  else if (wants_gpu && subject->gpu < 0)
    return what.variant + " runs on a GPU, not on the CPU";
  else if (!wants_gpu && !offloaded && subject->gpu >= 0)
    return what.variant + " runs on the CPU, not on a GPU";
  // Forms that make their own copies have host arrays and still need the GPU.
  const Home of_directives = variant->model == Model::target ? Home::target : Home::openacc;
  if (offloaded && !open(of_directives, subject->gpu, on_host, &why_not)) return why_not;
  if (variant->model == Model::cuda && !open(Home::cuda, subject->gpu, false, &why_not)) return why_not;
  subject->device = open(variant->home, subject->gpu, on_host, &why_not);
  if (!subject->device) return why_not;
  const char* lacking = variant->unavailable ? variant->unavailable() : nullptr;
  return lacking ? lacking : "";
}

void CaseRunner::load_code(const Case& what) {
  const auto stage = std::exchange(stage_, [](const char*) {});
  try {
    const RegisteredKernel* entry = find_kernel(what.kernel);
    const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
    std::string why_not;
    const int gpu = gpu_index(what.device);
    if (variant && gpu >= 0 && stand_in_gpus().empty())
      open(variant->model == Model::target ? Home::target : Home::openacc, gpu, false, &why_not);
  } catch (const std::exception&) {
  }
  stage_ = stage;
}

Device* CaseRunner::open(Home home, int gpu, bool offload_on_host, std::string* why_not) {
  const auto slot = static_cast<std::size_t>(home);
  if (home == Home::host) gpu = -1;
  if (devices_[slot] && device_indices_[slot] == gpu) return devices_[slot].get();
  const bool by_directives = home == Home::openacc || home == Home::target;
  if (gpu < 0 && by_directives && !offload_on_host) {
    *why_not = "offloaded variants are measured on a GPU only";
    return nullptr;
  }
  if (kept_) kept_->mapped.reset();
  stage_(home == Home::host ? "starting" : starting_gpu);
  devices_[slot].reset();
  devices_[slot] = open_device(home, gpu, why_not);
  device_indices_[slot] = gpu;
  Device* device = devices_[slot].get();
  if (device && gpu >= 0)
    for (const double end = clock_.now() + gpu_warm_up; clock_.now() < end;) device->flush_caches();
  return device;
}

// Makes the problem's host data unless the last case left it. Returns why it does not fit, or empty.
std::string CaseRunner::load(const Subject& subject, const Settings& settings) {
  stage_("allocating");
  const bool same = kept_ && kept_->is_of(subject, settings);
  if (same && kept_->mapped && kept_->mapped_on == subject.device && !subject.variant->workspace) return {};
  if (!same)
    forget_data();
  else
    kept_->mapped.reset();
  const Home home = subject.variant->home;
  const auto kept_bytes = same ? static_cast<double>(kept_->workset->total_bytes()) : 0.0;
  std::string why_not;
  const Device* host = open(Home::host, -1, false, &why_not);
  const std::string reason = why_too_large(
      *subject.kernel, subject.problem, {home, subject.variant->workspace, subject.tuning.data()},
      settings.guard_bytes,
      same && !subject.variant->workspace ? 1e300 : static_cast<double>(host->free_memory()) + kept_bytes,
      home == Home::host ? 0.0 : static_cast<double>(subject.device->free_memory()));
  if (!reason.empty() || same) return reason;
  auto kept = std::make_unique<Kept>();
  kept->kernel = subject.kernel->name;
  kept->problem = subject.problem;
  kept->guard_bytes = settings.guard_bytes;
  kept->seed = settings.seed;
  kept->workset = std::make_unique<Workset>(*subject.kernel, subject.problem, settings.seed,
                                            static_cast<std::size_t>(settings.guard_bytes));
  stage_("computing the reference");
  for (std::size_t i = 0; i < subject.kernel->arrays.size(); ++i)
    if (subject.kernel->arrays[i].role != Role::in) kept->workset->reference(static_cast<int>(i));
  kept_ = std::move(kept);
  return {};
}

void CaseRunner::map(const Subject& subject, const Settings& settings) {
  if (kept_->mapped && kept_->mapped_on == subject.device) return;
  kept_->mapped.reset();
  const Home home = subject.variant->home;
  Kept::Costs& costs = kept_->costs[static_cast<std::size_t>(home)];
  const bool measure = !costs.known && settings.transfers && !settings.check_only && home != Home::host;
  stage_(measure ? "timing the allocation" : "allocating on the device");
  if (measure) costs.alloc_times = measure_allocation(*subject.device, *kept_->workset, clock_);
  kept_->mapped = std::make_unique<Mapped>(*subject.device, *kept_->workset);
  kept_->mapped_on = subject.device;
  if (!measure) return;
  stage_("copying");
  costs.transfers = measure_transfers(*subject.device, *kept_->workset, *kept_->mapped, clock_);
  costs.known = true;
}

// A case that was right before, in this process and on these arrays, is not checked again if so asked.
bool CaseRunner::recalls(const Case& what, const Settings& settings) const {
  return settings.check_once && right_.contains(key_of(what));
}

CheckResult CaseRunner::check_or_recall(const Subject& subject, const Case& what, Call& call,
                                        const Settings& settings, bool* has_phases) {
  if (recalls(what, settings)) return right_.at(key_of(what));
  stage_("checking");
  const PhaseListener listener(&call, nullptr);
  // Where samples follow, the check's second half comes after the last of them.
  const double once = settings.check_fully               ? std::numeric_limits<double>::infinity()
                      : settings.check_only || observer_ ? once_from(settings)
                                                         : 0;
  CheckResult checked = check(*subject.variant, call, *subject.device, *kept_->workset, *kept_->mapped, once,
                              settings.check_only);
  *has_phases = listener.heard();
  if (checked.passed && checked.seconds.front() < counted_execution)
    right_[key_of(what)] = checked;
  else
    right_.erase(key_of(what));
  return checked;
}

void CaseRunner::run_checked(const Subject& subject, const Settings& settings, Measurement* measurement) {
  Device& device = *subject.device;
  const Variant& variant = *subject.variant;
  Call call{subject.problem, subject.tuning.data(), kept_->mapped->arrays(), device.stream(), nullptr};
  if (variant.compile) {
    stage_("compiling");
    if (const char* reason = compile_anywhere(variant, call.problem, call.tuning)) {
      measurement->status = Status::failed;
      measurement->reason = reason;
      return;
    }
  }
  Prepared prepared(variant);
  if (variant.prepare) {
    stage_("preparing");
    const bool others =
        runs_on_others(*subject.kernel, subject.problem) && !recalls(measurement->what, settings);
    kept_->workset->reset(0xFF, others ? Inputs::other : Inputs::timed);
    kept_->mapped->copy_in(Mapped::Which::all, 0xFF);
    const double began = clock_.now();
    if (const char* reason = variant.prepare(call, &prepared.state)) {
      measurement->reason = std::string("cannot be prepared: ") + reason;
      return;
    }
    call.state = prepared.state;
    device.settle();
    measurement->prepare_times.push_back(clock_.now() - began);
  }
  bool has_phases = false;
  const CheckResult checked = check_or_recall(subject, measurement->what, call, settings, &has_phases);
  measurement->error = checked.error;
  measurement->tolerance = checked.tolerance;
  if (subject.unchecked) {
    measurement->error = measurement->tolerance = std::numeric_limits<double>::quiet_NaN();
    measurement->warnings.push_back(text_of(Warning::not_checked, "its file names no reference"));
  }
  if (checked.passed && !checked.repeats) measurement->warnings.push_back(text_of(Warning::not_repeated, ""));
  measurement->reason = checked.reason;
  measurement->status = checked.passed ? Status::ok : checked.failed ? Status::failed : Status::wrong;
  if (checked.passed && observer_)
    observer_([&] {
      variant.launch[call.problem.type](call);
      device.synchronise();
    });
  if (!checked.passed || observer_ || settings.check_only) return;
  measurement->first_call = checked.seconds.front();
  if (!glances(checked, settings, measurement)) time(subject, call, checked, settings, measurement);
  if (measurement->status != Status::ok) return;
  if (measurement->effort != Effort::measured) {
    has_failed(measurement);
    return;
  }
  if (has_phases) time_phases(subject, call, measurement);
  if (checked.seconds.front() <= counted_execution && !still_right(subject, call, true, measurement)) return;
  if (has_failed(measurement)) return;
  if (!settings.transfers) return;
  prepared.release();  // the end-to-end pass prepares anew: two workspaces might not fit
  call.state = nullptr;
  time_end_to_end(subject, call, measurement);
}

namespace {

// What was measured of a case that turned out wrong, or failed, is forgotten.
void forget(Measurement* measurement, Status status, const std::string& reason) {
  Measurement left;
  left.what = measurement->what;
  left.seed = measurement->seed;
  left.timestamp = measurement->timestamp;
  left.work = measurement->work;
  left.error = measurement->error;
  left.tolerance = measurement->tolerance;
  left.status = status;
  left.reason = reason;
  *measurement = std::move(left);
}

}  // namespace

// Whether a launch so far was void.
bool CaseRunner::has_failed(Measurement* measurement) {
  const std::string reason = failure_of_launches();
  if (!reason.empty()) forget(measurement, Status::failed, reason);
  return !reason.empty();
}

// Whether the check's executions were so slow that no sample is wanted: the fastest of them stands for the time.
bool CaseRunner::glances(const CheckResult& checked, const Settings& settings, Measurement* measurement) {
  const double fastest = *std::min_element(checked.seconds.begin(), checked.seconds.end());
  if (settings.give_up_above <= 0 || fastest <= settings.give_up_above) return false;
  measurement->effort = Effort::glanced;
  measurement->call_times = {fastest};
  return true;
}

// Compares once more what a launch made of poisoned outputs. What was measured of a wrong one is forgotten.
bool CaseRunner::still_right(const Subject& subject, const Call& call, bool launch,
                             Measurement* measurement) {
  stage_("checking again");
  if (launch) {
    poison_for_last(*subject.device, *kept_->workset, *kept_->mapped);
    subject.variant->launch[call.problem.type](call);
    subject.device->synchronise();
  }
  if (has_failed(measurement)) return false;
  const std::string reason = check_last(*subject.device, *kept_->workset, *kept_->mapped);
  if (!reason.empty())
    forget(measurement, Status::wrong, "right when first checked, wrong after the last sample: " + reason);
  return reason.empty();
}

// Call times and, on a GPU, device times. What the check's first execution took says what is to be expected.
void CaseRunner::time(const Subject& subject, Call& call, const CheckResult& check, const Settings& settings,
                      Measurement* measurement) {
  const double checked = check.seconds.front();
  Device& device = *subject.device;
  const Variant& variant = *subject.variant;
  const bool cold = subject.cache == CacheMode::cold;
  const auto execute = [&] {
    variant.launch[call.problem.type](call);
    device.synchronise();
  };
  const bool is_long = checked > counted_execution;
  double expected = checked;
  stage_("warming up");
  if (!is_long) {
    const double begin = clock_.now();
    execute();
    const double once = clock_.now() - begin - clock_cost_;
    expected = std::min(expected, once);
    // A launch that takes so long is enough: the check's, if it was not spared, and this one is a sample.
    const bool is_warm = expected > settings.warm_seconds;
    if (is_warm && !cold && !settings.check_once) measurement->call_times = {once};
    const int most = is_warm || cold ? 0 : 50;
    for (int i = 0; i < most && (i < 2 || clock_.now() < begin + settings.warm_seconds); ++i) execute();
  } else if (!cold) {
    measurement->call_times = {checked};
  }
  stage_("sampling");
  const std::size_t compared = measurement->call_times.size();
  Sampling sampling{{}, execute};
  SampleRecords recorded([] { start_activity(); }, stop_activity);
  const bool records = checked > steady_execution && !cold && subject.on_gpu() && !activity_unavailable();
  // A launch beyond the samples would cost too much where it is long: each of those finds poisoned outputs.
  if (is_long || cold)
    sampling.before = [&] {  // before each call: there is no row of calls
      recorded.end();
      if (is_long) poison_for_last(device, *kept_->workset, *kept_->mapped);
      if (cold) device.flush_caches();
      if (records) recorded.begin();
    };
  else if (expected < short_execution)
    sampling.calls = calls_per_sample(execute, clock_, clock_step_, settings);
  measurement->calls_per_sample = sampling.calls;
  measurement->clock_step = clock_step_;
  MedianRule median(settings, expected, clock_step_ / sampling.calls);
  ScreeningRule rule(median, settings.screen_above);
  sample(sampling, clock_, clock_cost_, rule, &measurement->call_times);
  recorded.end();
  if (recorded.disturbed()) {
    measurement->call_times.erase(measurement->call_times.begin() + static_cast<std::ptrdiff_t>(compared));
    sample(sampling, clock_, clock_cost_, rule, &measurement->call_times);
  }
  if (rule.gave_up()) {
    measurement->effort = Effort::screened;
    return;
  }
  if (is_long && measurement->call_times.size() > compared && !still_right(subject, call, false, measurement))
    return;
  read_state(subject, measurement);
  const double noise_seen = noise(lasting_interval(measurement->call_times));
  if (noise_seen > 3 * settings.max_noise && measurement->call_times.size() >= 6)
    measurement->warnings.push_back(text_of(Warning::noisy, percent(noise_seen)));

  if (taken_) taken_(*measurement);
  if (subject.on_gpu()) time_on_device(subject, call, recorded, measurement);
  if (taken_ && subject.on_gpu()) taken_(*measurement);
  if (subject.on_gpu() && settings.counters) count(subject, call, measurement);
}

void CaseRunner::time_phases(const Subject& subject, Call& call, Measurement* measurement) {
  stage_("timing phases");
  const double expected = median_interval(measurement->call_times).median;
  const int launches =
      expected > long_execution ? 1 : static_cast<int>(std::clamp(0.2 / expected, 3.0, 11.0));
  measurement->phases = measure_phases(*subject.variant, &call, *subject.device, launches);
}

// Leaves the arrays unmapped.
void CaseRunner::time_end_to_end(const Subject& subject, const Call& call, Measurement* measurement) {
  const Variant& variant = *subject.variant;
  if (variant.home == Home::host) {
    // A variant that makes its own copies pays for them within the call: that is its end-to-end time.
    if (subject.on_gpu()) measurement->end_to_end_times = measurement->call_times;
    return;
  }
  const Kept::Costs& costs = kept_->costs[static_cast<std::size_t>(variant.home)];
  measurement->transfers = costs.transfers;
  measurement->alloc_times = costs.alloc_times;
  stage_("timing end to end");
  kept_->mapped.reset();
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
  stage_("timing on the device");
  const double expected = median_interval(measurement->call_times).median;
  // A GPU's clock steps by 32 ns, a part in thirty of the shortest kernels: of those more launches.
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

// One warning a worker says why there are none: it is the same for every case.
void CaseRunner::count(const Subject& subject, const Call& call, Measurement* measurement) {
  if (no_counters_) return;
  stage_("reading hardware counters");
  try {
    measurement->counters = read_counters(subject.gpu, [&] {
      subject.variant->launch[call.problem.type](call);
      subject.device->synchronise();
    });
  } catch (const DeviceError& error) {
    no_counters_ = true;
    measurement->warnings.push_back(text_of(Warning::no_counters, error.what()));
    subject.device->synchronise();  // an error of the device itself is the case's, not the counters'
  }
}

void CaseRunner::read_state(const Subject& subject, Measurement* measurement) {
  if (!subject.on_gpu()) return;
  stage_("reading the GPU's state");
  const GpuState state = read_gpu_state(subject.gpu);
  measurement->clock = state.clock;
  measurement->temperature = state.temperature;
  measurement->power = state.power;
  std::string reasons;
  for (const std::string& reason : state.throttle_reasons) reasons += (reasons.empty() ? "" : ", ") + reason;
  if (!reasons.empty()) measurement->warnings.push_back(text_of(Warning::throttled, reasons));
  if (state.clock && state.max_clock && *state.clock < low_clock * *state.max_clock)
    measurement->warnings.push_back(
        text_of(Warning::slow_clock, megahertz(*state.clock) + " of at most " + megahertz(*state.max_clock)));
}

}  // namespace sextant
