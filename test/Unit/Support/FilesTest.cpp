//===- FilesTest.cpp - Tests of input and output files --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/InputFile.h"
#include "trn/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "gtest/gtest.h"
#include <fstream>
#include <sys/stat.h>

using namespace mlir::trn;
namespace fs = llvm::sys::fs;

namespace {
/// A folder of its own for each test.
class Files : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("trn-files", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string at(llvm::StringRef name) const {
    return (folder + "/" + name).str();
  }
  static void put(const std::string &path, llvm::StringRef text) {
    ASSERT_FALSE(writeFile(path, [&](llvm::raw_ostream &os) { os << text; }));
  }
  static std::string get(llvm::StringRef path) {
    auto buffer = readInputFile(path, /*isText=*/true);
    return buffer ? (*buffer)->getBuffer().str()
                  : llvm::toString(buffer.takeError());
  }
  size_t count() const {
    size_t number = 0;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; it != end;
         it.increment(problem))
      ++number;
    return number;
  }
  static std::string check(llvm::ArrayRef<llvm::StringRef> outputs,
                           llvm::ArrayRef<llvm::StringRef> inputs = {}) {
    return llvm::toString(checkOutputs(outputs, inputs));
  }

  llvm::SmallString<128> folder;
};
} // namespace

/// By `gunzip` it is what was written; twice the same gives the same bytes.
TEST_F(Files, NamesThatEndInGzAreCompressed) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += std::to_string(i) + "\n";
  put(at("a.gz"), text);
  put(at("b.gz"), text);
  put(at("empty.gz"), "");
  EXPECT_LT(get(at("a.gz")).size(), text.size() / 2);
  EXPECT_EQ(get(at("a.gz")), get(at("b.gz")));
  ASSERT_EQ(std::system(("gunzip " + folder + "/*.gz").str().c_str()), 0);
  EXPECT_EQ(get(at("a")), text);
  EXPECT_EQ(get(at("empty")), "");
}

TEST_F(Files, AreWholeOrAbsent) {
  put(at("a"), "old");
  {
    OutputFile file = llvm::cantFail(OutputFile::open(at("a")));
    file.os() << "new";
    file.os().flush();
    EXPECT_EQ(get(at("a")), "old");
  }
  EXPECT_EQ(get(at("a")), "old");
  OutputFile file = llvm::cantFail(OutputFile::open(at("a")));
  file.os() << "new";
  EXPECT_FALSE(file.keep());
  EXPECT_EQ(get(at("a")), "new");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, LinksAndPermissionsStay) {
  put(at("a"), "old");
  ASSERT_EQ(chmod(at("a").c_str(), 0600), 0);
  ASSERT_FALSE(fs::create_link("a", at("link")));
  put(at("link"), "new");
  EXPECT_EQ(get(at("a")), "new");
  EXPECT_TRUE(fs::is_symlink_file(at("link")));
  EXPECT_EQ(
      llvm::cantFail(llvm::errorOrToExpected(fs::getPermissions(at("a")))),
      fs::owner_read | fs::owner_write);
  ASSERT_FALSE(fs::create_link("b", at("dangling")));
  put(at("dangling"), "made");
  EXPECT_EQ(get(at("b")), "made");
}

TEST_F(Files, AFullDiskIsAnError) {
  auto write = [](llvm::raw_ostream &os) { os << "text"; };
  EXPECT_EQ(llvm::toString(writeFile("/dev/full", write)),
            "cannot write '/dev/full': No space left on device");
  EXPECT_FALSE(writeFile("/dev/null", write));
}

TEST_F(Files, NoOutputIsAnInput) {
  put(at("a"), "x");
  ASSERT_FALSE(fs::create_hard_link(at("a"), at("hard")));
  ASSERT_FALSE(fs::create_link("a", at("link")));
  ASSERT_FALSE(fs::create_link(".", at("here")));
  for (const char *name : {"a", "hard", "link", "here/a", "here/./here/link"})
    EXPECT_EQ(check({at(name)}, {"", at("a")}),
              "output '" + at(name) + "' would overwrite the input '" +
                  at("a") + "'; write to another file");
  EXPECT_EQ(check({at("b"), "", "-"}, {at("a"), "-"}), "");
  EXPECT_EQ(check({"/dev/null"}, {"/dev/null"}), "");
}

TEST_F(Files, NoTwoOutputsAreOneFile) {
  ASSERT_FALSE(fs::create_link(".", at("here")));
  ASSERT_FALSE(fs::create_link("new", at("dangling")));
  EXPECT_EQ(check({at("new"), at("here/new")}),
            "two outputs would be written to '" + at("here/new") + "'");
  EXPECT_EQ(check({at("new"), at("dangling")}),
            "two outputs would be written to '" + at("dangling") + "'");
  EXPECT_EQ(check({at("new"), at("newer"), "", ""}), "");
  EXPECT_EQ(check({"/dev/null", "/dev/null"}), "");
  EXPECT_EQ(check({"-", "-"}), "two outputs would be written to '-'");
}

TEST_F(Files, OutputsCanBeWritten) {
  EXPECT_EQ(check({folder}),
            "cannot write '" + folder.str().str() + "': Is a directory");
  EXPECT_EQ(check({at("absent/a")}),
            "cannot write '" + at("absent/a") + "': No such file or directory");
  put(at("a"), "x");
  EXPECT_EQ(check({at("a/b")}),
            "cannot write '" + at("a/b") + "': Not a directory");
}

TEST_F(Files, EndlessInputsAreRefused) {
  auto buffer = readInputFile("/dev/zero", /*isText=*/false, 1000000);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(llvm::toString(buffer.takeError()),
            "it holds more than 1,000,000 bytes, the most that is read from "
            "what is not a regular file");
  // A regular file may be larger than what is streamed.
  put(at("a"), std::string(100, 'x'));
  EXPECT_EQ(
      (*llvm::cantFail(readInputFile(at("a"), false, 10))).getBufferSize(),
      100u);
  EXPECT_EQ(get(at("absent")), "No such file or directory");
  EXPECT_EQ(get(folder), "Is a directory");
}

TEST_F(Files, LargerThanMemoryIsRefused) {
  int file;
  ASSERT_FALSE(fs::openFileForWrite(at("sparse"), file));
  ASSERT_FALSE(fs::resize_file_sparse(file, int64_t(1) << 43));
  fs::file_t native = fs::convertFDToNativeFile(file);
  fs::closeFile(native);
  EXPECT_NE(get(at("sparse")).find("all of this machine's memory"),
            std::string::npos);
}

TEST_F(Files, ReleasedPagesAreNoMemoryAndStayReadable) {
  const size_t size = 64 << 20;
  put(at("a"), std::string(size, 'x'));
  auto buffer = llvm::cantFail(readInputFile(at("a"), /*isText=*/false));
  auto residentBytes = [] {
    int64_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * int64_t(llvm::sys::Process::getPageSizeEstimate());
  };
  auto count = [&] { return llvm::count(buffer->getBuffer(), 'x'); };
  EXPECT_EQ(count(), size);
  int64_t before = residentBytes();
  releasePages(*buffer);
  EXPECT_LT(residentBytes(), before - int64_t(size / 2));
  EXPECT_EQ(count(), size);
  auto copy = llvm::MemoryBuffer::getMemBufferCopy("abc");
  releasePages(*copy);
  EXPECT_EQ(copy->getBuffer(), "abc");
}
