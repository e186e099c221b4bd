//===- HostChecksTest.cpp - Host code that goes wrong ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunsModules.h"

#include "trn/Support/HostTensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

using HostChecksTest = RunsBodies;

TEST_F(HostChecksTest, AccessesStayInBounds) {
  EXPECT_EQ(fail("%y = tensor.extract %x[%one, %minus] : tensor<4x8xf32>\n"
                 "%z = tensor.insert %y into %x[%one, %one] : tensor<4x8xf32>\n"
                 "%w = tensor.extract %z[%one, %one] : tensor<4x8xf32>\n"
                 "%s = tensor.splat %w : tensor<4xf32>"),
            "'memref.load' op fails: out-of-bounds access of memref<4x8xf32>");
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "affine.for %i = 0 to 3 {\n"
                 "  affine.store %f0, %m[%i] : memref<?xf32>\n"
                 "}"),
            "'memref.store' op fails: out-of-bounds access of memref<?xf32>");
}

TEST_F(HostChecksTest, VectorsStayInBounds) {
  auto read = [&](StringRef row, StringRef column) {
    return fail(("%m = memref.alloc() : memref<4x8xf32>\n"
                 "linalg.fill ins(%f0 : f32) outs(%m : memref<4x8xf32>)\n"
                 "%v = vector.transfer_read %m[" +
                 row + ", " + column +
                 "], %f0 {in_bounds = [true]} : memref<4x8xf32>, "
                 "vector<4xf32>\n"
                 "vector.transfer_write %v, %m[%c0, %c0] : vector<4xf32>, "
                 "memref<4x8xf32>")
                    .str());
  };
  EXPECT_EQ(read("%one", "%one"), "no error");
  EXPECT_EQ(read("%one", "%minus"),
            "'vector.transfer_read' op runs out of bounds along dimension 1");
  EXPECT_EQ(read("%minus", "%one"),
            "'vector.transfer_read' op runs out of bounds along dimension 0");
  EXPECT_EQ(fail("%m = memref.alloc() : memref<4x8xf32>\n"
                 "%c4 = arith.constant 4 : index\n"
                 "%row = arith.addi %c4, %zero : index\n"
                 "%v = vector.broadcast %f0 : f32 to vector<4xf32>\n"
                 "vector.transfer_write %v, %m[%row, %c0] : vector<4xf32>, "
                 "memref<4x8xf32>"),
            "'vector.transfer_write' op runs out of bounds along dimension 0");
  // Behind the last column there is nothing to read, whatever is promised.
  EXPECT_EQ(fail("%m = memref.alloc() : memref<8xf32>\n"
                 "linalg.fill ins(%f0 : f32) outs(%m : memref<8xf32>)\n"
                 "%far = arith.constant 1000000000000 : index\n"
                 "%v = vector.transfer_read %m[%far], %f0 {in_bounds = [true]} "
                 ": memref<8xf32>, vector<4xf32>\n"
                 "vector.transfer_write %v, %m[%far] {in_bounds = [true]} "
                 ": vector<4xf32>, memref<8xf32>"),
            "no error");
  EXPECT_EQ(fail("%m = memref.alloc() : memref<8xf32>\n"
                 "%v = vector.load %m[%one] : memref<8xf32>, vector<8xf32>"),
            "'vector.load' op is below host code, which is checked as it runs; "
            "use arith, memref and the like");
}

TEST_F(HostChecksTest, SmallFloatsAreRefused) {
  EXPECT_EQ(fail("%t = arith.truncf %first : f32 to f8E4M3FN\n"
                 "%u = arith.extf %t : f8E4M3FN to f32\n"
                 "%s = tensor.splat %u : tensor<4xf32>"),
            "'arith.truncf' op of host code computes with 'f8E4M3FN', but this "
            "host knows no float below bf16 and f16");
}

