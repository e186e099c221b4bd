# `cpack --config build/CPackConfig.cmake` makes three Debian packages of what is installed:
# trn-mlir, trn-mlir-dev and python3-trn-mlir.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The authors of trn-mlir <authors@trn-mlir.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(same "trn-mlir (= ${PROJECT_VERSION})")

# What programs and libraries load is found by dpkg-shlibdeps.
set(CPACK_DEBIAN_MAIN_PACKAGE_NAME trn-mlir)
set(CPACK_DEBIAN_MAIN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MAIN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_MAIN_PACKAGE_SUGGESTS "python3-trn-mlir, trn-mlir-dev, mlir-22-tools")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME trn-mlir-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# What find_package(Trn) looks for.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${same}, libmlir-22-dev, llvm-22-dev, mlir-22-tools, \
libdnnl-dev, libopenblas-dev, liblapacke-dev, zlib1g-dev, libzstd-dev")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-trn-mlir)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${same}, python3 (>= 3.11), python3-numpy")

# Behind the project's own, which is the first line.
set(CPACK_DEBIAN_MAIN_DESCRIPTION "Tools, plugin and shared library.")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Headers, libraries and CMake package.")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Python module.")

set(CPACK_COMPONENTS_ALL tools library dev python)
include(CPack)
cpack_add_component(tools GROUP main)
cpack_add_component(library GROUP main)
cpack_add_component(dev GROUP dev)
cpack_add_component(python GROUP python)
