//===- Expression.cpp - What is computed element by element ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Expression.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

unsigned Expression::add(const Value &value) {
  auto known = llvm::find(values, value);
  if (known != values.end())
    return known - values.begin();
  values.push_back(value);
  return values.size() - 1;
}

unsigned Expression::apply(Function function,
                           llvm::ArrayRef<unsigned> arguments,
                           ElementType type) {
  return add({Value::Kind::Apply, 0, 0, function,
              llvm::SmallVector<unsigned, 2>(arguments), type});
}

unsigned Expression::round(unsigned value, ElementType type, size_t before) {
  if (value < before || values[value].kind != Value::Kind::Apply ||
      values[value].type != ElementType::F32)
    return apply(Function::Copy, value, type);
  Value own = std::move(values.back());
  values.pop_back();
  own.type = type;
  return add(own);
}

/// Adds to `to` what `from` computes as `number`, its values in the order in
/// which they are printed. `sums` are those in use.
static unsigned copy(const Expression &from, unsigned number, Expression &to,
                     llvm::SmallVectorImpl<unsigned> &sums) {
  const Value &value = from.values[number];
  if (value.kind == Value::Kind::Sum) {
    auto known = llvm::find(sums, value.number);
    if (known == sums.end())
      known = sums.insert(sums.end(), value.number);
    return to.addSum(known - sums.begin());
  }
  if (value.kind != Value::Kind::Apply)
    return to.add(value);
  size_t before = to.values.size();
  llvm::SmallVector<unsigned> arguments;
  for (unsigned argument : value.arguments)
    arguments.push_back(copy(from, argument, to, sums));
  if (value.type == ElementType::F32)
    return to.apply(value.function, arguments);
  unsigned result = value.function == Function::Copy
                        ? arguments.front()
                        : to.apply(value.function, arguments);
  return to.round(result, value.type, before);
}

Expression Expression::canonical(unsigned root, ElementType type,
                                 llvm::SmallVectorImpl<unsigned> &sums) const {
  Expression result;
  unsigned value = copy(*this, root, result, sums);
  Value &last = result.values[value];
  if (last.is(last.function))
    last.type = type;
  else if (last.kind != Value::Kind::Apply || last.type != type)
    result.apply(Function::Copy, value, type);
  // The rounding of a sum is what happens to it in any case.
  bool isPlain = result.values.size() == 2 &&
                 result.values[0].kind == Value::Kind::Sum &&
                 result.values[1].function == Function::Copy;
  return isPlain ? Expression() : result;
}

size_t Expression::writtenSize(unsigned root) const {
  std::vector<size_t> sizes;
  for (const Value &value : values) {
    size_t size = 1;
    for (unsigned argument : value.arguments)
      size = std::min(size + sizes[argument], maxSize + 1);
    sizes.push_back(size);
  }
  return sizes[root];
}

llvm::SmallVector<unsigned, 2> Expression::matrices() const {
  llvm::SmallVector<unsigned, 2> matrices;
  for (const Value &value : values)
    if (value.kind == Value::Kind::Matrix &&
        !llvm::is_contained(matrices, value.number))
      matrices.push_back(value.number);
  return matrices;
}
