# `cmake --install`, by component: tools (with the plugin, manuals and docs), library (what Python
# and programs in C load), dev (headers, libraries and a package for find_package(Trn)), python.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${TRN_SOURCE_DIR}/include/trn ${TRN_SOURCE_DIR}/include/trn-c
  ${TRN_BINARY_DIR}/include/trn
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY ${TRN_SOURCE_DIR}/lib/Bindings/Python/trn_mlir
  DESTINATION lib/python3/dist-packages COMPONENT python PATTERN __pycache__ EXCLUDE)
install(FILES ${TRN_SOURCE_DIR}/LICENSE ${TRN_SOURCE_DIR}/README.md ${TRN_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)
install(DIRECTORY ${TRN_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools
  PATTERN __pycache__ EXCLUDE)

set(tools trn-compress trn-gen trn-llm trn-lsp-server trn-opt trn-run trn-translate)
# The distribution's interpreter has NumPy; the first python3 on PATH may not.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  list(TRANSFORM tools APPEND ".1" OUTPUT_VARIABLE manuals)
  list(TRANSFORM manuals PREPEND ${TRN_BINARY_DIR}/man/)
  add_custom_command(OUTPUT ${manuals}
    COMMAND ${Python3_EXECUTABLE} ${TRN_SOURCE_DIR}/tools/generate-manuals.py
      ${TRN_BINARY_DIR}/bin ${TRN_SOURCE_DIR}/docs/Tools.md ${TRN_BINARY_DIR}/man ${tools}
    DEPENDS ${tools} ${TRN_SOURCE_DIR}/tools/generate-manuals.py ${TRN_SOURCE_DIR}/docs/Tools.md
    COMMENT "Writing man pages")
  add_custom_target(TrnManuals ALL DEPENDS ${manuals})
  set_property(GLOBAL APPEND PROPERTY TRN_TOOLS TrnManuals)
  install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
endif()
foreach(tool ${tools})
  # bash looks for a file of the tool's name.
  install(FILES ${TRN_SOURCE_DIR}/tools/completions/trn-mlir.bash RENAME ${tool}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
endforeach()
install(FILES ${TRN_SOURCE_DIR}/tools/completions/_trn-mlir
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tools)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Trn)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/TrnConfig.cmake.in ${TRN_BINARY_DIR}/TrnConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${TRN_BINARY_DIR}/TrnConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${TRN_BINARY_DIR}/TrnConfig.cmake ${TRN_BINARY_DIR}/TrnConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)
install(EXPORT TrnTargets DESTINATION ${package_dir} COMPONENT dev)
install(EXPORT TrnCTargets DESTINATION ${package_dir} COMPONENT dev)
include(${CMAKE_CURRENT_LIST_DIR}/TrnPackages.cmake)
