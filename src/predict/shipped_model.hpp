// The model that the program carries.
#pragma once

#include <string_view>

#include "predict/model.hpp"

namespace sextant::predict {

// Read when it is first asked for.
const AdviceModel& shipped_model();

namespace detail {
std::string_view shipped_model_text();  // generated from data/model/advice.model
}

}  // namespace sextant::predict
