# Makes sextant_options, the compile options for every target of the project.
add_library(sextant_options INTERFACE)
target_include_directories(sextant_options INTERFACE ${CMAKE_SOURCE_DIR}/src)

set(sextant_host_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-unknown-pragmas
    -Wno-restrict  # false warnings of GCC 12 about std::string + (GCC bug 105651)
    -Wno-psabi)  # about functions that pass vectors wider than the processor's; all of them are inlined
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND sextant_host_warnings
       -Wno-unknown-warning-option  # for GCC-only names in these lists
       -Wno-sign-conversion  # GCC's -Wconversion does not include it for C++
       -Wno-pass-failed)  # a loop with a vectorisation request was not vectorised
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # GCC 13 gives false warnings about references into long-lived objects.
  list(APPEND sextant_host_warnings -Wno-dangling-reference)
endif()
if(SEXTANT_WERROR)
  list(APPEND sextant_host_warnings -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_link_libraries(sextant_options INTERFACE atomic)  # OpenMP sums of long double need it
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
  # GCC's -Wmaybe-uninitialized gives false warnings for code with sanitizers (its manual says so at
  # -fsanitize).
  target_compile_options(sextant_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized;-fsanitize=${SEXTANT_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>"
    # Only Clang's -fsanitize=undefined has this check. It reports that the JSON reader converts a fraction
    # too large for an integer.
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=float-cast-overflow>")
  target_link_options(sextant_options INTERFACE -fsanitize=${SEXTANT_SANITIZE})
endif()
