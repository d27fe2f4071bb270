// Records GPU activity with CUPTI: kernels, copies and fills, for CUDA and OpenACC alike.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ActivityRecord {
  enum class Kind : std::uint8_t { kernel, copy, fill } kind;
  double start = 0, end = 0;  // Seconds, to the nanosecond, from about the start of the first record.
  std::string name;           // Kernels: demangled.
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;
  std::int64_t shared_memory = 0;
  std::int64_t bytes = 0;  // Copies and fills only.
  enum class Direction : std::uint8_t { within, in, out } direction = Direction::within;  // Copies only.
  int stream = 0;
  double asked = -1;  // Seconds at which the host requested it, on the same clock. Negative: not recorded.
};

// The extent of a recording: the device's activities, or also the time of each host request. The latter costs
// the host more.
enum class ActivityDetail : std::uint8_t { device, host_calls };

// Null if activities can be recorded, otherwise why not (no CUPTI, no permission, no GPU). libcupti is loaded
// at run time.
const char* activity_unavailable();

// Records all activities of this process's GPUs between start and stop. stop_activity() waits for them and
// returns them ordered by start. Throws std::logic_error if recordings are nested, and DeviceError if the
// device or CUPTI fails. The first use tests CUPTI, which takes a few tenths of a second.
void start_activity(ActivityDetail detail = ActivityDetail::device);
std::vector<ActivityRecord> stop_activity();

// The current host time in seconds, on the clock of the running recording. Without a recording, on any clock.
double activity_clock();

// The readable name of a kernel's symbol, or the symbol itself if it is not mangled.
std::string demangled(const std::string& symbol);

// Seconds in which at least one of the recorded activities ran.
double busy_time(const std::vector<ActivityRecord>& records);

}  // namespace sextant
