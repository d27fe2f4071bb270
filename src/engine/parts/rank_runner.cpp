#include "engine/parts/rank_runner.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "engine/case/audits.hpp"
#include "engine/case/check.hpp"
#include "engine/case/prepared.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/form/warnings.hpp"
#include "machine/environment.hpp"
#include "machine/places.hpp"
#include "machine/thread_count.hpp"
#include "plan/memory_need.hpp"
#include "record/place.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr unsigned char nan_poison = 0xFF, huge_poison = 0x7F;

// Combines the device group of a process with the position of the process among the ranks.
parts::GpuRank rank_with(const parts::Team& team, const parts::Ranks& ranks) {
  parts::GpuRank rank;
  static_cast<parts::Team&>(rank) = team;
  static_cast<parts::Ranks&>(rank) = ranks;
  return rank;
}

}  // namespace

// The complete arrays and their reference. Consecutive cases of the same problem share them.
struct RankRunner::Kept : CaseData {
  Kept(const CaseSubject& subject, const Settings& settings, const StageListener& stage, Device& host)
      : CaseData(subject, settings, stage), device_copies(host, *workset) {}
  DeviceCopies device_copies;  // the arrays in host memory
};

// Audits (checks on other inputs) of a case on several ranks. The first rank has the complete data and
// compares the results; all ranks launch.
class RankRunner::AuditedParts : public AuditedCase {
 public:
  AuditedParts(RankRunner& runner, const Call& call, const CaseSubject& subject, bool is_search)
      : runner_(runner), call_(call), subject_(subject), is_search_(is_search) {}

  bool bring(const AuditInputs& inputs) override {
    const bool is_new = !runner_.first() || copy_whole(inputs);
    runner_.scatter(call_, subject_, huge_poison);
    return is_new;
  }
  double timed_call() override { return runner_.launch_together(call_, subject_); }
  void take_outputs() override {
    failure_ = failure_of_launches();
    subject_.variant->parts.gather(call_);
  }
  Audited compare(bool) override {
    runner_.compare_gathered(failure_, &found);
    return {found.status, found.reason};
  }
  Audited launched() override {
    const Trouble trouble = agreed(runner_.ranks_, {failure_of_launches(), true});
    return {trouble.any() ? Status::failed : Status::ok, trouble.reason};
  }
  bool learns() const override { return !runner_.team_; }
  bool compares_soon() override {
    return largest(runner_.ranks_, runner_.first() && runner_.kept_->workset->has_short_reference()) > 0;
  }

  Measurement found;  // receives the error and tolerance of all comparisons

 private:
  bool copy_whole(const AuditInputs& inputs) {
    Kept& kept = *runner_.kept_;
    const auto next = [&](bool compares) {
      return kept.next_filling(subject_.variant->name, is_search_, compares);
    };
    bool restored = false;  // by the host: never
    return copy_inputs({*subject_.variant, call_, *runner_.host_, *kept.workset, kept.device_copies}, inputs,
                       next, &restored);
  }

  RankRunner& runner_;
  const Call& call_;
  const CaseSubject& subject_;
  bool is_search_;
  std::string failure_;
};

RankRunner::RankRunner(const parts::Ranks& ranks, StageListener stage,
                       std::function<void(const Measurement&)> taken)
    : RankRunner(ranks, nullptr, std::move(stage), std::move(taken)) {}

RankRunner::RankRunner(DeviceTeam& team, StageListener stage, std::function<void(const Measurement&)> taken)
    : RankRunner(one_rank(), &team, std::move(stage), std::move(taken)) {
  has_processes_ = false;
}

RankRunner::RankRunner(const RankGpu& gpu, const parts::Ranks& ranks, StageListener stage,
                       std::function<void(const Measurement&)> taken)
    : RankRunner(ranks, gpu.team, std::move(stage), std::move(taken)) {
  of_team_.sharing = gpu.sharing;
  of_team_.sends_gpu_memory = gpu.sends_memory;
}

