// Turns an exception in a case's steps into a failed measurement.
#pragma once

#include <functional>

#include "record/measurement.hpp"

namespace sextant {

// device_lost: a device call failed, so this process's device context may be unusable.
enum class StepsEnd { done, failed, device_lost };

// Executes the steps. An exception becomes the reason of a failed measurement.
StepsEnd try_steps(const std::function<void()>& steps, Measurement* measurement);

}  // namespace sextant
