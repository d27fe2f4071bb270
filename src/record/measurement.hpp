// The result of measuring a case.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/case.hpp"
#include "suite/kernel.hpp"

namespace sextant {

// Result of a case. `impossible` means that the result is correct, but the time is shorter than the device's
// peak rates allow.
enum class Status : std::uint8_t { ok, wrong, skipped, failed, timed_out, impossible };

constexpr const char* name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong:
      return "wrong";
    case Status::skipped:
      return "skipped";
    case Status::failed:
      return "failed";
    case Status::timed_out:
      return "timed_out";
    case Status::impossible:
      return "impossible";
  }
  return "?";
}

// The timed copies of one array in one direction by one method. `times` are seconds, one per repetition.
struct Transfer {
  std::string array;
  bool to_device = true;
  std::string method;  // how it is copied: "pageable", "pinned" or "directive"
  std::int64_t bytes = 0;
  std::vector<double> times;
};

// A GPU kernel that the variant launched, according to CUPTI's activity records. Launches with the same name,
// grid and block are counted together.
struct KernelLaunch {
  std::string name;
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;               // number of registers per thread
  std::int64_t shared_memory = 0;  // bytes of shared memory per block, static plus dynamic
  double occupancy = 0;            // theoretical occupancy, 0 to 1
  // seconds of all executions of this kernel in one call of the variant (median over the device samples)
  double time = 0;
  std::int64_t count = 1;  // executions of this kernel in one call of the variant
};

// A phase that the variant reports by name (setup, fft, checksum, …). `times` are seconds, one per sample.
struct Phase {
  std::string name;
  std::vector<double> times;
};

// One partition of a problem that several ranks or GPUs compute.
//   - `device` is the GPU, or a process such as "rank 2".
//   - `compute` and `exchange` are seconds of launches that only compute, or only exchange data.
//   - `clock` (Hz) and `power` (watts) are read from the GPU after sampling.
struct Part {
  std::string device;
  std::optional<double> compute, exchange, clock, power;
};

// A short repeated measurement of a case in a later process (record/visits.hpp).
struct Visit {
  int process = 0;                 // number of the process in its session, from 1
  std::vector<double> call_times;  // seconds of calls on inputs that were used before
};

// A group of consecutive samples, and the state of the GPU while they were taken.
struct SampleGroup {
  int samples = 0;
  std::optional<double> clock;    // mean clock of a multiprocessor in Hz
  std::optional<bool> throttled;  // true if the GPU lowered its clock, for example at its power limit
};

// The state of the GPU while one process sampled a case. Each group of an audited call has one sample; groups
// of shorter calls take a few milliseconds. A call that was also the check belongs to no group.
struct SampledState {
  int process = 0;                           // 0: the first process, else Visit::process
  std::vector<SampleGroup> groups;           // in the order of sampling
  std::optional<double> power, temperature;  // means over the samples, in watts and degrees Celsius
  std::string throttle_reasons;              // joined by ", "; empty if the GPU was not throttled
};

// How thoroughly a case was timed.
// - `measured`: All samples were taken.
// - `stopped_early`: Sampling stopped because another case is clearly faster. Stored as "screened".
// - `checked_only`: Only the calls of the check were timed, and they were too slow. Stored as "glanced".
enum class Effort : std::uint8_t { measured, stopped_early, checked_only };

constexpr const char* name_of(Effort effort) {
  return effort == Effort::measured ? "measured" : effort == Effort::stopped_early ? "screened" : "glanced";
}

// Whether other GPUs were busy while a case was timed, in a run on several GPUs.
// - `alone`: No other GPU was busy.
// - `calls_alone`: Other GPUs were busy, but not during the timed calls.
// - `undisturbed`: Other GPUs were busy. A test showed that this changes no time.
// - `calls_disturbed`: Other GPUs were busy. A test showed that this changes short call times only.
// - `not_tried`: Other GPUs were busy. The effect was not tested.
enum class Isolation : std::uint8_t { alone, calls_alone, undisturbed, calls_disturbed, not_tried };

constexpr const char* name_of(Isolation isolation) {
  switch (isolation) {
    case Isolation::alone:
      return "alone";
    case Isolation::calls_alone:
      return "calls alone";
    case Isolation::undisturbed:
      return "beside others";
    case Isolation::calls_disturbed:
      return "calls disturbed";
    case Isolation::not_tried:
      return "not tried";
  }
  return "?";
}

// Times are in seconds, sizes in bytes. An empty vector or optional means unknown, never zero.
struct Measurement {
  Case what;
  Status status = Status::skipped;
  std::string reason;                   // why the case has its status; set for every status except ok
  Effort effort = Effort::measured;     // results files contain only cases with Effort::measured
  std::optional<bool> standard_tuning;  // true for the default tuning of this problem

  // Largest error relative to its tolerance, over all elements. NaN outputs give infinity.
  double error = 0;
  double tolerance = 0;  // tolerance of the element with that error
  std::uint64_t seed = 0;