RankRunner::RankRunner(const parts::Ranks& ranks, DeviceTeam* team, StageListener stage,
                       std::function<void(const Measurement&)> taken)
    : team_(team),
      has_processes_(true),
      of_team_(team ? rank_with(team->team(), ranks) : parts::GpuRank{}),
      ranks_(team ? of_team_ : ranks),
      stage_(std::move(stage)),
      taken_(std::move(taken)),
      clock_cost_(clock_cost(clock_)),
      clock_step_(clock_step(clock_)) {
  std::string why_not;
  host_ = open_device(MemorySpace::host, -1, &why_not);
  give_libraries_all_places();
}

RankRunner::~RankRunner() = default;

void RankRunner::stage(Stage entered) {
  if (first() && stage_) stage_(entered);
}

Measurement RankRunner::run(const Case& what, const Settings& settings) {
  Measurement measurement;
  measurement.what = what;
  measurement.seed = settings.seed;
  measurement.timestamp = timestamp_now();
  const auto goes_on = [&](const Trouble& own) {
    const Trouble trouble = agreed(ranks_, own);
    measurement.reason = trouble.reason;
    measurement.status = trouble.failed ? Status::failed : Status::skipped;
    if (trouble.failed) kept_.reset();  // the data may be incomplete
    return !trouble.any();
  };
  CaseSubject subject;
  stage(Stage::starting);
  if (!goes_on(tried([&] { return resolve(what, settings, &subject); }))) return measurement;
  if (!goes_on(tried([&] { return first() ? load(subject, settings) : ""; }))) return measurement;
  measurement.standard_tuning = is_standard(what, subject);
  measurement.work = subject.kernel->work(subject.problem);
  const GivenThreads given(subject.threads);
  if (!team_) measurement.cores = cores();

  Call call{.problem = subject.problem,
            .tuning = subject.tuning.data(),
            .arrays = first() ? kept_->device_copies.arrays() : nullptr};
  call.parts.ranks = &ranks_;
  const Variant& variant = *subject.variant;
  Prepared prepared(variant);
  if (variant.prepare) {
    stage(Stage::preparing);
    const double began = clock_.now();
    const bool is_prepared = goes_on(tried([&]() -> std::string {
      std::optional<AllPlaces> places;  // lets the threads that drive one GPU each run on all processors
      if (team_) places.emplace();
      const char* reason = variant.prepare(call, &prepared.state);
      call.state = prepared.state;
      if (team_) team_->synchronise_all();
      return reason ? std::string("cannot be prepared: ") + reason : "";
    }));
    if (is_prepared) {
      measurement.prepare_times.push_back(clock_.now() - began);
      run_prepared(call, subject, settings, &measurement);
    }
  } else {
    run_prepared(call, subject, settings, &measurement);
  }
  return measurement;
}

// Returns why the case cannot run on these ranks or this device group, or an empty string.
std::string RankRunner::why_elsewhere(const Case& what, const Variant& variant,
                                      const Settings& settings) const {
  if (variant.memory_space != MemorySpace::partitioned) return what.variant + " runs in a single process";
  if (variant.parts.needs_mpi != has_processes_)
    return what.variant +
           (has_processes_ ? " runs all partitions in one process" : " runs one process per rank");
  if (needs_gpu(variant) != (team_ != nullptr))
    return what.variant + (team_ ? " runs on the CPU" : " runs on GPUs");
  if (parts_of(what.device) != parts())
    return "the case needs " + what.device + ", " +
           (has_processes_ ? "but the launcher started " : "but the device group has ") +
           std::to_string(parts()) + (has_processes_ ? " ranks" : " partitions");
  if (team_ && what.cache == CacheMode::cold) return "cold caches are not supported on device groups";
  if (team_ && has_processes_ && of_team_.sharing > 1 && !settings.check_only)
    return "the machine has fewer GPUs than ranks, so the times would not be valid: only `sextant "
           "verify` shares a GPU among ranks";
  return {};
}

