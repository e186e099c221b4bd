//===- SafetensorsTest.cpp - Tests of the safetensors reader --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Safetensors.h"
#include "trn/Support/SafetensorsWriter.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstring>
#include <random>

using namespace mlir::trn;

static std::string file(llvm::StringRef header, llvm::StringRef values) {
  uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header.str() + values.str();
}

static llvm::Expected<SafetensorsFile> parse(llvm::StringRef bytes) {
  return SafetensorsFile::parse(
      llvm::MemoryBuffer::getMemBufferCopy(bytes, "test"));
}

static std::string lookupError(llvm::StringRef header, llvm::StringRef values) {
  llvm::Expected<SafetensorsFile> checkpoint = parse(file(header, values));
  if (!checkpoint)
    return llvm::toString(checkpoint.takeError());
  llvm::Expected<ArrayView> view = checkpoint->lookup("w");
  return view ? "accepted" : llvm::toString(view.takeError());
}

TEST(Safetensors, FindsATensor) {
  SafetensorsFile checkpoint = llvm::cantFail(
      parse(file(R"({"__metadata__": {"a": "b"}, "w": {"dtype": "BF16",
               "shape": [2, 1], "data_offsets": [1, 5]},
               "b": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}})",
                 "?abcd")));
  EXPECT_TRUE(checkpoint.contains("w"));
  EXPECT_FALSE(checkpoint.contains("v"));
  EXPECT_FALSE(checkpoint.contains("__metadata__"));
  ArrayView view = llvm::cantFail(checkpoint.lookup("w"));
  EXPECT_EQ(view.type, ElementType::BF16);
  EXPECT_EQ(view.shape, (llvm::SmallVector<int64_t, 4>{2, 1}));
  EXPECT_EQ(llvm::StringRef(view.data, 4), "abcd");
}

TEST(Safetensors, LoadsDoubles) {
  // 1.0 in F64 and in F16.
  SafetensorsFile checkpoint = llvm::cantFail(parse(
      file(R"({"d": {"dtype": "F64", "shape": [1, 1], "data_offsets": [0, 8]},
               "h": {"dtype": "F16", "shape": [1], "data_offsets": [8, 10]},
               "s": {"dtype": "F64", "shape": [2], "data_offsets": [10, 18]}})",
           llvm::StringRef("\0\0\0\0\0\0\xF0\x3F\0\x3C"
                           "12345678",
                           18))));
  auto load = [&](const char *name, std::vector<int64_t> shape) {
    return checkpoint.loadDoubles(name, shape);
  };
  EXPECT_EQ(llvm::cantFail(load("d", {1, 1})), std::vector<double>{1});
  EXPECT_EQ(llvm::cantFail(load("h", {1})), std::vector<double>{1});
  EXPECT_EQ(llvm::toString(load("d", {1}).takeError()),
            "tensor 'd' is 1x1, but must be 1");
  EXPECT_EQ(llvm::toString(load("s", {2}).takeError()),
            "tensor 's' has shape 2, but 8 bytes of values");
  EXPECT_EQ(llvm::toString(load("w", {1}).takeError()),
            "tensor 'w' is not in the checkpoint");
}

TEST(Safetensors, RefusesWithTheReason) {
  EXPECT_EQ(llvm::toString(parse("abc").takeError()),
            "not a safetensors file: shorter than 8 bytes");
  EXPECT_EQ(llvm::toString(parse("GGUF    {}").takeError()),
            "not a safetensors file, or truncated: header of "
            "2314885531459471175 bytes, but only 2 follow");
  EXPECT_EQ(llvm::toString(parse(file("[]", "")).takeError()),
            "safetensors header is not a JSON object");
  EXPECT_EQ(lookupError("{}", ""), "tensor 'w' is not in the checkpoint");
  EXPECT_EQ(
      lookupError(R"({"w":{"dtype":"I16","shape":[1],"data_offsets":[0,2]}})",
                  "ab"),
      "tensor 'w' has type I16, but only BF16, F16, F32, I8 and F8_E4M3 are "
      "read");
  EXPECT_EQ(
      lookupError(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                  "abc"),
      "tensor 'w' ends at byte 4, but the file holds only 3 bytes of values");
  EXPECT_EQ(
      lookupError(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})",
                  "abcd"),
      "tensor 'w' has shape 2, but 4 bytes of values");
  EXPECT_EQ(
      lookupError(R"({"w":{"dtype":"F32","shape":["2"],"data_offsets":[0,4]}})",
                  "abcd"),
      "tensor 'w' has a malformed entry in the header");
}

TEST(Safetensors, RefusesNumbersThatOthersDoNotRead) {
  for (llvm::StringRef number : {"4.0", "4e0", "4E+0"})
    EXPECT_EQ(lookupError((R"({"__metadata__":{"a":"\"1.5"},"w":{"dtype":)"
                           R"("F16","shape":[1, )" +
                           number + R"(],"data_offsets":[0,8]}})")
                              .str(),
                          "abcdefgh"),
              "safetensors header has the number " + number.str() +
                  ", but sizes and offsets are whole");
}

