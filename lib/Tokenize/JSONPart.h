//===- JSONPart.h - Parts of a tokenizer.json -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_JSONPART_H
#define TRN_LIB_TOKENIZE_JSONPART_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// An object of a tokenizer.json, whose errors say which part it is.
class JSONPart {
public:
  /// Fails if `value` is no object.
  static llvm::Expected<JSONPart> get(const llvm::json::Value &value,
                                      llvm::StringRef name);

  /// What `type` says, or nothing.
  llvm::StringRef type() const;
  const llvm::json::Value *find(llvm::StringRef key) const;

  // Values of a key. Null is as none, for which there may be another value.
  llvm::Expected<bool> getBool(llvm::StringRef key, bool otherwise) const;
  llvm::Expected<std::string> getString(llvm::StringRef key) const;
  /// A number of a token.
  llvm::Expected<int32_t> getToken(llvm::StringRef key) const;
  llvm::Expected<const llvm::json::Array *> getArray(llvm::StringRef key) const;
  llvm::Expected<JSONPart> getPart(llvm::StringRef key) const;

  /// That `key` has something else than what is read.
  llvm::Error refuse(llvm::StringRef key, llvm::StringRef wanted) const;
  /// That a part of this type is not read.
  llvm::Error refuseType(llvm::StringRef wanted) const;

private:
  JSONPart(const llvm::json::Object &object, llvm::StringRef name)
      : object(&object), name(name.str()) {}

  const llvm::json::Object *object;
  std::string name;
};

/// Visits a part, or, if its type is Sequence, those of its array `key`; none
/// for null.
llvm::Error
forEachStep(const llvm::json::Value *value, llvm::StringRef name,
            llvm::StringRef key,
            llvm::function_ref<llvm::Error(const JSONPart &)> visit);

/// What the number of a token stays below, so that one of a damaged file takes
/// no memory. The largest vocabularies have a quarter of a million.
constexpr int64_t maxTokens = int64_t(1) << 21;

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_JSONPART_H
