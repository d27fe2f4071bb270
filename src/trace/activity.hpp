// Records GPU activity (kernels, copies, fills) with CUPTI.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ActivityRecord {
  enum class Kind : std::uint8_t { kernel, copy, fill } kind;
  // in seconds from about the start of the first record, with a resolution of 1 ns
  double start = 0, end = 0;
  std::string name;  // kernels: the demangled name; else empty
  std::array<int, 3> grid = {}, block = {};
  int registers = 0;
  std::int64_t shared_memory = 0;
  std::int64_t bytes = 0;  // for copies and fills only
  enum class Direction : std::uint8_t { within, in, out } direction = Direction::within;  // for copies only
  int stream = 0;
  // time of the host's request, on the same clock; negative: not recorded
  double asked = -1;
};

// What to record: only the device's activities, or also the time of the host's request. Recording requests
// slows the host.
enum class ActivityDetail : std::uint8_t { device, host_calls };

// Returns null if activities can be recorded, otherwise why not (no CUPTI, no permission, no GPU). Loads
// libcupti at run time.
const char* activity_unavailable();

// Record all activities of this process's GPUs between start and stop. stop_activity() waits for them and
// returns them in order of start. Both throw std::logic_error if recordings are nested, and DeviceError if
// the device or CUPTI fails. The first call tests CUPTI, which takes a few tenths of a second.
void start_activity(ActivityDetail detail = ActivityDetail::device);
std::vector<ActivityRecord> stop_activity();

// Returns the current time in seconds on the clock of the running recording. Otherwise time zero is
// arbitrary.
double activity_clock();

// Returns a kernel's readable name, or the symbol itself if it is not mangled.
std::string demangled(const std::string& symbol);

// Returns the seconds during which at least one activity ran.
double busy_time(const std::vector<ActivityRecord>& records);

}  // namespace sextant
