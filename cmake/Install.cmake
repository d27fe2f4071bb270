# cmake --install: the program and, found relative to it, the OpenACC library.
include(GNUInstallDirs)
install(TARGETS sextant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES python/sextant.py examples/best_variants.py DESTINATION ${CMAKE_INSTALL_DATADIR}/sextant)
if(SEXTANT_HAVE_OPENACC)
  install(FILES ${openacc_library} DESTINATION ${CMAKE_INSTALL_LIBDIR}/sextant)
  install(DIRECTORY ${openacc_share} DESTINATION ${CMAKE_INSTALL_DATADIR}/sextant)  # for `sextant explain`
  file(RELATIVE_PATH from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/sextant)
  set_target_properties(sextant PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program}")
endif()
