// What the GPU itself did: CUPTI's activity records of kernels, copies and fills, for CUDA and OpenACC alike.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ActivityRecord {
  enum class Kind : std::uint8_t { kernel, copy, fill } kind;
  double start = 0, end = 0;  // seconds, to the nanosecond, from about the first record's start
  std::string name;           // kernels: demangled
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;
  std::int64_t shared_memory = 0;
  std::int64_t bytes = 0;                                                                 // copies and fills
  enum class Direction : std::uint8_t { within, in, out } direction = Direction::within;  // copies
  int stream = 0;
  double asked = -1;  // when the host began to ask for it; negative: not recorded
};

// How much is recorded: the device's activities, or also when the host asked for each, which costs the host
// more.
enum class ActivityDetail : std::uint8_t { device, host_calls };

// Null if records can be had, else why not (no CUPTI, no permission, no GPU). libcupti is loaded at run time.
const char* activity_unavailable();

// Between start and stop every activity of this process's GPUs is recorded; stop waits for them and returns
// them in the order of their start. Nested use is an error (std::logic_error). Both throw DeviceError if the
// device or CUPTI fails. The first use tries CUPTI out, which takes a few tenths of a second.
void start_activity(ActivityDetail detail = ActivityDetail::device);
std::vector<ActivityRecord> stop_activity();

// Seconds now, on the host, by the clock of the running recording; of any clock where there are no records.
double activity_clock();

// A readable name of a kernel's symbol; the symbol itself where it is no mangled name.
std::string demangled(const std::string& symbol);

// Seconds during which at least one of the records ran.
double busy_time(const std::vector<ActivityRecord>& records);

}  // namespace sextant