// Returns why the case cannot run, or an empty string.
std::string RankRunner::resolve(const Case& what, const Settings& settings, CaseSubject* subject) const {
  std::string reason = find_subject(what, subject);
  if (!reason.empty()) return reason;
  const Variant& variant = *subject->variant;
  subject->problem.parts = parts();
  reason = why_elsewhere(what, variant, settings);
  if (reason.empty()) reason = tune_subject(what, "in each rank", subject);
  if (!reason.empty()) return reason;
  const char* lacking = variant.unavailable ? variant.unavailable() : nullptr;
  return lacking ? lacking : "";
}

// On the first rank: creates the complete problem, unless the last case had the same one. Returns why it does
// not fit into memory, or an empty string.
std::string RankRunner::load(const CaseSubject& subject, const Settings& settings) {
  if (kept_ && kept_->is_of(subject, settings)) return {};
  kept_.reset();
  stage(Stage::allocating);
  const VariantNeed need{MemorySpace::partitioned, subject.variant->workspace, subject.tuning.data(),
                         team_ ? of_team_.sharing : ranks_.size, team_ != nullptr};
  const std::string reason = why_too_large(*subject.kernel, subject.problem, need, settings.guard_bytes,
                                           static_cast<double>(host_->free_memory()),
                                           team_ ? static_cast<double>(team_->free_memory()) : 0);
  if (!reason.empty()) return reason;
  kept_ = std::make_unique<Kept>(
      subject, settings, [this](Stage entered) { stage(entered); }, *host_);
  kept_->workset->keep_references(share_of_references * static_cast<double>(host_->free_memory()));
  return {};
}

// Makes `launches` launches after a barrier. Returns the seconds until the last rank has finished them.
double RankRunner::launch_together(const Call& call, const CaseSubject& subject, int launches) {
  ranks_.barrier();
  const double began = clock_.now();
  for (int i = 0; i < launches; ++i) {
    subject.variant->launch[call.problem.type](call);
    finish();
  }
  return largest(ranks_, clock_.now() - began);
}

// Distributes the first rank's arrays to the partitions. Then fills the first rank's own outputs with another
// poison (wrong values), so that elements which gather() does not copy are detected.
void RankRunner::scatter(const Call& call, const CaseSubject& subject, unsigned char poison) {
  subject.variant->parts.scatter(call);
  if (first()) kept_->workset->poison_outputs(static_cast<unsigned char>(poison ^ 0x10));
}

// Returns true if all gathered outputs are right and no launch failed. Otherwise all ranks store the same
// reason.
bool RankRunner::compare_gathered(const std::string& failure, Measurement* measurement) {
  Trouble own{failure, true};
  if (first() && !own.any()) {
    Deviation worst;
    own = tried([&] { return kept_->workset->compare(&worst); });
    const Deviation before{measurement->error, measurement->tolerance};
    const Deviation both = worse_of(before, worst);
    measurement->error = both.error, measurement->tolerance = both.allowed;
  }
  const Trouble trouble = agreed(ranks_, own);
  measurement->reason = trouble.reason;
  measurement->status = !trouble.any() ? Status::ok : trouble.failed ? Status::failed : Status::wrong;
  return !trouble.any();
}

// Launches with poisoned outputs. Returns true if the result is right.
bool RankRunner::compare_poisoned(const Call& call, const CaseSubject& subject, unsigned char poison,
                                  Measurement* measurement, double* seconds) {
  if (first()) kept_->workset->reset(poison);
  scatter(call, subject, poison);
  *seconds = launch_together(call, subject);
  const std::string failure = failure_of_launches();
  subject.variant->parts.gather(call);
  return compare_gathered(failure, measurement);
}

