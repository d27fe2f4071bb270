#include "engine/form/unmeasured.hpp"

#include <chrono>
#include <ctime>
#include <utility>

namespace sextant {

std::string timestamp_now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Measurement unmeasured(const Case& what, Status status, std::string reason, std::uint64_t seed) {
  Measurement measurement;
  measurement.what = what;
  measurement.status = status;
  measurement.reason = std::move(reason);
  measurement.seed = seed;
  measurement.timestamp = timestamp_now();
  return measurement;
}

}  // namespace sextant
