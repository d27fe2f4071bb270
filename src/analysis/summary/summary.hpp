// From samples to figures: one row a measurement, with everything that tables, export and reports show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/results.hpp"
#include "record/statistics.hpp"
#include "record/threads.hpp"
#include "record/visits.hpp"

namespace sextant {

// What keeps a measurement from being faster. launch: no ceiling is near, and its time is that of a few
// launches, or the counters say that memory waits. link: what a GPU of several must send.
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

// Seconds, bytes, per second. An interval of 0 samples and an empty optional: not known, never zero.
struct Summary {
  const Measurement* measurement = nullptr;  // in the Results that were summarised
  const Session* session = nullptr;
  const KernelDescription* description = nullptr;  // of the kernel by that session; null: it has none
  std::string machine, group, model;
  Threads threads;
  bool aside = false;    // the variant answers another question: no kernel's best
  bool current = true;   // false: the same machine measured the same case again later
  bool on_host = false;  // ran on the CPU

  std::vector<VisitTime> visits;  // of the call, its first stay among them; one alone: there was no visit
  double spread = 0;              // by how much processes differ in calls of its kind (record/visits.hpp)
  Interval call_time, device_time, alloc_time, end_to_end_time, prepare_time;
  // Of a variant that prepares something: the first preparation and the first call, which pay for what only a
  // process's first use of a library costs. End-to-end time has neither in it.
  std::optional<double> first_use;
  // Sums over the arrays of the medians of the plain method: pageable for CUDA, directive for OpenACC; then
  // pinned.
  std::optional<double> h2d_time, d2h_time, h2d_pinned_time, d2h_pinned_time;
  std::optional<std::int64_t> h2d_bytes, d2h_bytes;

  // What the problem asks for (bytes that must move, FLOP) over the device's time, or the call's where that
  // is not known.
  std::optional<double> bandwidth, flop_rate;
  // The time that the device's measured ceilings allow, over the same time; `matrix_units`: doubles were held
  // against those. Above 1 a note says why that can be.
  std::optional<double> ceiling_fraction;
  Limit limit = Limit::unknown;
  bool matrix_units = false;
  std::string above_ceiling;   // the reason; empty where the fraction is at most 1
  std::string why_impossible;  // more than twice as fast as the ceilings allow; empty: it is not
  bool beyond_ceiling =
      false;  // above it by more than its interval and two measurements of a ceiling explain

  // Baseline's median over this one's, at the same kernel, problem, machine and cache. Serial:
  // serial.baseline. CPU: the fastest correct version that runs on the host, asides excluded; with the same
  // threads, for a case that has threads. With transfers: the CPU's call against this one's whole pass of
  // allocation, copies and launch.
  Interval speedup_serial, speedup_cpu, speedup_serial_with_transfers, speedup_cpu_with_transfers;

  // Of a problem in parts (analysis/summary/scaling.hpp).
  int parts = 0;  // with a process or a GPU each; 0: it was computed whole
  Interval speedup_self, efficiency_self, speedup_best_single, efficiency_best_single;
  std::optional<double> compute_time, exchange_time, exposed_time, hidden_share, bus_bandwidth;

  // Of the launch's longest kernel.
  std::optional<int> registers;
  std::optional<std::int64_t> shared_memory;
  std::optional<double> occupancy;

  std::vector<std::string> notes;  // why a figure is missing

  bool ok() const {
    return measurement->status == Status::ok && call_time.samples > 0 && why_impossible.empty();
  }
  // The time that counts for bandwidth and for choosing a tuning: the device's if known, else the call's.
  const Interval& work_time() const { return device_time.samples ? device_time : call_time; }
  // Whether what is prepared is worth telling: a tenth of a call at least.
  bool prepares() const { return prepare_time.samples && prepare_time.median >= 0.1 * call_time.median; }
  // What a caller waits for with its data on the host: the call on the CPU, the whole pass elsewhere.
  const Interval& time_with_transfers() const { return on_host ? call_time : end_to_end_time; }
};

// In the order of the measurements. The summaries point into `results`, which must outlive them.
std::vector<Summary> summarise(const Results& results);

// A measurement by itself with these ceilings of its session; it points to nothing.
Summary held_against(const std::vector<Ceiling>& ceilings, const Measurement& measurement);

// The parameters of the problem that users choose, by name.
std::vector<std::pair<std::string, std::int64_t>> parameters_of(const Summary& summary);

// Equal for measurements that may be compared if their threads are, too: machine, kernel, type, size or
// class, parameters and cache.
std::string problem_key(const Summary& summary);

// The call of `slow` held against that of `fast`.
Contest contest_of_calls(const Summary& slow, const Summary& fast);

// Whether it may be the best CPU version of its problem.
bool is_cpu_version(const Summary& summary);

// Whether it was skipped since the machine has no such device.
bool lacks_device(const Summary& summary);

// Sets the speed-ups over the best CPU version; null: there is none.
void set_best_cpu(const Summary* best, Summary* summary);

}  // namespace sextant