TEST_F(HostChecksTest, ViewsStayInBounds) {
  EXPECT_EQ(fail("%m = memref.alloc() : memref<8xf32>\n"
                 "%v = memref.subview %m[%one] [8] [1] : memref<8xf32> to "
                 "memref<8xf32, strided<[1], offset: ?>>"),
            "'memref.subview' op fails: subview runs out-of-bounds along "
            "dimension 0 of memref<8xf32>");
  EXPECT_EQ(fail("%m = memref.alloc() : memref<8xf32>\n"
                 "%v = memref.subview %m[0] [%minus] [1] : memref<8xf32> to "
                 "memref<?xf32, strided<[1]>>"),
            "'memref.subview' op has a negative size in dimension 0");
  // 4 * (2^62 + 1 - 1) is 0 in 64 bits.
  EXPECT_EQ(fail("%c = arith.constant 4611686018427387904 : index\n"
                 "%n = arith.addi %c, %one : index\n"
                 "%m = memref.alloc() : memref<8xf32>\n"
                 "%v = memref.subview %m[0] [%n] [4] : memref<8xf32> to "
                 "memref<?xf32, strided<[4]>>"),
            "'memref.subview' op runs out of bounds along dimension 0");
  EXPECT_EQ(fail("%m = memref.alloc() : memref<8xf32>\n"
                 "%v = memref.reinterpret_cast %m to offset: [%minus], "
                 "sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, "
                 "strided<[1], offset: ?>>"),
            "'memref.reinterpret_cast' op makes a view that leaves its memory "
            "of 32 bytes");
  EXPECT_TRUE(hasNote("allocated here"));
  EXPECT_EQ(fail("%m = memref.alloc() : memref<32xi8>\n"
                 "%v = memref.view %m[%one][] : memref<32xi8> to "
                 "memref<8xf32>"),
            "'memref.view' op makes a view that leaves its memory of 32 bytes");
  EXPECT_EQ(fail("%n = tensor.from_elements %one, %one : tensor<2xindex>\n"
                 "%m = memref.alloc(%zero) : memref<?xf32>\n"
                 "%t = bufferization.to_tensor %m restrict : memref<?xf32> to "
                 "tensor<?xf32>\n"
                 "%r = tensor.reshape %t(%n) : (tensor<?xf32>, tensor<2xindex>)"
                 " -> tensor<?x?xf32>\n"
                 "%y = tensor.extract %r[%c0, %c0] : tensor<?x?xf32>\n"
                 "%s = tensor.splat %y : tensor<4xf32>"),
            "'memref.reshape' op makes a view that leaves its memory of 0 "
            "bytes");
}

TEST_F(HostChecksTest, ViewsOfUnknownRankStayInBounds) {
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "%u = memref.cast %m : memref<?xf32> to memref<*xf32>\n"
                 "%v = memref.reinterpret_cast %u to offset: [0], sizes: [8], "
                 "strides: [1] : memref<*xf32> to memref<8xf32>"),
            "'memref.reinterpret_cast' op makes a view that leaves its memory "
            "of 4 bytes");
  EXPECT_EQ(
      fail("%n = memref.alloc(%one) : memref<?xindex>\n"
           "%two = arith.addi %one, %c1 : index\n"
           "memref.store %two, %n[%c0] : memref<?xindex>\n"
           "%m = memref.alloc(%one) : memref<?xf32>\n"
           "%u = memref.reshape %m(%n) : (memref<?xf32>, memref<?xindex>) "
           "-> memref<*xf32>\n"
           "%v = memref.cast %u : memref<*xf32> to memref<?xf32>\n"
           "memref.store %f0, %v[%one] : memref<?xf32>\n"),
      "'memref.cast' op makes a view that leaves its memory of 4 bytes");
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "%u = memref.cast %m : memref<?xf32> to memref<*xf32>\n"
                 "memref.copy %u, %u : memref<*xf32> to memref<*xf32>"),
            "'memref.copy' op copies a buffer of unknown rank; cast it to a "
            "type with a rank first");
}

TEST_F(HostChecksTest, LoopsEnd) {
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "scf.for %i = %c0 to %c1 step %zero {\n"
                 "  memref.store %f0, %m[%i] : memref<?xf32>\n"
                 "}"),
            "'scf.for' op has a step that is not positive");
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "scf.parallel (%i) = (%c0) to (%c1) step (%minus) {\n"
                 "  memref.store %f0, %m[%i] : memref<?xf32>\n"
                 "}"),
            "'scf.parallel' op has a step that is not positive");
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "%max = arith.constant 9223372036854775807 : index\n"
                 "%last = arith.addi %zero, %max : index\n"
                 "%two = arith.addi %one, %c1 : index\n"
                 "scf.for %i = %c0 to %last step %two {\n"
                 "  memref.store %f0, %m[%c0] : memref<?xf32>\n"
                 "}"),
            "'scf.for' op steps over the greatest 64-bit integer");
}

