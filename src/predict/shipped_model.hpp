// The trained advice model that is built into the program.
#pragma once

#include <string_view>

#include "predict/model.hpp"

namespace sextant::predict {

// Parses the model at the first call.
const AdviceModel& shipped_model();

namespace detail {
std::string_view shipped_model_text();  // generated from data/model/advice.model
}

}  // namespace sextant::predict
