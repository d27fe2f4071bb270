#include <chrono>

#include "device/activity.hpp"
#include "device/device.hpp"

namespace sextant {

const char* activity_unavailable() { return SEXTANT_WHY_NOT_CUPTI; }

void start_activity(ActivityDetail) {
  throw DeviceError(std::string("no activity records: ") + activity_unavailable());
}
std::vector<ActivityRecord> stop_activity() {
  throw DeviceError(std::string("no activity records: ") + activity_unavailable());
}

double activity_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sextant