TEST_F(HostChecksTest, CastsHaveTheRightShape) {
  EXPECT_EQ(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                 "%v = memref.cast %m : memref<?xf32> to memref<3xf32>"),
            "'memref.cast' op fails: size mismatch of dim 0 of memref<?xf32>");
  EXPECT_EQ(fail("%v = func.call @unrank(%one) : (index) -> memref<*xf32>\n"
                 "%m = memref.cast %v : memref<*xf32> to memref<4x8xf32>",
                 "func.func private @unrank(%n: index) -> memref<*xf32> {\n"
                 "  %m = memref.alloc(%n) : memref<?xf32>\n"
                 "  %u = memref.cast %m : memref<?xf32> to memref<*xf32>\n"
                 "  return %u : memref<*xf32>\n"
                 "}\n"),
            "'memref.cast' op casts a buffer to rank 2, which it does not "
            "have");
}

TEST_F(HostChecksTest, ShapesOfStructuredOpsAgree) {
  EXPECT_TRUE(StringRef(fail("%m = memref.alloc(%one) : memref<?xf32>\n"
                             "%v = memref.alloc() : memref<4xf32>\n"
                             "linalg.exp ins(%m : memref<?xf32>) "
                             "outs(%v : memref<4xf32>)"))
                  .starts_with("'linalg.exp' op fails: dimension #0"))
      << messages;
}

TEST_F(HostChecksTest, IntegersAreDividedByWhatDividesThem) {
  for (const char *op : {"divsi", "divui", "remsi", "remui", "ceildivsi",
                         "ceildivui", "floordivsi"}) {
    std::string name = std::string("arith.") + op;
    EXPECT_EQ(fail("%q = " + name + " %one, %zero : index\n" +
                   "%m = memref.alloc(%q) : memref<?xf32>"),
              "'" + name + "' op divides by zero");
  }
  for (const char *op :
       {"divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs"}) {
    std::string name = std::string("index.") + op;
    EXPECT_EQ(fail("%q = " + name + " %one, %zero\n" +
                   "%m = memref.alloc(%q) : memref<?xf32>"),
              "'" + name + "' op divides by zero");
  }
  EXPECT_EQ(fail("%least = arith.constant -9223372036854775808 : index\n"
                 "%q = arith.divsi %least, %minus : index\n"
                 "%m = memref.alloc(%q) : memref<?xf32>"),
            "'arith.divsi' op divides the least 64-bit integer by -1, which "
            "overflows");
  EXPECT_EQ(fail("%v = arith.constant dense<0> : vector<2xi32>\n"
                 "%q = arith.divsi %v, %v : vector<2xi32>"),
            "host code divides integers of type 'vector<2xi32>', but only "
            "scalars are checked for zero");
}

TEST_F(HostChecksTest, AllocationsHaveASizeThatTheHostHas) {
  EXPECT_EQ(fail("%m = memref.alloc(%minus) : memref<?xf32>"),
            "'memref.alloc' op has a negative size");
  std::string rest = " bytes of memory that this host has";
  EXPECT_EQ(fail("%c = arith.constant 1099511627776 : index\n"
                 "%n = arith.addi %c, %one : index\n"
                 "%m = memref.alloc(%n, %n) : memref<?x?xf32>"),
            "'memref.alloc' op needs more than the " +
                std::to_string(getHostMemory()) + rest);
  // All of it, but something is in use already.
  EXPECT_TRUE(StringRef(fail("%c = arith.constant " +
                             std::to_string(getHostMemory() / 4 - 1) +
                             " : index\n"
                             "%n = arith.addi %c, %one : index\n"
                             "%m = memref.alloc(%n) : memref<?xf32>\n"
                             "memref.store %f0, %m[%c0] : memref<?xf32>"))
                  .contains(" bytes of memory to give"))
      << messages;
}

