# Writes OUTPUT: a C++ file that holds the bytes of STYLE, of SCRIPT as gzip packs it, and of LICENSES. The last two may
# be missing: then they are empty.
# Strings of hexadecimal escapes, a line for every 64 bytes: no escape can run into the next character.
function(literal file result)
  set(hex "")
  if(EXISTS "${file}")
    file(READ "${file}" hex HEX)
  endif()
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${hex}")
  string(REPEAT "...." 64 line)  # four characters a byte
  string(REGEX REPLACE "(${line})" "\\1\"\n\"" escaped "${escaped}")
  set(${result} "std::string_view(\"${escaped}\", ${bytes})" PARENT_SCOPE)
endfunction()

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
