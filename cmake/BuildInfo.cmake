# Makes sextant_build_info, a library with the version and the git revision. Every build asks git, but the
# file is compiled only after a change.
set(build_info_file ${CMAKE_BINARY_DIR}/generated/build_info.cpp)
add_custom_target(sextant_git_revision BYPRODUCTS ${build_info_file} COMMENT "Asking git for the revision"
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DTEMPLATE=${CMAKE_SOURCE_DIR}/src/registry/build_info.cpp.in
          -DOUTPUT=${build_info_file} -DSEXTANT_VERSION=${PROJECT_VERSION} -DSEXTANT_BUILD_TYPE=${CMAKE_BUILD_TYPE}
          -DSEXTANT_REVISION=${SEXTANT_REVISION} -DSEXTANT_SANITIZE=${SEXTANT_SANITIZE}
          -P ${CMAKE_SOURCE_DIR}/cmake/git_revision.cmake VERBATIM)
add_library(sextant_build_info ${build_info_file})
add_dependencies(sextant_build_info sextant_git_revision)
target_link_libraries(sextant_build_info PRIVATE sextant_options)
