# Finds CUPTI, NVIDIA's profiling library. Sets SEXTANT_HAVE_CUPTI, CUPTI_INCLUDE_DIR and CUPTI_TOOLKIT, or
# SEXTANT_WHY_NOT_CUPTI. The program opens the library at run time.
if(NOT SEXTANT_HAVE_CUDA)
  set(SEXTANT_WHY_NOT_CUPTI "CUDA is not in this build")
else()
  get_filename_component(CUPTI_TOOLKIT ${CUDAToolkit_BIN_DIR} DIRECTORY)
  find_path(CUPTI_INCLUDE_DIR cupti.h
            HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUPTI_TOOLKIT}/extras/CUPTI/include ${CUPTI_TOOLKIT}/include)
  mark_as_advanced(CUPTI_INCLUDE_DIR)
  if(CUPTI_INCLUDE_DIR)
    set(SEXTANT_HAVE_CUPTI ON)
  else()
    set(SEXTANT_WHY_NOT_CUPTI "cupti.h was not there when this was built (it is in the CUDA toolkit's cuda-cupti-dev)")
  endif()
endif()
