# A file's bytes as a C++ expression of type std::string_view; empty where the file is missing. Strings of hexadecimal
# escapes, a line for every 64 bytes: no escape can run into the next character.
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
