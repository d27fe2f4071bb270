// Computes the figures that tables, exports and reports show, from a measurement's samples.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/results.hpp"
#include "record/statistics.hpp"
#include "record/threads.hpp"
#include "record/visits.hpp"

namespace sextant {

// The limit of a measurement's speed. `memory` and `arithmetic`: the speed is near the measured hardware
// limit. `launch`: it is far from that limit, and the call takes only as long as a few launches, or hardware
// counters show mostly idle memory. `link`: the speed of the links between GPUs.
enum class Limit : std::uint8_t { unknown, memory, arithmetic, launch, link };

constexpr const char* name_of(Limit limit) {
  switch (limit) {
    case Limit::memory:
      return "memory";
    case Limit::arithmetic:
      return "arithmetic";
    case Limit::launch:
      return "launch or latency";
    case Limit::link:
      return "link";
    case Limit::unknown:
      return "";
  }
  return "?";
}

// Result of comparing a measurement with the fastest of its problem: "fastest", "slower", "equal" (within
// equal_within) or "open" (undecided). The fastest itself becomes "equal" or "open" if some other measurement
// is. Empty if nothing competes with it.
struct ProblemOutcome {
  const char* name = "";
  Interval over_fastest;  // this time over the fastest time, with its 95 % interval
  const char* by = "";    // the kind of time that decided: call or device
};

// The number of launches on the same inputs from which preparing a variant for them saves time. The rival is
// the variant with the shortest call time on the same device that needs no such preparation.
struct PaysFrom {
  const Measurement* rival = nullptr;  // the rival; null: none was measured, or nothing is prepared
  std::int64_t launches = 0;  // number of launches; 0: never, because a launch is no faster than the rival's
};

// Units are seconds, bytes and their rates. An interval with 0 samples or an empty optional means unknown,
// never zero.
struct Summary {
  const Measurement* measurement = nullptr;  // points into the summarised Results
  const Session* session = nullptr;
  const KernelDescription* description = nullptr;  // the session's description of the kernel; may be null
  std::string machine, group, model;
  Threads threads;
  bool excluded_from_ranking = false;  // the variant solves a different task and is excluded from ranking
  bool current = true;                 // false: the same machine measured the same case again later
  bool on_host = false;                // true if the variant ran on the CPU
  // The times of the first measurement and of each visit (a short re-measurement in its own process). A
  // single entry means that there were no visits.
  std::vector<VisitTime> visits;
  // If `sextant merge` joined several runs of the same build in one file: the time in each run. The call time
  // is the mean of these times. Empty for a single run.
  std::vector<VisitTime> runs;
  std::size_t processes = 0;  // number of processes that measured the call, in all runs
  // noise of the session's time ratios; null: the session had no visits
  std::shared_ptr<const RatioSpreads> ratio_spreads;
  double spread = 0;  // deviation between processes for such calls (record/visits.hpp)
  Interval call_time, device_time, alloc_time, end_to_end_time, prepare_time;
  // The inputs on which the preparation depends. `sizes` also stands for a variant that prepares nothing. For
  // `structure` and `values`, the end-to-end time includes the preparation.
  DependsOn prepare_depends_on = DependsOn::sizes;
  PaysFrom pays_from;
  // Seconds of the first preparation plus the first call, for variants that prepare something. It includes
  // the cost of a library's first use in a process. The end-to-end time does not include that cost.
  std::optional<double> first_use;
  // Sums over all arrays of each array's median copy time. The pinned times use pinned memory. The others use
  // pageable memory (CUDA) or directives (OpenACC).
  std::optional<double> h2d_time, d2h_time, h2d_pinned_time, d2h_pinned_time;
  std::optional<std::int64_t> h2d_bytes, d2h_bytes;

