//===- RowFunctions.h - Norms, rotations, attention -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_GENERATE_ROWFUNCTIONS_H
#define TRN_LIB_GENERATE_ROWFUNCTIONS_H

#include "FunctionBuilder.h"

namespace mlir::trn {

/// RMSNorm of the last dim: rounded before the gain and behind it.
Value normalizeRms(FunctionBuilder &function, StringRef name, Value x,
                   Value gain, double epsilon);
/// LayerNorm of the last dim, rounded once.
Value normalizeLayer(FunctionBuilder &function, StringRef name, Value x,
                     Value gain, Value bias, double epsilon);

/// [m, heads x d] as [m, heads, d].
Value splitHeads(FunctionBuilder &function, const Twine &name, Value x,
                 int64_t heads);
/// [m, heads, d] as [heads, m, d], or the other way round.
Value swapHeads(FunctionBuilder &function, const Twine &name, Value x);
/// [a, b, d] as [groups, a x b / groups, d], in the same order.
Value regroupHeads(FunctionBuilder &function, const Twine &name, Value x,
                   int64_t groups);
/// [sequences x heads, m, d] as [sequences, heads, m, d], of one as it is; and
/// of several the other way round. Cores can then share heads.
Value splitSequences(FunctionBuilder &function, const Twine &name, Value x,
                     int64_t heads);
Value mergeSequences(FunctionBuilder &function, const Twine &name, Value x);
/// [m, heads, d] as [m, heads x d].
Value mergeHeads(FunctionBuilder &function, const Twine &name, Value x);

/// Rotates element i of each head with element i + d / 2: x [heads, m, d], cos
/// and sin [m, d].
Value rotateHalves(FunctionBuilder &function, const Twine &name, Value x,
                   Value cos, Value sin);
/// The keys or values of `before` and behind them those of `rows`.
Value appendRows(FunctionBuilder &function, const Twine &name, Value before,
                 Value rows);

/// softmax(q k^T / sqrt(d)) v, [heads, m, d].
Value attend(FunctionBuilder &function, const AttentionSpec &spec, Value q,
             Value k, Value v);

/// The same of one query [kvHeads, heads for each, d] for rows of `keysBefore`
/// and `valuesBefore` [kvHeads, rows, d], to whose scores `mask` [rows] in f32
/// is added, and behind them `key` and `value` [kvHeads, 1, d]. Nothing is put
/// together: a softmax has two parts.
Value attendBehind(FunctionBuilder &function, Value q, Value keysBefore,
                   Value valuesBefore, Value mask, Value key, Value value);

/// x + y, rounded.
Value addElements(FunctionBuilder &function, const Twine &name, Value x,
                  Value y);

} // namespace mlir::trn

#endif // TRN_LIB_GENERATE_ROWFUNCTIONS_H
