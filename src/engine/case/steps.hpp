// Turns an exception during a case into a failed measurement.
#pragma once

#include <functional>

#include "record/measurement.hpp"

namespace sextant {

// How the steps of a case ended. device_lost means that a device call failed, so this process's device
// context may be unusable.
enum class StepsEnd { done, failed, device_lost };

// Executes the steps. If they throw, the message becomes the reason of a failed measurement.
StepsEnd try_steps(const std::function<void()>& steps, Measurement* measurement);

}  // namespace sextant
