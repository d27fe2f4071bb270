# cmake --install: the program and, beside it, the OpenACC library.
include(GNUInstallDirs)
install(TARGETS sextant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(SEXTANT_HAVE_OPENACC)
  install(FILES ${openacc_library} DESTINATION ${CMAKE_INSTALL_LIBDIR}/sextant)
endif()
