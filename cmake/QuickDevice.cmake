# Sets sextant_quick_device: nvcc flags for device code that is only compiled, not run. A build with
# SEXTANT_QUICK_DEVICE_CODE uses these flags for all its device code. Tests use such a build on machines
# without a GPU.
set(sextant_quick_device "")
if(NOT SEXTANT_HAVE_CUDA)
  return()
endif()
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --help OUTPUT_VARIABLE help ERROR_QUIET)
if(help MATCHES "--Ofast-compile")
  set(sextant_quick_device -Ofc max)
else()
  set(sextant_quick_device -Xptxas -O0)
endif()
# The host code of a .cu file launches kernels and is not timed. With -O1 it compiles faster, but GCC 12 then
# warns falsely that empty optionals are uninitialised.
string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
string(REPLACE "-O3" "-O1" SEXTANT_FLAGS_CUDA "${SEXTANT_FLAGS_CUDA}")
target_compile_options(sextant_options INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-maybe-uninitialized>")
if(SEXTANT_QUICK_DEVICE_CODE)
  list(JOIN sextant_quick_device " " sextant_quick_text)
  if(help MATCHES "--compress-mode")  # code without optimisation is large and repetitive
    string(APPEND sextant_quick_text " --compress-mode=size")
  endif()
  target_compile_options(sextant_options INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:${sextant_quick_text}>")
  string(APPEND SEXTANT_FLAGS_CUDA ", device code ${sextant_quick_text}")
endif()
