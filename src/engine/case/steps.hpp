// What becomes of a case whose steps throw.
#pragma once

#include <functional>

#include "record/measurement.hpp"

namespace sextant {

// device_lost: a device call failed, so this process's context may be beyond use.
enum class StepsEnd { done, failed, device_lost };

// Executes the steps. What they throw becomes the reason of a failed measurement.
StepsEnd try_steps(const std::function<void()>& steps, Measurement* measurement);

}  // namespace sextant
