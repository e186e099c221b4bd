//===- KernelCallsTest.cpp - Tests of kernels called by host code ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Runtime/HostRun.h"
#include "RunsModules.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

using KernelCallsTest = RunsBodies;

TEST_F(KernelCallsTest, KernelsAreCalledDirectly) {
  EXPECT_EQ(fail("%m = memref.alloc() : memref<4x8xf32>\n"
                 "%f = func.constant @copy : (memref<4x8xf32>, "
                 "memref<4x8xf32>) -> ()\n"
                 "func.call_indirect %f(%m, %m) : (memref<4x8xf32>, "
                 "memref<4x8xf32>) -> ()"),
            "'func.constant' op refers to kernel @copy, but host code only "
            "calls kernels, by func.call");
  EXPECT_TRUE(hasNote("declared here"));
}

TEST_F(KernelCallsTest, call_c1__MemoryIsThere) {
  std::string call = "%o = memref.alloc() : memref<4x8xf32>\n"
                     "func.call @copy(%m, %o) : (memref<4x8xf32>, "
                     "memref<4x8xf32>) -> ()";
  EXPECT_EQ(fail("%m = memref.alloc() : memref<4x8xf32>\n"
                 "memref.dealloc %m : memref<4x8xf32>\n" +
                 call),
            "'func.call' op passes argument #0 of @copy in memory that was "
            "freed");
}

/// Checks of views let no host code come so far.
TEST_F(KernelCallsTest, call_c2__MemoryIsLargeEnough) {
  module = parseSourceString<ModuleOp>(copyKernel, &context);
  HostRun host(defaultMachine(), ExecutableOptions());
  auto kernel = *module->getOps<func::FuncOp>().begin();
  host.kernels.push_back(*decodeKernel(kernel, defaultMachine()));
  host.sites.push_back(
      {kernel.getLoc(), "func.call", "", {kernel.getLoc(), kernel.getLoc()}});
  float values[3 * 32] = {}, *x = values, *y = values + 64;
  auto callWithInput = [&](size_t bytes) {
    messages.clear();
    host.reset();
    if (bytes)
      host.memory.lend(x, bytes, HostMemory::Kind::Input, /*mayWrite=*/false,
                       0);
    host.memory.lend(y, 128, HostMemory::Kind::Result, /*mayWrite=*/true, 0);
    bool mayGoOn = host.callKernel(/*site=*/0, /*kernel=*/0, {x, y});
    EXPECT_EQ(mayGoOn, messages.empty());
    return StringRef(messages).split('\n').first;
  };
  EXPECT_EQ(callWithInput(128), "");
  EXPECT_EQ(callWithInput(64),
            "'func.call' op passes argument #0 of @copy of 128 bytes, but its "
            "memory has only 64 left");
  EXPECT_EQ(callWithInput(0),
            "'func.call' op passes argument #0 of @copy in memory that host "
            "code never allocated");
}

TEST_F(KernelCallsTest, call_c3__InputsAndConstantsAreNotWritten) {
  EXPECT_EQ(fail("%b = bufferization.to_buffer %x read_only "
                 ": tensor<4x8xf32> to memref<4x8xf32>\n"
                 "%m = func.call @pass(%b) : (memref<4x8xf32>) "
                 "-> memref<4x8xf32>\n"
                 "%o = memref.alloc() : memref<4x8xf32>\n"
                 "func.call @copy(%o, %m) : (memref<4x8xf32>, "
                 "memref<4x8xf32>) -> ()",
                 passBuffer),
            "'func.call' op passes argument #1 of @copy in memory of an input "
            "of the run; the kernel writes it, but tensors keep their values");
  EXPECT_EQ(fail("%m = memref.get_global @g : memref<4x8xf32>\n"
                 "%i = bufferization.to_buffer %x read_only "
                 ": tensor<4x8xf32> to memref<4x8xf32>\n"
                 "func.call @copy(%i, %m) : (memref<4x8xf32>, "
                 "memref<4x8xf32>) -> ()",
                 "memref.global \"private\" constant @g : "
                 "memref<4x8xf32> = dense<1.0>\n"),
            "'func.call' op passes argument #1 of @copy in memory of a "
            "constant, but the kernel writes it");
}

