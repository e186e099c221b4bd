# `cmake --install`: headers, libraries, tools, and a package for find_package(Trn).
include(CMakePackageConfigHelpers)

install(DIRECTORY ${TRN_SOURCE_DIR}/include/trn ${TRN_SOURCE_DIR}/include/trn-c
  ${TRN_BINARY_DIR}/include/trn
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY ${TRN_SOURCE_DIR}/lib/Bindings/Python/trn_mlir
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages PATTERN __pycache__ EXCLUDE)
install(FILES ${TRN_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Trn)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/TrnConfig.cmake.in ${TRN_BINARY_DIR}/TrnConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${TRN_BINARY_DIR}/TrnConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${TRN_BINARY_DIR}/TrnConfig.cmake ${TRN_BINARY_DIR}/TrnConfigVersion.cmake
  DESTINATION ${package_dir})
install(EXPORT TrnTargets DESTINATION ${package_dir})
install(EXPORT TrnCTargets DESTINATION ${package_dir})
