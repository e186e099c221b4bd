//===- NPY.cpp - Read and write NumPy's npy files -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is NEP 1: a magic string, two version bytes, the length of the
// header (2 bytes in version 1, 4 later), the header, which is a Python
// dictionary such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// and the values.
//
//===----------------------------------------------------------------------===//

#include "trn/Support/NPY.h"

#include "trn/Support/InputFile.h"
#include "trn/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::StringRef;

static constexpr StringRef magic = "\x93NUMPY";

namespace {

/// Reads the dictionary of the header from left to right.
class HeaderReader {
public:
  explicit HeaderReader(StringRef text) : rest(text) {}

  llvm::Expected<ArrayView> read();

private:
  bool accept(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  std::optional<StringRef> string() {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef value = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return value;
  }
  llvm::Error readType(ArrayView &view);
  bool readOrder(ArrayView &view);
  bool readShape(ArrayView &view);
  static llvm::Error malformed() {
    return createStringError("npy header is malformed");
  }

  StringRef rest;
};

} // namespace

llvm::Error HeaderReader::readType(ArrayView &view) {
  std::optional<StringRef> descr = string();
  if (!descr)
    return createStringError("npy file holds structured values, but only "
                             "float16 and float32 are read");
  auto type = llvm::StringSwitch<std::optional<HostType>>(*descr)
                  .Case("<f2", HostType(ElementType::F16))
                  .Case("<f4", HostType(ElementType::F32))
                  .Case("|b1", HostType::integer(1))
                  .Case("|i1", HostType::integer(8))
                  .Case("<i2", HostType::integer(16))
                  .Case("<i4", HostType::integer(32))
                  .Case("<i8", HostType::integer(64))
                  .Default(std::nullopt);
  if (!type)
    return createStringError(
        "npy element type is '" + *descr +
        "', but only '<f2' (float16), '<f4' (float32), '|b1' (bool) and signed "
        "integers are read; convert with astype('float32')");
  view.type = *type;
  return llvm::Error::success();
}

bool HeaderReader::readOrder(ArrayView &view) {
  view.columnMajor = accept("True");
  return view.columnMajor || accept("False");
}

bool HeaderReader::readShape(ArrayView &view) {
  if (!accept("("))
    return false;
  while (!accept(")")) {
    int64_t size;
    rest = rest.ltrim();
    if (rest.consumeInteger(10, size) || size < 0)
      return false;
    view.shape.push_back(size);
    if (accept(","))
      continue;
    // To Python (3) is a number, and (3,) a tuple.
    return view.shape.size() > 1 && accept(")");
  }
  return true;
}

llvm::Expected<ArrayView> HeaderReader::read() {
  ArrayView view;
  bool type = false, order = false, shape = false;
  if (!accept("{"))
    return malformed();
  while (!accept("}")) {
    std::optional<StringRef> key = string();
    if (!key || !accept(":"))
      return malformed();
    if (*key == "descr" && !type) {
      if (llvm::Error error = readType(view))
        return error;
      type = true;
    } else if (*key == "fortran_order" && !order && readOrder(view)) {
      order = true;
    } else if (*key == "shape" && !shape && readShape(view)) {
      shape = true;
    } else {
      return malformed();
    }
    if (!accept(",") && !rest.ltrim().starts_with("}"))
      return malformed();
  }
  if (!rest.trim().empty())
    return malformed();
  if (!type || !order || !shape)
    return malformed();
  return view;
}

llvm::Expected<ArrayView> mlir::trn::parseNPY(StringRef bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 2)
    return createStringError("not an npy file");
  int version = static_cast<unsigned char>(bytes[magic.size()]);
  int minor = static_cast<unsigned char>(bytes[magic.size() + 1]);
  if (version < 1 || version > 3 || minor != 0)
    return createStringError("npy format is " + std::to_string(version) + "." +
                             std::to_string(minor) +
                             ", but only 1.0, 2.0 and 3.0 are read");
  StringRef rest = bytes.drop_front(magic.size() + 2);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return createStringError("npy file ends inside its header");
  size_t length = version == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return createStringError("npy file ends inside its header");
  llvm::Expected<ArrayView> view = HeaderReader(rest.take_front(length)).read();
  if (!view)
    return view.takeError();
  rest = rest.drop_front(length);
  std::optional<int64_t> count = countElements(view->shape);
  if (!count || *count > INT64_MAX / byteSize(view->type))
    return createStringError("npy shape " + formatShape(view->shape) +
                             " is too large");
  int64_t needed = *count * byteSize(view->type);
  if (int64_t(rest.size()) < needed)
    return createStringError(
        "npy file is truncated: shape " + formatShape(view->shape) + " needs " +
        std::to_string(needed) + " bytes of values, but " +
        std::to_string(rest.size()) + " follow the header");
  if (int64_t(rest.size()) > needed)
    return createStringError(
        "npy file has data after its values: shape " +
        formatShape(view->shape) + " needs " + std::to_string(needed) +
        " bytes, but " + std::to_string(rest.size()) + " follow the header");
  view->data = rest.data();
  return view;
}

