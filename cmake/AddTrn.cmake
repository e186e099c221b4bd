# Two functions hide what every library and every tool of this project shares.

# Compiles the heavy MLIR headers once; the libraries that see IR reuse the result.
if(TRN_PRECOMPILE_HEADERS)
  # The time of writing in a precompiled header would make ccache miss.
  add_compile_options("$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  file(WRITE ${CMAKE_BINARY_DIR}/TrnPrecompiled.cpp "")
  add_library(TrnPrecompiled OBJECT ${CMAKE_BINARY_DIR}/TrnPrecompiled.cpp)
  target_precompile_headers(TrnPrecompiled PRIVATE
    <mlir/Dialect/Affine/IR/AffineOps.h> <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Bufferization/IR/Bufferization.h> <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Linalg/IR/Linalg.h> <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/Transforms/TileUsingInterface.h> <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h> <mlir/Transforms/DialectConversion.h>)
endif()

# add_trn_library(NAME [IR] SOURCES... LINK_LIBS libs... DEPENDS targets...)
# IR: the library works on MLIR (rings 1 to 3); without it only LLVM is linked.
function(add_trn_library name)
  cmake_parse_arguments(ARG "IR" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${TRN_SOURCE_DIR}/include> $<BUILD_INTERFACE:${TRN_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  target_include_directories(${name} SYSTEM INTERFACE $<INSTALL_INTERFACE:${LLVM_INCLUDE_DIRS}>)
  if(ARG_IR)
    target_link_libraries(${name} PUBLIC MLIR)
    if(TRN_PRECOMPILE_HEADERS)
      target_precompile_headers(${name} REUSE_FROM TrnPrecompiled)
    endif()
  endif()
  target_link_libraries(${name} PUBLIC LLVM ${ARG_LINK_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  install(TARGETS ${name} EXPORT TrnTargets COMPONENT dev)
endfunction()

# add_trn_tool(NAME SOURCES... LINK_LIBS libs...)
function(add_trn_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  install(TARGETS ${name} EXPORT TrnTargets COMPONENT tools)
  # By itself, for the wheel.
  install(TARGETS ${name} COMPONENT ${name} EXCLUDE_FROM_ALL)
  set_property(GLOBAL APPEND PROPERTY TRN_TOOLS ${name})
endfunction()
