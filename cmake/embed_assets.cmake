# Writes OUTPUT, a C++ file with the bytes of STYLE, of SCRIPT (compressed by gzip) and of LICENSES. A missing
# SCRIPT or LICENSES gives an empty string.
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)
literal("${STYLE}" style)
if(EXISTS "${SCRIPT}")
  file(ARCHIVE_CREATE OUTPUT "${OUTPUT}.gz" PATHS "${SCRIPT}" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
else()
  file(REMOVE "${OUTPUT}.gz")
endif()
literal("${OUTPUT}.gz" packed_script)
literal("${LICENSES}" licences)
file(WRITE "${OUTPUT}" "// Generated from src/report/report.css and the bundle of web/.
#include \"report/assets.hpp\"

namespace sextant::report {

std::string_view style() {
  return ${style};
}

std::string_view packed_script() {
  return ${packed_script};
}

std::string_view licences() {
  return ${licences};
}

}  // namespace sextant::report
")