llvm::Error mlir::trn::readNPY(StringRef path, HostTensor &tensor) {
  // A pipe holds the tensor as f32 or i64 at most, and a header.
  constexpr int64_t maxHeader = 1 << 20;
  int64_t widest =
      tensor.getType().isInteger() ? sizeof(int64_t) : sizeof(float);
  auto file = readInputFile(path, /*isText=*/false,
                            tensor.numElements() * widest + maxHeader);
  if (!file)
    return llvm::createFileError(path, file.takeError());
  llvm::Expected<ArrayView> view = parseNPY((*file)->getBuffer());
  if (!view)
    return llvm::createFileError(path, view.takeError());
  // Of values for f32 and bf16, f16 would have lost some.
  if (view->type == ElementType::F16 &&
      (tensor.getType() == ElementType::F32 ||
       tensor.getType() == ElementType::BF16)) {
    StringRef type = stringify(tensor.getType().getFloats());
    return llvm::createFileError(
        path,
        createStringError("element type is f16, but " + type +
                          (type == "f32" ? "" : " or f32") + " is needed"));
  }
  if (llvm::Error error = tensor.assign(*view))
    return llvm::createFileError(path, std::move(error));
  return llvm::Error::success();
}

/// bf16 and floats of 8 bits are written as f32.
static std::string describe(HostType type) {
  if (!type.isInteger())
    return type == ElementType::F16 ? "<f2" : "<f4";
  if (type.getBits() == 1)
    return "|b1";
  return (type.getBits() == 8 ? "|i" : "<i") + std::to_string(byteSize(type));
}

static std::string makeHeader(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{'descr': '" << describe(tensor.getType())
     << "', 'fortran_order': False, 'shape': (";
  llvm::interleave(tensor.getShape(), os, ", ");
  os << (tensor.getShape().size() == 1 ? ",), }" : "), }");
  // The values start at a multiple of 64 bytes; the header ends in a newline.
  size_t before = magic.size() + 4;
  os.indent(llvm::alignTo(before + text.size() + 1, 64) - before - text.size() -
            1)
      << "\n";
  return text;
}

llvm::Error mlir::trn::writeNPY(StringRef path, const HostTensor &tensor) {
  return writeFile(path, [&](llvm::raw_ostream &os) {
    std::string header = makeHeader(tensor);
    char length[2];
    llvm::support::endian::write16le(length, header.size());
    os << magic << StringRef("\1\0", 2) << StringRef(length, 2) << header;
    const HostType type = tensor.getType();
    if (type.isInteger() || type == ElementType::F32 ||
        type == ElementType::F16) {
      os.write(static_cast<const char *>(tensor.data()), tensor.numBytes());
      return;
    }
    std::vector<float> values(1 << 16);
    for (int64_t i = 0; i < tensor.numElements(); i += values.size()) {
      int64_t size = std::min<int64_t>(values.size(), tensor.numElements() - i);
      tensor.loadF32(i, size, values.data());
      os.write(reinterpret_cast<const char *>(values.data()),
               size * sizeof(float));
    }
  });
}
