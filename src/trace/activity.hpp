// Records GPU activity with CUPTI: kernels, copies and fills, for CUDA and OpenACC alike.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ActivityRecord {
  enum class Kind : std::uint8_t { kernel, copy, fill } kind;
  // seconds, with a resolution of 1 ns; time zero is near the start of the first record
  double start = 0, end = 0;
  std::string name;  // kernels: the demangled name
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;
  std::int64_t shared_memory = 0;
  std::int64_t bytes = 0;  // number of bytes, for copies and fills only
  enum class Direction : std::uint8_t { within, in, out } direction = Direction::within;  // for copies only
  int stream = 0;
  // time at which the host requested the activity, on the same clock; negative: not recorded
  double asked = -1;
};

// The recorded data: only the device's activities, or also the time at which the host requested each. The
// latter costs the host more time.
enum class ActivityDetail : std::uint8_t { device, host_calls };

// Returns null if activities can be recorded, otherwise why not (no CUPTI, no permission, no GPU). libcupti
// is loaded at run time.
const char* activity_unavailable();

// Record all activities of this process's GPUs between start and stop. stop_activity() waits for them and
// returns them ordered by start. Both throw std::logic_error if recordings are nested, and DeviceError if the
// device or CUPTI fails. The first use tests CUPTI, which takes a few tenths of a second.
void start_activity(ActivityDetail detail = ActivityDetail::device);
std::vector<ActivityRecord> stop_activity();

// Returns the current time in seconds on the clock of the running recording. If nothing is recorded, time
// zero is arbitrary.
double activity_clock();

// Returns the readable name of a kernel's symbol, or the symbol itself if it is not mangled.
std::string demangled(const std::string& symbol);

// Returns the seconds in which at least one of the recorded activities ran.
double busy_time(const std::vector<ActivityRecord>& records);

}  // namespace sextant
