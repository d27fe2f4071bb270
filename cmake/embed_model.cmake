# Writes OUTPUT, a C++ file with the bytes of MODEL.
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)
literal("${MODEL}" model)
file(WRITE "${OUTPUT}" "// Generated from data/model/advice.model.
#include \"predict/shipped_model.hpp\"

namespace sextant::predict::detail {

std::string_view shipped_model_text() {
  return ${model};
}

}  // namespace sextant::predict::detail
")