TEST_F(HostChecksTest, AlignmentsAreThoseOfThisHost) {
  EXPECT_EQ(fail("%m = memref.alloc() {alignment = 4096} : memref<4xf32>\n"
                 "%a = memref.assume_alignment %m, 4096 : memref<4xf32>\n"
                 "memref.store %f0, %a[%c0] : memref<4xf32>"),
            "no error");
  EXPECT_EQ(fail("%m = memref.alloc() {alignment = 4611686018427387904} : "
                 "memref<4xf32>\n"
                 "memref.store %f0, %m[%c0] : memref<4xf32>"),
            "host code asks for an alignment of 4611686018427387904 bytes, but "
            "at most 2097152 are possible");
  EXPECT_EQ(fail("%m = memref.alloc() : memref<4xf32>\n"
                 "%v = memref.subview %m[1] [2] [1] : memref<4xf32> to "
                 "memref<2xf32, strided<[1], offset: 1>>\n"
                 "memref.store %f0, %v[%c0] {alignment = 4096} : "
                 "memref<2xf32, strided<[1], offset: 1>>"),
            "no error");
}

TEST_F(HostChecksTest, TheStackIsNotUsed) {
  EXPECT_EQ(fail("%n = arith.constant 1000 : index\n"
                 "scf.for %i = %c0 to %n step %c1 {\n"
                 "  %m = memref.alloca() : memref<4096xf32>\n"
                 "  memref.store %f0, %m[%i] : memref<4096xf32>\n"
                 "}"),
            "no error");
}

TEST_F(HostChecksTest, MemoryIsFreedOnce) {
  EXPECT_EQ(fail("%m = memref.alloc() : memref<4xf32>\n"
                 "memref.dealloc %m : memref<4xf32>\n"
                 "memref.dealloc %m : memref<4xf32>"),
            "'memref.dealloc' op frees memory that was freed before");
  EXPECT_TRUE(hasNote("allocated here"));
  EXPECT_TRUE(hasNote("freed here"));
  EXPECT_EQ(fail("%m = bufferization.to_buffer %x read_only "
                 ": tensor<4x8xf32> to memref<4x8xf32>\n"
                 "memref.dealloc %m : memref<4x8xf32>"),
            "'memref.dealloc' op frees memory that host code did not allocate");
  EXPECT_TRUE(hasNote("the memory is that of input 0 of the run"));
  EXPECT_EQ(fail("%m = memref.get_global @g : memref<4xf32>\n"
                 "memref.dealloc %m : memref<4xf32>",
                 "memref.global \"private\" @g : memref<4xf32> = dense<1.0>\n"),
            "'memref.dealloc' op frees memory that host code never allocated");
  messages.clear();
  EXPECT_TRUE(run(R"mlir(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %m = memref.alloc() : memref<4xf32>
      %in = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
      memref.copy %in, %m : memref<4xf32> to memref<4xf32>
      memref.dealloc %m : memref<4xf32>
      %y = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
      return %y : tensor<4xf32>
    })mlir")
                  .empty());
  EXPECT_TRUE(StringRef(messages).starts_with(
      "'memref.dealloc' op frees memory that holds a result of the run"))
      << messages;
  EXPECT_TRUE(hasNote("the memory is that of result 0 of the run"));
}

TEST_F(HostChecksTest, FreedMemoryIsNotUsed) {
  std::string freed = "%m = memref.alloc() : memref<4x8xf32>\n"
                      "memref.dealloc %m : memref<4x8xf32>\n";
  EXPECT_EQ(fail(freed + "linalg.fill ins(%f0 : f32) "
                         "outs(%m : memref<4x8xf32>)"),
            "'linalg.fill' op writes memory after it was freed");
  EXPECT_EQ(fail(freed + "%y = memref.load %m[%c0, %c0] : memref<4x8xf32>\n"
                         "%s = tensor.splat %y : tensor<4xf32>"),
            "'memref.load' op reads memory after it was freed");
  EXPECT_EQ(
      fail("%n2 = arith.constant 2 : index\n"
           "%m = memref.alloc(%one) : memref<?xf32>\n"
           "%n = memref.realloc %m(%n2) : memref<?xf32> to memref<?xf32>\n"
           "memref.store %f0, %m[%c0] : memref<?xf32>\n"
           "memref.dealloc %n : memref<?xf32>"),
      "'memref.store' op writes memory after it was freed");
}

