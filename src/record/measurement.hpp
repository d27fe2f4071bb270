// What came of a case: plain data that the engine makes, the store keeps and the analysis reads.
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

// impossible: right, and faster than its device can be, so that its times are of something else.
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

// One array's copies in one direction by one method; times in seconds, one a repetition.
struct Transfer {
  std::string array;
  bool to_device = true;
  std::string method;  // pageable, pinned, directive
  std::int64_t bytes = 0;
  std::vector<double> times;
};

// What a launch put on the device, from the activity records: its kernels in the order in which each name,
// grid and block first came.
struct KernelLaunch {
  std::string name;
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;               // per thread
  std::int64_t shared_memory = 0;  // bytes per block, static and dynamic
  double occupancy = 0;            // theoretical, 0 to 1
  double time = 0;                 // seconds, all of them together, median over the device samples
  std::int64_t count = 1;          // how often the variant's one launch ran it
};

// Phases a program reports (setup, fft, checksum, …): seconds, one value a sample.
struct Phase {
  std::string name;
  std::vector<double> times;
};

// A part of a problem in parts: its GPU, or "rank 2", a process; seconds that it takes where all do nothing
// but compute, or but exchange, by its own clock; its GPU's clock, Hz, and power, watts, after sampling.
struct Part {
  std::string device;
  std::optional<double> compute, exchange, clock, power;
};

// A short stay at a case in another process than its first one (record/visits.hpp).
struct Visit {
  int process = 0;                 // of its session, counted from 1
  std::vector<double> call_times;  // seconds, of calls on inputs that the variant has seen
};

// How far the timing of a case went: to its end, or only as far as it took to see that others are faster.
enum class Effort : std::uint8_t { measured, screened, glanced };

constexpr const char* name_of(Effort effort) {
  return effort == Effort::measured ? "measured" : effort == Effort::screened ? "screened" : "glanced";
}

// What other GPUs did while a case of a run on several was timed: nothing; they ran, but not beside its
// calls; they ran, which was found to move nothing; which was found to move calls as short as these, but no
// time on the device; they ran, and whether that moves anything was not tried.
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

// Everything in seconds, bytes and counts. Empty vectors and empty optionals: not known (never zero).
struct Measurement {
  Case what;
  Status status = Status::skipped;
  std::string reason;                   // for every status but ok
  Effort effort = Effort::measured;     // results files hold whole measurements alone
  std::optional<bool> standard_tuning;  // whether it was the variant's default for this problem

  // The check's: of the element that came closest to, or went furthest beyond, what is allowed; NaN outputs
  // give infinity.
  double error = 0;
  double tolerance = 0;  // what is allowed there
  std::uint64_t seed = 0;

  std::vector<double> call_times;  // host clock: call until the result is ready, launch included
  // Where calls on inputs that the variant has seen are faster: their times; call_times are then those on
  // fresh inputs.
  std::vector<double> seen_times;
  std::vector<Visit> visits;          // after the stay that all else here is of
  int calls_per_sample = 1;           // so many calls in a row make a call time, which is their mean
  double clock_step = 0;              // seconds, the host clock's; 0: not known
  std::vector<double> prepare_times;  // the variant's `prepare` until it is done; the first holds what only a
                                      // process's first use of a library costs
  std::optional<double> first_call;   // seconds, the first call after the first prepare
  std::vector<double> device_times;   // what the device spent
  std::vector<Transfer> transfers;
  std::vector<double> alloc_times;       // all arrays of the problem
  std::vector<double> end_to_end_times;  // allocate, copy in, launch, copy out, free: one pass
  std::vector<KernelLaunch> launches;
  std::vector<Phase> phases;
  std::vector<std::pair<std::string, double>> counters;  // hardware counters of one launch by name
  Work work;

  // Of a problem in parts. All times are of the part that took longest.
  std::vector<double> compute_times, exchange_times;  // of launches that did nothing else
  std::optional<double> balance;  // the parts' mean time over the longest, of what each does by itself
  std::optional<double> cores;    // that all ranks have together
  std::optional<int> nodes;       // machines that the ranks are on
  std::vector<Part> each;         // where they are told apart

  std::optional<Isolation> isolation;  // of a run that was dealt to several devices

  std::optional<double> clock;        // Hz, of the device while sampling
  std::optional<double> temperature;  // degrees Celsius
  std::optional<double> power;        // watts
  std::vector<std::string> warnings;  // noise, throttling: each with a remedy
  std::string timestamp;              // ISO 8601, UTC
};

// Whether copies were timed and no pass from end to end: of a search of tunings only the default and the
// fastest have one, and of what was cut short by the time limit none.
inline bool lacks_pass(const Measurement& one) {
  return one.status == Status::ok && !one.alloc_times.empty() && one.end_to_end_times.empty();
}

}  // namespace sextant