  // seconds on the host's clock, from the call until the result is ready
  std::vector<double> call_times;
  // Call times on inputs that the variant has processed before. Stored only if they are shorter than
  // call_times, which then are times on fresh inputs.
  std::vector<double> seen_times;
  // repeated measurements in later processes; all other members come from the first process
  std::vector<Visit> visits;
  // State of the GPU while call_times (or seen_times, if they are set) and visits were taken.
  std::vector<SampledState> states;
  // Seconds of single calls, each after a pause of `gap` seconds without work, and the device's own seconds
  // of further such calls. Empty unless --gap asks for them.
  double gap = 0;
  std::vector<double> gap_times, gap_device_times;
  // Energy of a call in joules and its duration in seconds, one value per window of `energy_window` seconds
  // of calls in a row. Also the watts that the device draws without work. Empty unless --energy asks for
  // them.
  std::vector<double> energies, energy_times;
  double energy_window = 0;
  std::optional<double> idle_power;
  // Seconds of calls before the first sample until the clock and the temperature were steady; --steady asks
  // for them.
  std::optional<double> steady_after;
  int calls_per_sample = 1;  // number of consecutive calls whose mean is one call time
  double clock_step = 0;     // resolution of the host's clock in seconds; 0: unknown
  // Seconds of the variant's `prepare`, one per execution. The first may include loading a library.
  std::vector<double> prepare_times;
  std::optional<double> first_call;  // seconds of the first call after the first prepare
  std::vector<double> device_times;  // seconds that the device itself spent, one per call
  std::vector<Transfer> transfers;
  std::vector<double> alloc_times;  // seconds to allocate all arrays of the problem
  // Seconds of a single use: allocate, copy in, prepare, call, copy out and free. `prepare` counts only if it
  // depends on the inputs. Empty for CPU variants without such a preparation.
  std::vector<double> end_to_end_times;
  std::vector<KernelLaunch> launches;
  std::vector<Phase> phases;
  std::vector<std::pair<std::string, double>> counters;  // hardware counters of one call; on a CPU, threads
  Work work;

  // The next members are for a problem that is partitioned over several ranks or GPUs. Times are those of the
  // slowest partition, in seconds of calls that only compute or only exchange data.
  std::vector<double> compute_times, exchange_times;
  // Mean compute time of the partitions divided by the longest, without waiting for others.
  std::optional<double> balance;
  std::optional<double> cores;  // number of cores of all ranks together
  std::optional<int> nodes;     // number of machines on which the ranks run
  std::vector<Part> each;       // one entry per partition, if known

  std::optional<Isolation> isolation;  // set in a run on several devices

  // Means over the samples of the first process, on a GPU.
  std::optional<double> clock;        // clock of the multiprocessors in Hz
  std::optional<double> temperature;  // in degrees Celsius
  std::optional<double> power;        // in watts
  std::vector<std::string> warnings;  // texts about noise, throttling and so on; each names a remedy
  std::string timestamp;              // time of the measurement in ISO 8601, UTC
};

// Returns the mean clock of the samples in Hz.
inline std::optional<double> clock_of(const SampledState& state) {
  double sum = 0, samples = 0;
  for (const SampleGroup& group : state.groups)
    if (group.clock) sum += *group.clock * group.samples, samples += group.samples;
  return samples > 0 ? std::optional<double>(sum / samples) : std::nullopt;
}

// Returns the fraction of the samples that were taken while the GPU was throttled. Empty if unknown.
inline std::optional<double> throttled_share(const Measurement& one) {
  double throttled = 0, samples = 0;
  for (const SampledState& state : one.states)
    for (const SampleGroup& group : state.groups)
      if (group.throttled) throttled += *group.throttled ? group.samples : 0, samples += group.samples;
  return samples > 0 ? std::optional<double>(throttled / samples) : std::nullopt;
}

// The lowest and the highest clock of a group of samples in Hz.
struct ClockRange {
  std::optional<double> low, high;
};
inline ClockRange clock_range(const Measurement& one) {
  ClockRange range;
  for (const SampledState& state : one.states)
    for (const SampleGroup& group : state.groups) {
      if (!group.clock) continue;
      if (!range.low || *group.clock < *range.low) range.low = group.clock;
      if (!range.high || *group.clock > *range.high) range.high = group.clock;
    }
  return range;
}

// Returns the reasons of the first process, which alone asks the driver. Empty if there were none.
inline std::string throttle_reasons(const Measurement& one) {
  return one.states.empty() ? std::string() : one.states.front().throttle_reasons;
}

// Returns true if copies were timed, but the end-to-end time was not. A search for the best tuning skips that
// time for slow tunings. The time limit of a case can also prevent it.
inline bool lacks_pass(const Measurement& one) {
  return one.status == Status::ok && !one.alloc_times.empty() && one.end_to_end_times.empty();
}

}  // namespace sextant