TEST_F(KernelCallsTest, call_c4__ArgumentsOfAKernelAreSeparate) {
  std::optional<Executable> executable = prepare((copyKernel + R"mlir(
    func.func @main(%x: memref<4x8xf32>) {
      call @copy(%x, %x) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      return
    })mlir")
                                                     .str());
  ASSERT_TRUE(executable) << messages;
  SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
  EXPECT_TRUE(failed(executable->run(inputs, {})));
  EXPECT_EQ(messages,
            "'func.call' op passes argument #1 of @copy in memory that "
            "argument #0 shares, but the kernel writes it\n"
            "note: argument #1 is this\n"
            "note: argument #0 is this\n"
            "note: the kernel\n");
}

TEST_F(KernelCallsTest, MemoryThatNobodyWroteIsNoInput) {
  std::string call = "%o = memref.alloc() : memref<4x8xf32>\n"
                     "func.call @copy(%m, %o) : (memref<4x8xf32>, "
                     "memref<4x8xf32>) -> ()";
  EXPECT_EQ(fail("%m = memref.alloc() : memref<4x8xf32>\n"
                 "%s = memref.subview %m[0, 0] [3, 8] [1, 1] : memref<4x8xf32> "
                 "to memref<3x8xf32, strided<[8, 1]>>\n"
                 "linalg.fill ins(%f0 : f32) "
                 "outs(%s : memref<3x8xf32, strided<[8, 1]>>)\n" +
                 call),
            "'trn.dma_copy' op reads byte 96 of a buffer, which was never "
            "written");
  EXPECT_TRUE(hasNote("called here"));
  EXPECT_TRUE(hasNote("host code wrote no element 24 of argument #0"));
  EXPECT_TRUE(hasNote("allocated here"));
  EXPECT_EQ(fail("%m = memref.get_global @g : memref<4x8xf32>\n" + call,
                 "memref.global \"private\" @g : memref<4x8xf32> = "
                 "uninitialized\n"),
            "'trn.dma_copy' op reads byte 0 of a buffer, which was never "
            "written");
  EXPECT_EQ(fail("%w = memref.get_global @g : memref<4x8xf32>\n"
                 "linalg.fill ins(%f0 : f32) outs(%w : memref<4x8xf32>)\n"
                 "%m = memref.get_global @g : memref<4x8xf32>\n" +
                     call,
                 "memref.global \"private\" @g : memref<4x8xf32> = "
                 "uninitialized\n"),
            "no error");
  // Not even if it is the result that is written later.
  messages.clear();
  EXPECT_TRUE(run((copyKernel + R"mlir(
    func.func @main() -> tensor<4x8xf32> {
      %f0 = arith.constant 0.0 : f32
      %m = memref.alloc() : memref<4x8xf32>
      %o = memref.alloc() : memref<4x8xf32>
      call @copy(%m, %o) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
      linalg.fill ins(%f0 : f32) outs(%m : memref<4x8xf32>)
      %y = bufferization.to_tensor %m restrict : memref<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    })mlir")
                      .str())
                  .empty());
  EXPECT_TRUE(hasNote("host code wrote no element 0 of argument #0"));
  EXPECT_TRUE(hasNote("the memory is that of result 0 of the run"));
}

TEST_F(KernelCallsTest, call_c5__MemoryThatNobodyWroteIsNoResult) {
  for (StringRef type : {"f32", "bf16", "f16"}) {
    messages.clear();
    EXPECT_TRUE(
        run(("func.func @main(%x: tensor<3x" + type + ">) -> tensor<4x" + type +
             "> {\n  %e = tensor.empty() "
             ": tensor<4x" +
             type +
             ">\n  %y = tensor.insert_slice %x "
             "into %e[0] [3] [1] : tensor<3x" +
             type + "> into tensor<4x" + type + ">\n  return %y : tensor<4x" +
             type + ">\n}")
                .str())
            .empty());
    EXPECT_EQ(messages, "result 0 of @main holds unwritten memory, "
                        "from element 3 on\nnote: this result\n");
  }
}

} // namespace
