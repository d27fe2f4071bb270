#include "predict/shipped_model.hpp"

#include <string>

namespace sextant::predict {

const AdviceModel& shipped_model() {
  static const AdviceModel model =
      read_model(std::string(detail::shipped_model_text()), "the program's own model");
  return model;
}

}  // namespace sextant::predict
