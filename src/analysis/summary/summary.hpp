// Computes from a measurement's samples all figures that tables, exports and reports show.
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

// The limit on the speed of a measurement. `launch`: no ceiling is near, and either the time is a few
// launches long or the counters show idle memory. `link`: data sent between GPUs.
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

// A measurement against the fastest of its problem: "fastest", "slower", "equal" (within equal_within) or
// "open". The fastest itself is "equal" or "open" if another one is. Empty: nothing competes with it.
struct ProblemOutcome {
  const char* name = "";
  Interval over_fastest;  // its time over that of the fastest, 95 %
  const char* by = "";    // the time that decided: call or device
};

// Units are seconds, bytes and their rates. An interval with 0 samples or an empty optional means unknown,
// never zero.
struct Summary {
  const Measurement* measurement = nullptr;  // in the Results that were summarised
  const Session* session = nullptr;
  const KernelDescription* description = nullptr;  // the session's description of the kernel; null: none
  std::string machine, group, model;
  Threads threads;
  bool aside = false;    // the variant solves a different task and is excluded from ranking
  bool current = true;   // false: the same machine measured the same case again later
  bool on_host = false;  // ran on the CPU
  // Times of the first measurement and of each visit (a short re-measurement in its own process). A single
  // entry: no visits.
  std::vector<VisitTime> visits;
  // Times of all runs of one build that a file joins (`sextant merge`), one for each session; empty for a
  // single run. The call time is then their mean.
  std::vector<VisitTime> runs;
  std::size_t processes = 0;                          // that measured the call, in all runs
  std::shared_ptr<const RatioSpreads> ratio_spreads;  // of the session; null: it had no visits
  double spread = 0;  // deviation between processes for such calls (record/visits.hpp)
  Interval call_time, device_time, alloc_time, end_to_end_time, prepare_time;
  // First preparation plus first call, for variants that prepare something. It includes one-time costs of a
  // library in a process. End-to-end time includes neither.
  std::optional<double> first_use;
  // Sums over the arrays of each array's median. The plain times use pageable memory (CUDA) or directives
  // (OpenACC), the pinned times pinned memory.
  std::optional<double> h2d_time, d2h_time, h2d_pinned_time, d2h_pinned_time;
  std::optional<std::int64_t> h2d_bytes, d2h_bytes;

  // Required bytes and FLOP of the problem divided by the device time, or by the call time if that is
  // unknown.
  std::optional<double> bandwidth, flop_rate;
  // Shortest time that the device's measured ceilings allow, over the same time. Above 1, a note explains
  // why. `matrix_units`: the ceiling for double is that of the matrix units.
  std::optional<double> ceiling_fraction;
  Limit limit = Limit::unknown;
  bool matrix_units = false;
  std::string above_ceiling;   // the explanation; empty if the fraction is at most 1
  std::string why_impossible;  // set if more than twice as fast as the ceilings allow; else empty
  // Faster than the ceiling by more than the interval and the repeatability of ceilings explain.
  bool beyond_ceiling = false;

  // Baseline median over this median, for the same kernel, problem, machine and cache mode. Serial: over
  // serial.baseline. CPU: over the fastest correct host variant, without variants excluded from ranking. A
  // case with threads is compared at the same threads. With transfers: the CPU's call over this end-to-end
  // time (allocation, copies and launch).
  Interval speedup_serial, speedup_cpu, speedup_serial_with_transfers, speedup_cpu_with_transfers;

  // For problems on several ranks or GPUs (analysis/summary/scaling.hpp).
  ProblemOutcome outcome;
  int parts = 0;  // number of ranks or GPUs; 0: not split
  Interval speedup_self, efficiency_self, speedup_best_single, efficiency_best_single;
  std::optional<double> compute_time, exchange_time, exposed_time, hidden_share, bus_bandwidth;

  // Registers per thread, shared memory in bytes and occupancy (0 to 1) of the launch's longest kernel.
  std::optional<int> registers;
  std::optional<std::int64_t> shared_memory;
  std::optional<double> occupancy;

  std::vector<std::string> notes;  // why figures are missing

  bool ok() const {
    return measurement->status == Status::ok && call_time.samples > 0 && why_impossible.empty();
  }
  // The time used for rates and for choosing a tuning: device time if known, else call time.
  const Interval& work_time() const { return device_time.samples ? device_time : call_time; }
  // True if preparation takes at least a tenth of a call.
  bool prepares() const { return prepare_time.samples && prepare_time.median >= 0.1 * call_time.median; }
  // The caller's wait if its data are on the host: call time on the CPU, end-to-end time elsewhere.
  const Interval& time_with_transfers() const { return on_host ? call_time : end_to_end_time; }
};

// Summaries in the order of the measurements. They point into `results`, which must outlive them.
std::vector<Summary> summarise(const Results& results);

// Summarises one measurement with its session's ceilings. The result holds no pointers.
Summary held_against(const std::vector<Ceiling>& ceilings, const Measurement& measurement);

// The problem's parameters that users choose, with their names.
std::vector<std::pair<std::string, std::int64_t>> parameters_of(const Summary& summary);

// A key of machine, kernel, type, size or class, parameters and cache mode. Measurements with equal keys and
// equal threads are comparable.
std::string problem_key(const Summary& summary);

// Identifies the code that was measured: version, compilers and flags of the build, and of a user kernel the
// checksum of its library or file.
std::string build_of(const Summary& summary);

// Compares the call times of `slow` and `fast`.
Contest contest_of_calls(const Summary& slow, const Summary& fast);

// True if the measurement may be the best CPU version of its problem.
bool is_cpu_version(const Summary& summary);

// True if the case was skipped because the machine lacks the device.
bool lacks_device(const Summary& summary);

// Sets the speed-ups over the best CPU version; null: none exists.
void set_best_cpu(const Summary* best, Summary* summary);

}  // namespace sextant
