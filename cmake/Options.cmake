# sextant_options: what every target of the project is compiled with.
add_library(sextant_options INTERFACE)
target_include_directories(sextant_options INTERFACE ${CMAKE_SOURCE_DIR}/src)

set(sextant_host_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-unknown-pragmas
    -Wno-restrict  # GCC 12 warns of std::string + wrongly (its bug 105651)
    -Wno-psabi)  # vectors wider than the processor's are passed between inlined functions alone
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND sextant_host_warnings
       -Wno-unknown-warning-option  # GCC's, above and elsewhere
       -Wno-sign-conversion         # which GCC's -Wconversion leaves out for C++
       -Wno-pass-failed)  # a loop that was asked to be vectorised and was not
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  list(APPEND sextant_host_warnings -Wno-dangling-reference)  # GCC 13 takes a reference into a long-lived object for one
endif()
if(SEXTANT_WERROR)
  list(APPEND sextant_host_warnings -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_link_libraries(sextant_options INTERFACE atomic)  # sums of long double among OpenMP's threads
endif()
string(REPLACE ";" "," sextant_cuda_host_warnings "-Wall;-Wextra;-Wno-unknown-pragmas")
set(sextant_cuda_options --expt-relaxed-constexpr)
if(SEXTANT_WERROR)
  list(APPEND sextant_cuda_options -Werror=all-warnings)
endif()
target_compile_options(sextant_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${sextant_host_warnings}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${sextant_cuda_host_warnings};${sextant_cuda_options}>")
if(SEXTANT_SANITIZE)
  # GCC's -Wmaybe-uninitialized is wrong about code that a sanitizer instrumented (as its manual says of -fsanitize).
  target_compile_options(sextant_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized;-fsanitize=${SEXTANT_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>"
    # Clang's undefined has it, GCC's has not: what a reader of JSON makes of a fraction that is too large for an integer.
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=float-cast-overflow>")
  target_link_options(sextant_options INTERFACE -fsanitize=${SEXTANT_SANITIZE})
endif()
