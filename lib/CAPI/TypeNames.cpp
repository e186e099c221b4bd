//===- TypeNames.cpp - Types by the names that libMLIR has for them -------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries that show each other no C++ know many types of MLIR, traits of ops
// above all, by what the compiler calls them. Clang, which builds the
// distribution's libMLIR, calls a trait `Trait<Empty>`, and GCC
// `Trait<mlir::TypeID::get<Trait>()::Empty>`.
//
//===----------------------------------------------------------------------===//

#include "mlir/Support/TypeID.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

using namespace mlir;

/// The name may be Clang's already. What is given to libMLIR must live on.
static StringRef spellAsClang(StringRef name) {
  static std::mutex mutex;
  static auto *names = new llvm::StringSet<>; // as long as libMLIR
  size_t place = name.find("<mlir::TypeID::get<");
  if (place == StringRef::npos || !name.ends_with("()::Empty>"))
    return name;
  std::lock_guard<std::mutex> lock(mutex);
  return names->insert(name.take_front(place).str() + "<Empty>")
      .first->getKey();
}

// The linker sends calls of libMLIR's function to the second (--wrap).
#define REGISTER                                                               \
  "_ZN4mlir6detail22FallbackTypeIDResolver22registerImplicitTypeIDEN4llvm9"    \
  "StringRefE"
TypeID registerInLibMLIR(StringRef name) asm("__real_" REGISTER);
TypeID registerByClangsName(StringRef name) asm("__wrap_" REGISTER);

TypeID registerByClangsName(StringRef name) {
  return registerInLibMLIR(spellAsClang(name));
}
