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

// impossible: the result is correct, but the time is below what the device can reach, so something else was
// timed.
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

// The copies of one array in one direction by one method. Times are in seconds, one per repetition.
struct Transfer {
  std::string array;
  bool to_device = true;
  std::string method;  // pageable, pinned, directive.
  std::int64_t bytes = 0;
  std::vector<double> times;
};

// A kernel that a variant's launch ran on the device, according to activity records. Entries are in order of
// the first occurrence of each combination of name, grid and block.
struct KernelLaunch {
  std::string name;
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;               // Per thread.
  std::int64_t shared_memory = 0;  // Bytes per block, static plus dynamic.
  double occupancy = 0;            // Theoretical, 0 to 1.
  double time = 0;  // Seconds, sum over all runs of this kernel in a launch; median of the device samples.
  std::int64_t count = 1;  // Runs of this kernel in one launch of the variant.
};

// A phase that a program reports (setup, fft, checksum, …): seconds, one value per sample.
struct Phase {
  std::string name;
  std::vector<double> times;
};

// One part of a problem that several ranks or GPUs share.
// `device` is the GPU, or a process such as "rank 2".
// `compute` and `exchange` are seconds by the part's own clock in launches where all parts only compute, or
// only exchange. `clock` (Hz) and `power` (watts) are the GPU's, read after sampling.
struct Part {
  std::string device;
  std::optional<double> compute, exchange, clock, power;
};

// A short further measurement of a case, in another process than the first one (record/visits.hpp).
struct Visit {
  int process = 0;                 // Number of the process in its session, from 1.
  std::vector<double> call_times;  // Seconds, of calls on inputs that the variant has processed before.
};

// The extent to which a case was timed.
// - `measured`: All samples were taken.
// - `screened`: Sampling was stopped early, because other cases are faster.
// - `glanced`: Only the check's executions were timed, because they were already too slow.
enum class Effort : std::uint8_t { measured, screened, glanced };

constexpr const char* name_of(Effort effort) {
  return effort == Effort::measured ? "measured" : effort == Effort::screened ? "screened" : "glanced";
}

// States whether other GPUs were busy while a case was timed in a run on several GPUs.
// - `alone`: No other GPU was busy.
// - `calls_alone`: Other GPUs were busy, but not during the timed calls.
// - `undisturbed`: Other GPUs were busy, and a test found that this changes no time.
// - `calls_disturbed`: Other GPUs were busy, and a test found that this changes call times as short as these,
// but no device time.
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
  std::string reason;                   // Set for every status but ok.
  Effort effort = Effort::measured;     // Results files contain only cases with Effort::measured.
  std::optional<bool> standard_tuning;  // True if the tuning was the variant's default for this problem.

  // Error of the element that the check found closest to its tolerance, or furthest beyond it. NaN outputs
  // give infinity.
  double error = 0;
  double tolerance = 0;  // The tolerance of that element.
  std::uint64_t seed = 0;

  std::vector<double> call_times;  // Host clock, from the call until the result is ready, launch included.
  // Call times on inputs that the variant has processed before. They are kept only if they are shorter than
  // call_times, which are then times on fresh inputs.
  std::vector<double> seen_times;
  std::vector<Visit> visits;  // After the first process, which all other fields describe.
  int calls_per_sample = 1;   // Each call time is the mean of this many consecutive calls.
  double clock_step = 0;      // Resolution of the host clock in seconds; 0: unknown.
  // Durations of the variant's `prepare`. The first one includes the cost of a process's first use of a
  // library.
  std::vector<double> prepare_times;
  std::optional<double> first_call;  // Seconds of the first call after the first prepare.
  std::vector<double> device_times;  // Time that the device itself spent.
  std::vector<Transfer> transfers;
  std::vector<double> alloc_times;       // Allocation of all arrays of the problem.
  std::vector<double> end_to_end_times;  // One pass: allocate, copy in, launch, copy out, free.
  std::vector<KernelLaunch> launches;
  std::vector<Phase> phases;
  std::vector<std::pair<std::string, double>> counters;  // Hardware counters of one launch, by name.
  Work work;

  // The fields below are for a problem that several ranks or GPUs share. Their times belong to the slowest
  // part.
  std::vector<double> compute_times, exchange_times;  // Launches that only compute, or only exchange.
  // Mean time of the parts divided by the longest, where each part runs its own work only.
  std::optional<double> balance;
  std::optional<double> cores;  // Total cores of all ranks.
  std::optional<int> nodes;     // Machines that the ranks run on.
  std::vector<Part> each;       // One entry per part, if the parts are known separately.

  std::optional<Isolation> isolation;  // Set in a run on several devices.

  std::optional<double> clock;        // Hz, of the device during sampling.
  std::optional<double> temperature;  // Degrees Celsius.
  std::optional<double> power;        // Watts
  std::vector<std::string> warnings;  // Noise, throttling, …; each text names a remedy.
  std::string timestamp;              // ISO 8601, UTC.
};

// True if copies were timed, but the end-to-end pass was not. A search for tunings times that pass only for
// the default and the fastest tuning. Cases that the time limit cut short lack it, too.
inline bool lacks_pass(const Measurement& one) {
  return one.status == Status::ok && !one.alloc_times.empty() && one.end_to_end_times.empty();
}

}  // namespace sextant
