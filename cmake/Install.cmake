# cmake --install: the program and, found relative to it, the libraries of what is offloaded.
include(GNUInstallDirs)
install(TARGETS sextant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES python/sextant.py examples/best_variants.py DESTINATION ${CMAKE_INSTALL_DATADIR}/sextant)
install(DIRECTORY examples/own DESTINATION ${CMAKE_INSTALL_DATADIR}/sextant/examples PATTERN .sextant EXCLUDE)
if(SEXTANT_HAVE_OPENACC)
  install(DIRECTORY ${openacc_share} DESTINATION ${CMAKE_INSTALL_DATADIR}/sextant)  # for `sextant explain`
endif()
if(offload_libraries)
  install(FILES ${offload_libraries} DESTINATION ${CMAKE_INSTALL_LIBDIR}/sextant)
  file(RELATIVE_PATH from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/sextant)
  set_target_properties(sextant PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program}")
endif()

# The package for kernels outside the tree, find_package(sextant): headers, and the modules that build ours. The build
# folder is such a package, too, at the same place relative to the program.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sextant)
file(RELATIVE_PATH package_from_program /${CMAKE_INSTALL_BINDIR} /${package_folder})
file(RELATIVE_PATH headers_from_package /${package_folder} /${CMAKE_INSTALL_INCLUDEDIR}/sextant)
set(package_modules cmake/Models.cmake cmake/KernelFolder.cmake cmake/SextantKernels.cmake cmake/plugin_list.cpp.in)
set(SEXTANT_PACKAGE_INCLUDE "\${CMAKE_CURRENT_LIST_DIR}/${headers_from_package}")
set(SEXTANT_PACKAGE_CMAKE "\${CMAKE_CURRENT_LIST_DIR}")
configure_file(cmake/sextantConfig.cmake.in ${CMAKE_BINARY_DIR}/generated/sextantConfig.cmake @ONLY)
set(SEXTANT_PACKAGE_INCLUDE ${CMAKE_SOURCE_DIR}/src)
set(SEXTANT_PACKAGE_CMAKE ${CMAKE_SOURCE_DIR}/cmake)
configure_file(cmake/sextantConfig.cmake.in ${CMAKE_BINARY_DIR}/${package_folder}/sextantConfig.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${package_folder}/sextantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package_modules} ${CMAKE_BINARY_DIR}/generated/sextantConfig.cmake
        ${CMAKE_BINARY_DIR}/${package_folder}/sextantConfigVersion.cmake DESTINATION ${package_folder})
install(DIRECTORY src/suite src/toolbox DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sextant
        FILES_MATCHING PATTERN *.hpp PATTERN *.cuh)