bool RankRunner::check(const Call& call, const CaseSubject& subject, const Settings& settings,
                       Measurement* measurement, double* seconds) {
  stage(Stage::checking);
  if (runs_on_others(*subject.kernel, subject.problem)) {
    if (first()) kept_->workset->reset(nan_poison, other_filling);
    subject.variant->parts.scatter(call);
    launch_together(call, subject);
  }
  if (!compare_poisoned(call, subject, nan_poison, measurement, seconds)) return false;
  double again = 0;
  const bool once = !settings.check_only || *seconds > once_from(settings);
  return once || compare_poisoned(call, subject, huge_poison, measurement, &again);
}

void RankRunner::run_prepared(Call& call, const CaseSubject& subject, const Settings& settings,
                              Measurement* measurement) {
  try {
    check_and_time(call, subject, settings, measurement);
  } catch (const NoSuchInstance& error) {
    // all ranks throw this at the same launch, so none waits for another
    forget(measurement, Status::failed, error.what());
    kept_.reset();
  }
}

void RankRunner::check_and_time(Call& call, const CaseSubject& subject, const Settings& settings,
                                Measurement* measurement) {
  double checked = 0;
  if (!check(call, subject, settings, measurement, &checked) || settings.check_only) return;
  measurement->first_call = checked;
  time(call, subject, checked, settings, measurement);
  audit(call, subject, settings, measurement);
}

// Audits the case in the same way as on one device (engine/case/audits.hpp).
void RankRunner::audit(const Call& call, const CaseSubject& subject, const Settings& settings,
                       Measurement* measurement) {
  stage(Stage::checking_again);
  AuditedParts parts(*this, call, subject, settings.check_once);
  std::function<void()> synchronise;
  if (team_) synchronise = [this] { team_->synchronise_all(); };
  Audits audits(parts, {*subject.variant, synchronise, clock_}, clock_);
  const double seen = largest(ranks_, median_interval(measurement->call_times).median);
  const double wanted = largest(ranks_, first() && !settings.check_once ? kept_->audits() : 1);
  const Audited audited = audits.run(static_cast<int>(wanted), !settings.check_once, {&seen, 1});
  if (!audited.passed())
    measurement->error = parts.found.error, measurement->tolerance = parts.found.tolerance;
  if (passes(audited, measurement) && leaves_nothing(largest(ranks_, audits.leaves_work()) > 0, measurement))
    use_fresh(audits.calls(), subject.fill != InputFill::uniform, measurement);
  if (measurement->status == Status::ok && first() && kept_->workset->has_fixed_data())
    measurement->warnings.push_back(text_of(Warning::fixed_data, ""));
}

// Takes samples until the first rank's stopping rule ends sampling. A sample begins with a barrier and is the
// time of the slowest rank.
RankRunner::Times RankRunner::sample_together(Call call, parts::Do what, int calls, double expected,
                                              const CaseSubject& subject, const Settings& settings,
                                              std::vector<double> begun) {
  call.parts.what = what;
  Times times{std::move(begun), {}, {}};
  MedianRule rule(settings, expected, clock_step_ / calls);
  const double already = std::accumulate(times.longest.begin(), times.longest.end(), 0.0);
  const double began = clock_.now();
  const auto launch = subject.variant->launch[call.problem.type];
  for (;;) {
    const bool enough = first() && rule.enough(times.longest, already + clock_.now() - began);
    if (largest(ranks_, enough ? 1 : 0) > 0) return times;
    if (subject.cache == CacheMode::cold) host_->flush_caches();
    ranks_.barrier();
    const double start = clock_.now();
    for (int i = 0; i < calls; ++i) {
      launch(call);
      finish();
    }
    const double own = std::max(0.0, clock_.now() - start - clock_cost_) / calls;
    times.own.push_back(own);
    times.longest.push_back(largest(ranks_, own));
    if (ranks_.size < 2) continue;  // with a single rank there is no imbalance
    const double mean = sum(ranks_, own) / ranks_.size;
    times.balance.push_back(times.longest.back() > 0 ? mean / times.longest.back() : 1);
  }
}

