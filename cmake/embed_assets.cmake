# Writes OUTPUT: a C++ file that holds the bytes of STYLE and SCRIPT (which may be missing: then empty).
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
literal("${SCRIPT}" script)
file(WRITE "${OUTPUT}" "// Generated from src/report/report.css and the bundle of web/.
#include \"report/assets.hpp\"

namespace sextant::report {

std::string_view style() {
  return ${style};
}

std::string_view script() {
  return ${script};
}

}  // namespace sextant::report
")