TEST(Safetensors, ValuesLieOneAfterTheOther) {
  auto pair = [](llvm::StringRef v, llvm::StringRef w) {
    return lookupError((R"({"v":{"dtype":"F16","shape":[2],"data_offsets":)" +
                        v + R"(},"w":{"dtype":"F16","shape":[2],)" +
                        R"("data_offsets":)" + w + "}}")
                           .str(),
                       "abcdefgh");
  };
  EXPECT_EQ(pair("[0,4]", "[4,8]"), "accepted");
  EXPECT_EQ(pair("[4,8]", "[0,4]"), "accepted");
  EXPECT_EQ(pair("[0,4]", "[2,6]"), "tensor 'w' shares bytes with 'v'");
  EXPECT_EQ(pair("[4,8]", "[4,8]"),
            "tensor 'v' starts at byte 4, but the bytes from 0 on belong to no "
            "tensor");
  EXPECT_EQ(pair("[0,4]", "[0,4]"), "tensor 'w' shares bytes with 'v'");
  EXPECT_EQ(pair("[0,4]", "[9223372036854775803,9223372036854775807]"),
            "tensor 'w' ends at byte 9223372036854775807, but the file holds "
            "only 8 bytes of values");
  EXPECT_EQ(pair("[0,4]", "[4,9223372036854775808]"),
            "tensor 'w' has a malformed entry in the header");
  EXPECT_EQ(lookupError("{}", "abcd"),
            "the last tensor ends at byte 0, but the file holds 4 bytes of "
            "values");
  EXPECT_EQ(
      lookupError(
          R"({"w":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})",
          ""),
      "tensor 'w' has shape 4611686018427387904, but 0 bytes of values");
}

TEST(Safetensors, HeaderIsJsonWithoutSurprises) {
  EXPECT_EQ(
      llvm::toString(parse(file(std::string(50000, '['), "")).takeError()),
      "safetensors header is malformed: the JSON is nested more than 64 "
      "deep");
  EXPECT_EQ(llvm::toString(parse(file(R"({"w":1,"w":2})", "")).takeError()),
            "safetensors header is malformed: the JSON has the key \"w\" twice "
            "in one object");
  EXPECT_EQ(llvm::toString(
                parse(file(std::string(100'000'001, ' '), "")).takeError()),
            "safetensors header has 100000001 bytes, but at most 100000000 are "
            "allowed");
}

TEST(Safetensors, NeverReadsBehindDamagedBytes) {
  std::mt19937 random(1);
  const std::string good = file(
      R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "abcdefgh");
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good.substr(0, random() % (good.size() + 1));
    for (int change = random() % 4; change > 0 && !bytes.empty(); --change)
      bytes[random() % bytes.size()] = char(random());
    llvm::Expected<SafetensorsFile> checkpoint = parse(bytes);
    if (!checkpoint) {
      llvm::consumeError(checkpoint.takeError());
      continue;
    }
    llvm::Expected<ArrayView> view = checkpoint->lookup("w");
    if (!view)
      llvm::consumeError(view.takeError());
  }
}

TEST(SafetensorsWriter, FileAppearsWholeOrNotAtAll) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<0> folder;
  ASSERT_FALSE(fs::createUniqueDirectory("trn-writer", folder));
  const std::string path = (folder + "/a.safetensors").str();
  const SafetensorsWriter::Tensor tensors[] = {
      {"w", ElementType::BF16, {3}}, {"long", ElementType::F32, {70000}}};
  auto isEmpty = [&] {
    std::error_code problem;
    return fs::directory_iterator(folder, problem) == fs::directory_iterator();
  };
  std::vector<float> many(70000, 5);
  many.back() = 6;
  for (bool commits : {false, true}) {
    SafetensorsWriter writer =
        llvm::cantFail(SafetensorsWriter::create(path, tensors));
    writer.write("long", many);
    writer.write("w", {1, -2, 3.0078125f}); // the last one is no bf16
    EXPECT_FALSE(fs::exists(path));
    if (commits)
      llvm::cantFail(writer.commit());
    else
      EXPECT_FALSE(isEmpty());
  }
  {
    SafetensorsFile read = llvm::cantFail(SafetensorsFile::open(path));
    ArrayView w = llvm::cantFail(read.lookup("w")),
              last = llvm::cantFail(read.lookup("long"));
    float found[3], end[2];
    loadFloats(ElementType::BF16, w.data, found, 3);
    EXPECT_EQ(llvm::ArrayRef(found), llvm::ArrayRef<float>({1, -2, 3}));
    loadFloats(ElementType::F32, last.data + 69998 * sizeof(float), end, 2);
    EXPECT_EQ(llvm::ArrayRef(end), llvm::ArrayRef<float>({5, 6}));
  }
  EXPECT_EQ(llvm::toString(
                SafetensorsWriter::create(path + "/b", tensors).takeError()),
            "cannot write '" + path + "/b': Not a directory");
  fs::remove(path);
  EXPECT_TRUE(isEmpty());
  fs::remove_directories(folder);
}