// Returns the number of calls per sample. It is the same on all ranks, because all use the longest times and
// the largest clock step.
int RankRunner::calls_of_sample(const Call& call, double expected, const CaseSubject& subject,
                                const Settings& settings) {
  if (subject.cache == CacheMode::cold) return 1;
  const auto timed = [&](int calls) { return launch_together(call, subject, calls); };
  return calls_per_sample(timed, expected, largest(ranks_, clock_step_), settings);
}

void RankRunner::time(const Call& call, const CaseSubject& subject, double checked, const Settings& settings,
                      Measurement* measurement) {
  const bool cold = subject.cache == CacheMode::cold;
  stage(Stage::warming_up);
  std::vector<double> counted;
  double expected = checked;
  if (checked > long_call && !cold) {
    counted.push_back(checked);
    if (checked <= once_from(settings)) counted.push_back(launch_together(call, subject));
    expected = counted.back();
  }
  // If a short call follows a long one, the first call included one-time work, such as connecting to other
  // ranks. More calls then show the expected time.
  if (expected <= long_call) {
    counted.clear();
    for (int i = 0; i < (cold ? 1 : 5); ++i) expected = std::min(expected, launch_together(call, subject));
  }
  stage(Stage::sampling);
  const int calls = calls_of_sample(call, expected, subject, settings);
  measurement->calls_per_sample = calls;
  measurement->clock_step = clock_step_;
  Times all = sample_together(call, parts::Do::all, calls, expected, subject, settings, std::move(counted));
  measurement->call_times = std::move(all.longest);
  if (measurement->cores && *measurement->cores < parts() - 0.01) {
    char detail[64];
    std::snprintf(detail, sizeof detail, "%d ranks use %.3g", parts(), *measurement->cores);
    measurement->warnings.push_back(text_of(Warning::shared_cores, detail));
  }
  if (settings.energy_windows > 0)
    measurement->warnings.push_back(text_of(Warning::no_energy, "it is not measured for ranks or parts"));
  if (first() && taken_) taken_(*measurement);
  if (parts() < 2) return;
  read_states(measurement);
  time_apart(call, calls, expected, subject, settings, std::move(all), measurement);
  const auto says_nothing = [](const Part& part) {
    return !part.compute && !part.exchange && !part.clock && !part.power;
  };
  if (std::all_of(measurement->each.begin(), measurement->each.end(), says_nothing))
    measurement->each.clear();
}

// Measures launches that only compute and launches that only exchange data. `all` contains the samples of
// complete launches.
void RankRunner::time_apart(const Call& call, int calls, double expected, const CaseSubject& subject,
                            const Settings& settings, Times all, Measurement* measurement) {
  if (subject.variant->parts.separable && measurement->work.bytes_sent > 0) {
    stage(Stage::sampling_computation);
    Times compute = sample_together(call, parts::Do::compute, calls, expected, subject, settings);
    measurement->compute_times = std::move(compute.longest);
    const auto computed = launches_of_team(call, parts::Do::compute, subject, measurement->compute_times);
    if (has_processes_) all.balance = std::move(compute.balance);
    for (const std::vector<double>& times : computed)
      if (const double longest = *std::max_element(times.begin(), times.end()); longest > 0)
        all.balance.push_back(std::accumulate(times.begin(), times.end(), 0.0) /
                              static_cast<double>(times.size()) / longest);
    stage(Stage::sampling_exchange);
    Call exchange = call;
    exchange.parts.what = parts::Do::exchange;
    const double once = launch_together(exchange, subject);
    const int calls_of_exchange = calls_of_sample(exchange, once, subject, settings);
    const Times exchanged =
        sample_together(call, parts::Do::exchange, calls_of_exchange, once, subject, settings);
    measurement->exchange_times = exchanged.longest;
    tell(own_parts(computed, compute.own), &Part::compute, measurement);
    tell(own_parts(launches_of_team(call, parts::Do::exchange, subject, exchanged.longest), exchanged.own),
         &Part::exchange, measurement);
  }
  if (!all.balance.empty()) measurement->balance = median_interval(all.balance).median;
}

