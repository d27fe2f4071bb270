// The result of measuring a case. The engine makes this plain data, the store keeps it, and the analysis
// reads it.
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

// Result of a case. `impossible` means that the result is correct but faster than the device's peak rates
// allow, so the measured time cannot be that of the computation.
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

// The copies of one array in one direction by one method. `times` are seconds, one for each repetition.
struct Transfer {
  std::string array;
  bool to_device = true;
  std::string method;  // how it is copied: "pageable", "pinned" or "directive"
  std::int64_t bytes = 0;
  std::vector<double> times;
};

// A GPU kernel that the variant's launch executed, according to activity records. A list of these is in order
// of the first occurrence of each combination of name, grid and block.
struct KernelLaunch {
  std::string name;
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;               // number of registers per thread
  std::int64_t shared_memory = 0;  // bytes of shared memory per block, static plus dynamic
  double occupancy = 0;            // theoretical occupancy, 0 to 1
  // seconds of all executions of this kernel in one launch of the variant: the median of the device samples
  double time = 0;
  std::int64_t count = 1;  // number of executions of this kernel in one launch of the variant
};

// A phase that the variant reports by name (setup, fft, checksum, …). `times` are seconds, one for each
// sample.
struct Phase {
  std::string name;
  std::vector<double> times;
};

// One partition of a problem that several ranks or GPUs compute.
//   - `device` is the GPU, or a process such as "rank 2".
//   - `compute` and `exchange` are seconds on the partition's own clock, in launches where all partitions
//     only compute, or only exchange data.
//   - `clock` (Hz) and `power` (watts) are read from the GPU after sampling.
struct Part {
  std::string device;
  std::optional<double> compute, exchange, clock, power;
};

// A short repeated measurement of a case in another process than the first one (record/visits.hpp).
struct Visit {
  int process = 0;                 // number of the process within its session, from 1
  std::vector<double> call_times;  // seconds of calls on inputs that the variant has processed before
};

// How thoroughly a case was timed.
// - `measured`: All samples were taken.
// - `stopped_early`: Sampling stopped early, because other cases are faster. Stored as "screened".
// - `checked_only`: Only the executions of the check were timed, because they were already too slow. Stored
// as
//   "glanced".
enum class Effort : std::uint8_t { measured, stopped_early, checked_only };

constexpr const char* name_of(Effort effort) {
  return effort == Effort::measured ? "measured" : effort == Effort::stopped_early ? "screened" : "glanced";
}

// Tells if other GPUs were busy while a case was timed in a run on several GPUs.
// - `alone`: No other GPU was busy.
// - `calls_alone`: Other GPUs were busy, but not during the timed calls.
// - `undisturbed`: Other GPUs were busy, and a test found that this changes no time.
// - `calls_disturbed`: Other GPUs were busy. A test found that this changes call times as short as these, but
//   no device time.
// - `not_tried`: Other GPUs were busy, and the effect was not tested.
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
  std::optional<bool> standard_tuning;  // true if the tuning was the variant's default for this problem

  // Error of the element that is closest to its tolerance, or furthest beyond it. NaN outputs give infinity.
  double error = 0;
  double tolerance = 0;  // tolerance of the element with that error
  std::uint64_t seed = 0;

  // seconds on the host's clock, from the call until the result is ready, launch included
  std::vector<double> call_times;
  // Call times on inputs that the variant has processed before. They are kept only if they are shorter than
  // call_times, which then contains the times on fresh inputs.
  std::vector<double> seen_times;
  // repeated measurements in later processes; all other members describe the first process
  std::vector<Visit> visits;
  int calls_per_sample = 1;  // number of consecutive calls whose mean is one call time
  double clock_step = 0;     // resolution of the host's clock in seconds; 0: unknown
  // Seconds of the variant's `prepare`, one for each execution. The first one includes the cost of the
  // process's first use of a library.
  std::vector<double> prepare_times;
  std::optional<double> first_call;  // seconds of the first call after the first prepare
  std::vector<double> device_times;  // seconds that the device itself spent, one for each launch
  std::vector<Transfer> transfers;
  std::vector<double> alloc_times;  // seconds to allocate all arrays of the problem
  // Seconds of a single use: allocate, copy in, launch, copy out and free. They include `prepare` if it
  // depends on the inputs' structure or values. Empty for CPU variants without such a preparation, whose
  // single use is a call.
  std::vector<double> end_to_end_times;
  std::vector<KernelLaunch> launches;
  std::vector<Phase> phases;
  std::vector<std::pair<std::string, double>> counters;  // hardware counters of one launch; on a CPU, threads
  Work work;

  // The next members are for a problem that is partitioned over several ranks or GPUs. Their times are those
  // of the slowest partition. compute_times and exchange_times are seconds of launches that only compute, or
  // only exchange data.
  std::vector<double> compute_times, exchange_times;
  // Mean time of the partitions divided by the longest. The times exclude waiting for other partitions.
  std::optional<double> balance;
  std::optional<double> cores;  // number of cores of all ranks together
  std::optional<int> nodes;     // number of machines on which the ranks run
  std::vector<Part> each;       // one entry per partition, if they are known separately

  std::optional<Isolation> isolation;  // set in a run on several devices

  std::optional<double> clock;        // clock of the device during sampling in Hz
  std::optional<double> temperature;  // temperature of the device in degrees Celsius
  std::optional<double> power;        // power of the device in watts
  std::vector<std::string> warnings;  // texts about noise, throttling and so on; each names a remedy
  std::string timestamp;              // time of the measurement in ISO 8601, UTC
};

// Returns true if copies were timed, but the end-to-end pass was not. A search for the best tuning times that
// pass only for the default and the fastest tuning. It is also missing if the time limit cut a case short.
inline bool lacks_pass(const Measurement& one) {
  return one.status == Status::ok && !one.alloc_times.empty() && one.end_to_end_times.empty();
}

}  // namespace sextant
