# literal(file result) sets `result` to the file's bytes as a C++ expression of type std::string_view. It is
# empty for a missing file. The expression has strings of 64 bytes as hexadecimal escapes. After each escape
# comes another escape or the closing quote, so no escape can continue into other characters.
function(literal file result)
  set(hex "")
  if(EXISTS "${file}")
    file(READ "${file}" hex HEX)
  endif()
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${hex}")
  string(REPEAT "...." 64 line)  # four characters per byte
  string(REGEX REPLACE "(${line})" "\\1\"\n\"" escaped "${escaped}")
  set(${result} "std::string_view(\"${escaped}\", ${bytes})" PARENT_SCOPE)
endfunction()