// Returns the device seconds of each partition of a device group, one list per launch. The result is empty
// for short calls, because launching on one GPU after the other then takes longer than the work.
std::vector<std::vector<double>> RankRunner::launches_of_team(Call call, parts::Do what,
                                                              const CaseSubject& subject,
                                                              const std::vector<double>& times) {
  constexpr double least = 500e-6;  // seconds of the shortest call that is measured
  constexpr int most = 5;
  std::vector<std::vector<double>> launches;
  if (!team_ || has_processes_) return launches;
  const double expected = median_interval(times).median;
  call.parts.what = what;
  for (int i = 0; expected >= least && i < (expected < 0.1 ? most : 1); ++i) {
    team_->begin_times();
    subject.variant->launch[call.problem.type](call);
    launches.push_back(team_->times_of_parts());
  }
  return launches;
}

// Returns the median seconds of each partition in this process. For a device group they come from `launches`,
// for a rank from its `own` samples.
RankRunner::ByPart RankRunner::own_parts(const std::vector<std::vector<double>>& launches,
                                         const std::vector<double>& own) const {
  if (has_processes_) return {median_interval(own).median};
  ByPart parts(static_cast<std::size_t>(of_team_.parts));
  for (std::size_t part = 0; part < parts.size() && !launches.empty(); ++part) {
    std::vector<double> times;
    for (const std::vector<double>& launch : launches) times.push_back(launch[part]);
    parts[part] = median_interval(times).median;
  }
  return parts;
}

// Adds an entry for each partition to the measurement, and reads the clock and power of its GPU.
void RankRunner::read_states(Measurement* measurement) {
  constexpr int most_told_apart = 64;
  if (parts() > most_told_apart) return;
  const std::optional<Place> place = place_of(measurement->what.device);
  for (int part = 0; part < parts(); ++part)
    measurement->each.push_back({has_processes_
                                     ? "rank " + std::to_string(part)
                                     : "gpu" + std::to_string(place->device + part / of_team_.sharing),
                                 {},
                                 {},
                                 {},
                                 {}});
  if (team_) stage(Stage::reading_gpu_state);
  const auto own = static_cast<std::size_t>(has_processes_ ? 1 : parts());
  ByPart clocks(own), powers(own);
  for (std::size_t part = 0; team_ && of_team_.device && part < own; ++part) {
    const GpuState state = read_gpu_state(of_team_.device[part]);
    clocks[part] = state.clock, powers[part] = state.power;
  }
  tell(clocks, &Part::clock, measurement);
  tell(powers, &Part::power, measurement);
}

// Sets the member `what` of all partitions in the measurement. Each process contributes the values of its own
// partitions.
void RankRunner::tell(const ByPart& own, std::optional<double> Part::*what, Measurement* measurement) const {
  for (std::size_t part = 0; part < measurement->each.size(); ++part) {
    std::optional<double>& told = measurement->each[part].*what;
    if (!has_processes_) {
      told = own[part];
      continue;
    }
    const bool is_own = static_cast<int>(part) == ranks_.rank;
    const double value = largest(ranks_, is_own ? own.front().value_or(-1) : -1);
    if (value >= 0) told = value;
  }
}

// Returns the number of cores of all ranks together. A rank counts at most as many cores as it has threads.
double RankRunner::cores() const {
  cpu_set_t set;
  double own = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  if (const char* share = std::getenv("SEXTANT_RANK_CORES")) own = std::atof(share);
  return sum(ranks_, std::min(own, static_cast<double>(openmp_threads())));
}

}  // namespace sextant