TEST_F(HostChecksTest, InputsAndConstantsAreNotWritten) {
  std::string input = "%b = bufferization.to_buffer %x read_only "
                      ": tensor<4x8xf32> to memref<4x8xf32>\n"
                      "%m = func.call @pass(%b) : (memref<4x8xf32>) "
                      "-> memref<4x8xf32>\n";
  EXPECT_EQ(fail(input + "memref.store %f0, %m[%c0, %c0] : memref<4x8xf32>",
                 passBuffer),
            "'memref.store' op writes an input of the run, but tensors keep "
            "their values");
  StringRef constant = "memref.global \"private\" constant @g : "
                       "memref<4x8xf32> = dense<1.0>\n";
  EXPECT_EQ(fail("%m = memref.get_global @g : memref<4x8xf32>\n"
                 "memref.store %f0, %m[%c0, %c0] : memref<4x8xf32>",
                 constant),
            "'memref.store' op writes a constant");
}

TEST_F(HostChecksTest, WhatIsReadOnlyIsNotWritten) {
  std::string message =
      "op writes a buffer of a tensor that is taken read_only";
  std::string buffer = "%y = arith.addf %x, %x : tensor<4x8xf32>\n"
                       "%m = bufferization.to_buffer %y read_only "
                       ": tensor<4x8xf32> to memref<4x8xf32>\n";
  EXPECT_EQ(fail(buffer + "%v = memref.subview %m[1, 0] [1, 8] [1, 1] : "
                          "memref<4x8xf32> to "
                          "memref<1x8xf32, strided<[8, 1], offset: 8>>\n"
                          "linalg.fill ins(%f0 : f32) outs(%v : "
                          "memref<1x8xf32, strided<[8, 1], offset: 8>>)"),
            "'linalg.fill' " + message);
  EXPECT_TRUE(hasNote("taken here"));
  EXPECT_EQ(fail(buffer + "%i = memref.alloc() : memref<4x8xf32>\n"
                          "func.call @copy(%i, %m) : (memref<4x8xf32>, "
                          "memref<4x8xf32>) -> ()"),
            "'func.call' " + message);
  EXPECT_EQ(fail(buffer + "%o = memref.alloc() : memref<4x8xf32>\n"
                          "func.call @copy(%m, %o) : (memref<4x8xf32>, "
                          "memref<4x8xf32>) -> ()"),
            "no error");
}

TEST_F(HostChecksTest, AssertsAreErrors) {
  EXPECT_EQ(fail("cf.assert %isNotZero, \"must not be 0\""),
            "'cf.assert' op finds its condition false: must not be 0");
}

TEST_F(HostChecksTest, SignalsAreErrors) {
  // What is undefined may do anything, above all in code that is optimized, as
  // it is where sizes are not known.
  EXPECT_TRUE(
      StringRef(fail("%e = tensor.empty(%one) : tensor<?xf32>\n"
                     "%d = linalg.fill ins(%f0 : f32) outs(%e : "
                     "tensor<?xf32>) -> tensor<?xf32>\n"
                     "%p = ub.poison : index\n"
                     "%y = tensor.extract %x[%p, %c0] : tensor<4x8xf32>\n"
                     "%f = tensor.insert %y into %d[%c0] : tensor<?xf32>\n"
                     "%o = memref.alloc(%one) : memref<?xf32>\n"
                     "bufferization.materialize_in_destination %f in "
                     "restrict writable %o : (tensor<?xf32>, "
                     "memref<?xf32>) -> ()"))
          .starts_with("host code that @main runs ended with a fault "
                       "that no check foresaw ("))
      << messages;
  // Far more than LLVM can select instructions for.
  EXPECT_TRUE(
      StringRef(fail("%v = arith.constant dense<1.0> : vector<100000xf32>\n"
                     "%m = memref.alloc() : memref<2xvector<100000xf32>>\n"
                     "memref.store %v, %m[%c0] : memref<2xvector<100000xf32>>\n"
                     "%l = memref.load %m[%zero] : "
                     "memref<2xvector<100000xf32>>\n"
                     "%s = arith.addf %l, %v : vector<100000xf32>\n"
                     "memref.store %s, %m[%c1] : memref<2xvector<100000xf32>>"))
          .starts_with("the host code around the kernels cannot be compiled: "
                       "LLVM fails on it ("))
      << messages;
}

TEST_F(HostChecksTest, NothingBelowHostCodeIsRun) {
  EXPECT_EQ(fail("%p = llvm.mlir.zero : !llvm.ptr"),
            "'llvm.mlir.zero' op is below host code, which is checked as it "
            "runs; use arith, memref and the like");
}

} // namespace
