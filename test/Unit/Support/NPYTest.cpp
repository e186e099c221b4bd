//===- NPYTest.cpp - Tests of the npy reader and writer -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/NPY.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace mlir::trn;

/// A version 1 file with the given header and `count` zero bytes of values.
static std::string file(llvm::StringRef header, size_t count) {
  std::string bytes("\x93NUMPY\1\0", 8);
  bytes += char(header.size() & 0xff);
  bytes += char(header.size() >> 8);
  return bytes + header.str() + std::string(count, '\0');
}

static std::string refusal(llvm::StringRef bytes) {
  llvm::Expected<ArrayView> view = parseNPY(bytes);
  return view ? "accepted" : llvm::toString(view.takeError());
}

TEST(NPY, ReadsTypesOrdersAndShapes) {
  std::string bytes =
      file("{'descr': '<f2', 'fortran_order': True, 'shape': (3, 4), }\n", 24);
  ArrayView view = llvm::cantFail(parseNPY(bytes));
  EXPECT_EQ(view.type, ElementType::F16);
  EXPECT_TRUE(view.columnMajor);
  EXPECT_EQ(view.shape, (llvm::SmallVector<int64_t, 4>{3, 4}));
  EXPECT_EQ(view.data, bytes.data() + bytes.size() - 24);
  // Keys in any order, no blanks, rank 1 and 0.
  bytes = file("{'shape':(5,),'descr':'<f4','fortran_order':False}", 20);
  EXPECT_EQ(llvm::cantFail(parseNPY(bytes)).shape.size(), 1u);
  bytes = file("{'shape':(),'descr':'<f4','fortran_order':False}", 4);
  EXPECT_TRUE(llvm::cantFail(parseNPY(bytes)).shape.empty());
}

TEST(NPY, ReadsVersion2) {
  llvm::StringRef header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  std::string bytes("\x93NUMPY\2\0", 8);
  bytes += char(header.size());
  bytes += std::string(3, '\0') + header.str() + std::string(4, '\0');
  EXPECT_EQ(refusal(bytes), "accepted");
}

TEST(NPY, RefusesWithTheReason) {
  EXPECT_EQ(refusal(""), "not an npy file");
  EXPECT_EQ(refusal("PK\3\4 something else"), "not an npy file");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\7\0\0\0", 10)),
            "npy format is 7.0, but only 1.0, 2.0 and 3.0 are read");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\1\0\x76", 9)),
            "npy file ends inside its header");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\1\0\x76\0{'des", 15)),
            "npy file ends inside its header");
  EXPECT_EQ(refusal(file("{'descr': '<f4', 'fortran_order': False}", 4)),
            "npy header is malformed");
  EXPECT_EQ(refusal(file("{'descr': '<f4', 'shape': (3, -4)}", 4)),
            "npy header is malformed");
  EXPECT_EQ(refusal(file("{'descr': '>f4'}", 4)),
            "npy element type is '>f4', but only '<f2' (float16), '<f4' "
            "(float32), '|b1' (bool) and signed integers are read; convert "
            "with astype('float32')");
  EXPECT_EQ(refusal(file("{'descr': [('a', '<f4')]}", 4)),
            "npy file holds structured values, but only float16 and float32 "
            "are read");
  EXPECT_EQ(
      refusal(file("{'descr':'<f4','fortran_order':False,'shape':(3,4)}", 49)),
      "npy file has data after its values: shape 3x4 needs 48 bytes, but 49 "
      "follow the header");
  EXPECT_EQ(
      refusal(file("{'descr':'<f4','fortran_order':False,'shape':(3,4)}", 47)),
      "npy file is truncated: shape 3x4 needs 48 bytes of values, but 47 "
      "follow the header");
  EXPECT_EQ(refusal(file("{'descr':'<f4','fortran_order':False,'shape':("
                         "4000000000000000000,4000000000000000000)}",
                         4)),
            "npy shape 4000000000000000000x4000000000000000000 is too large");
}

TEST(NPY, RefusesWhatPythonWouldNotWrite) {
  for (const char *header :
       {"{'descr':'<f4','fortran_order':False,'shape':(3)}",
        "{'descr':'<f4','fortran_order':False,'shape':(3 4)}",
        "{'descr':'<f4','fortran_order':False,'shape':(,)}",
        "{'descr':'<f4' 'fortran_order':False,'shape':(3,)}",
        "{'descr':'<f4','fortran_order':Falsehood,'shape':(3,)}",
        "{'descr':'<f4','fortran_order':False,'shape':(3,)}x",
        "{'descr':'<f4','descr':'<f2','fortran_order':False,'shape':(3,)}"})
    EXPECT_EQ(refusal(file(header, 12)), "npy header is malformed") << header;
}

TEST(NPY, NeverReadsBehindDamagedBytes) {
  std::mt19937 random(1);
  const std::string good =
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good.substr(0, random() % (good.size() + 1));
    for (int change = random() % 4; change > 0 && !bytes.empty(); --change)
      bytes[random() % bytes.size()] = char(random());
    llvm::Expected<ArrayView> view = parseNPY(bytes);
    if (!view) {
      llvm::consumeError(view.takeError());
      continue;
    }
    int64_t size = *countElements(view->shape) * byteSize(view->type);
    EXPECT_LE(view->data + size, bytes.data() + bytes.size());
  }
}

TEST(NPY, WritesWhatItReads) {
  for (ElementType type :
       {ElementType::BF16, ElementType::F16, ElementType::F32}) {
    llvm::SmallString<64> path;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("npy", "npy", path));
    llvm::FileRemover remover(path);
    HostTensor out = llvm::cantFail(HostTensor::create(type, {301, 217}));
    out.fillRandom(3, 0, 1);
    ASSERT_FALSE(writeNPY(path, out));
    HostTensor in = llvm::cantFail(HostTensor::create(type, {301, 217}));
    ASSERT_FALSE(readNPY(path, in));
    EXPECT_EQ(std::memcmp(in.data(), out.data(), out.numBytes()), 0);
  }
}

TEST(NPY, HeaderEndsAtAMultipleOf64) {
  const std::vector<std::vector<int64_t>> shapes = {{}, {7}, {12345, 67}};
  for (const std::vector<int64_t> &shape : shapes) {
    llvm::SmallString<64> path;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("npy", "npy", path));
    llvm::FileRemover remover(path);
    HostTensor out =
        llvm::cantFail(HostTensor::create(ElementType::F32, shape));
    out.fillZero();
    ASSERT_FALSE(writeNPY(path, out));
    auto bytes = llvm::MemoryBuffer::getFile(path);
    ArrayView view = llvm::cantFail(parseNPY((*bytes)->getBuffer()));
    EXPECT_EQ((view.data - (*bytes)->getBufferStart()) % 64, 0);
    EXPECT_EQ(llvm::ArrayRef<int64_t>(view.shape),
              llvm::ArrayRef<int64_t>(shape));
  }
}

TEST(NPY, ErrorsNameTheFile) {
  HostTensor tensor = llvm::cantFail(HostTensor::create(ElementType::F32, {1}));
  EXPECT_EQ(llvm::toString(readNPY("/nonexistent/x.npy", tensor)),
            "'/nonexistent/x.npy': No such file or directory");
  EXPECT_EQ(llvm::toString(writeNPY("/nonexistent/x.npy", tensor)),
            "cannot write '/nonexistent/x.npy': No such file or directory");
}