  // Required bytes and FLOP of the problem per second of device time, or of call time if the device time is
  // unknown.
  std::optional<double> bandwidth, flop_rate;
  // The shortest time that the device's measured ceilings allow, over the measured device time (or call time
  // without a device time). If the fraction exceeds 1, a note explains why. `matrix_units` is true if a
  // double result is compared with the ceiling of the matrix units.
  std::optional<double> ceiling_fraction;
  Limit limit = Limit::unknown;
  bool matrix_units = false;
  std::string above_ceiling;   // explains a fraction above 1; else empty
  std::string why_impossible;  // explains a result more than twice as fast as the ceilings allow; else empty
  // True if the interval and the repeatability of ceilings do not explain why the result is above the
  // ceiling.
  bool beyond_ceiling = false;

  // Median time of a baseline over the median time of this case. Both have the same kernel, problem, machine,
  // cache mode and fill. The serial baseline is serial.baseline. The CPU baseline is the fastest correct host
  // variant that takes part in ranking. A case with a thread setting is compared with a baseline of the same
  // setting. With transfers, the CPU's call time is divided by the end-to-end time (allocation, copies and
  // launch) of this case.
  Interval speedup_serial, speedup_cpu, speedup_serial_with_transfers, speedup_cpu_with_transfers;

  // The result of the comparison with the fastest measurement of this problem.
  ProblemOutcome outcome;
  // Number of ranks or GPUs that share the problem; 0: not split (analysis/summary/scaling.hpp).
  int parts = 0;
  Interval speedup_self, efficiency_self, speedup_best_single, efficiency_best_single;
  std::optional<double> compute_time, exchange_time, exposed_time, hidden_share, bus_bandwidth;

  // Registers per thread, shared memory in bytes and occupancy (0 to 1) of the kernel with the longest time.
  std::optional<int> registers;
  std::optional<std::int64_t> shared_memory;
  std::optional<double> occupancy;

  std::vector<std::string> notes;  // explain why figures are missing

  bool ok() const {
    return measurement->status == Status::ok && call_time.samples > 0 && why_impossible.empty();
  }
  // Returns the time used for rates and for choosing a tuning: device time if known, else call time.
  const Interval& work_time() const { return device_time.samples ? device_time : call_time; }
  // True if preparation takes at least a tenth of a call.
  bool prepares() const { return prepare_time.samples && prepare_time.median >= 0.1 * call_time.median; }
  // Returns the seconds to prepare once for new inputs. If there are several preparations, the first is
  // excluded, because it may include the process's first use of a library.
  double preparation() const;
  // Returns the time that a caller waits for a single use if the data are on the host. On devices, this is
  // the end-to-end time. On the CPU it is the call time, unless the variant prepares for its inputs and has
  // an end-to-end time.
  const Interval& time_with_transfers() const {
    return on_host && !end_to_end_time.samples ? call_time : end_to_end_time;
  }
};

// Summaries in the order of the measurements. They point into `results`, which must outlive them.
std::vector<Summary> summarise(const Results& results);

// Removes the summaries of cases whose inputs `run --fill` chose.
std::vector<Summary> with_usual_inputs(std::vector<Summary> summaries);

// Summarises one measurement with the given ceilings. `prepares_for` says what the variant's preparation
// depends on. The result holds no pointers.
Summary held_against(const std::vector<Ceiling>& ceilings, const Measurement& measurement,
                     DependsOn prepares_for = DependsOn::sizes);

// Names and values of the problem's parameters that users can choose.
std::vector<std::pair<std::string, std::int64_t>> parameters_of(const Summary& summary);

// Returns a key of machine, kernel, type, size or class, parameters, cache mode and fill. Two measurements
// are comparable if their keys and their threads are equal.
std::string problem_key(const Summary& summary);

// Identifies the code that was measured: version, compilers and flags of the build. For a user kernel, also
// the checksum of its library or file.
std::string build_of(const Summary& summary);

// Compares the call times of `slow` and `fast`.
Contest contest_of_calls(const Summary& slow, const Summary& fast);

// True if the measurement may be the best CPU version of its problem.
bool is_cpu_version(const Summary& summary);

// True if the case was skipped because the machine lacks the device.
bool lacks_device(const Summary& summary);

// Sets the speed-ups over the best CPU versions: `best` by call time, `best_once` by the time of a single
// use. Null means that there is none.
void set_best_cpu(const Summary* best, const Summary* best_once, Summary* summary);

}  // namespace sextant
