#include "device/activity.hpp"
#include "device/device.hpp"

namespace sextant {

const char* activity_unavailable() { return SEXTANT_WHY_NOT_CUPTI; }

void start_activity() { throw DeviceError(std::string("no activity records: ") + activity_unavailable()); }
std::vector<ActivityRecord> stop_activity() {
  throw DeviceError(std::string("no activity records: ") + activity_unavailable());
}

}  // namespace sextant
