#include "engine/case/steps.hpp"

#include <new>
#include <string>

#include "device/device.hpp"

namespace sextant {

StepsEnd try_steps(const std::function<void()>& steps, Measurement* measurement) {
  StepsEnd end = StepsEnd::failed;
  try {
    steps();
    return StepsEnd::done;
  } catch (const DeviceError& error) {
    end = StepsEnd::device_lost;
    measurement->reason = std::string("device error: ") + error.what();
  } catch (const std::bad_alloc&) {
    measurement->reason = "host memory ran out";
  } catch (const std::exception& error) {
    measurement->reason = error.what();
  }
  measurement->status = Status::failed;
  return end;
}

}  // namespace sextant
