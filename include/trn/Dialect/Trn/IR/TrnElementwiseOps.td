//===- TrnElementwiseOps.td - Element by element -----------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNELEMENTWISEOPS
#define TRN_DIALECT_TRN_IR_TRNELEMENTWISEOPS

include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

def Trn_TensorCopyOp : Trn_EngineChoiceOp<"tensor_copy"> {
  let summary = "copy a tile on chip";
  let description = [{
    Computes `dst[i, j] = src[i, j]`, converted to the element type of `dst`.
    The vector engine reaches both memories, GpSimd only SBUF; the scalar engine
    copies by `trn.activation copy`.

    ```mlir
    %sums = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
    %tile = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.tensor_copy %sums into %tile : memref<128x512xf32, #trn.mem<psum>> to memref<128x512xbf16, #trn.mem<sbuf>> on vector
    ```

    Rules:
    - `tensor_copy_c1`: `src` and `dst` have the same shape
    - `tensor_copy_c2`: they have at most 128 partitions
    - `tensor_copy_c3`: it runs on the vector engine, or on GpSimd if both are in
      SBUF
  }];
  let arguments = (ins
    Trn_Tile:$src,
    Trn_Tile:$dst,
    OptionalProp<Trn_ComputeEngineProp>:$assigned_engine);
  let assemblyFormat = [{
    $src `into` $dst `:` type($src) `to` type($dst) (`on` $assigned_engine^)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst), [{
    build($_builder, $_state, src, dst, /*assigned_engine=*/::std::nullopt);
  }]>];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Trn_ActivationOp : Trn_InstructionOp<"activation", ["verifyOn"], [AttrSizedOperandSegments]> {
  let summary = "apply a function to each element on the scalar engine";
  let description = [{
    Computes `dst[i, j] = function(src[i, j] * scale + bias)` in f32, converted
    to the element type of `dst`. `scale` and `bias` are constants; `scales` and
    `biases` take their places with one value for each partition. `reducing` also
    adds up the results of each partition, in f32 and before they are rounded,
    into `sums`; with `accumulate` on top of what `sums` holds.

    ```mlir
    %sums = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
    %column = trn.alloc : memref<128x1xf32, #trn.mem<sbuf>>
    %tile = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.activation silu(%sums : memref<128x512xf32, #trn.mem<psum>>)
        into %tile : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.activation exp(%sums : memref<128x512xf32, #trn.mem<psum>>)
        scale 0.125 biases(%column : memref<128x1xf32, #trn.mem<sbuf>>)
        into %tile : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.activation exp(%sums : memref<128x512xf32, #trn.mem<psum>>)
        reducing add(%column : memref<128x1xf32, #trn.mem<sbuf>>)
        into %tile : memref<128x512xbf16, #trn.mem<sbuf>>
    ```

    Rules:
    - `activation_c1`: `src` and `dst` have the same shape
    - `activation_c2`: they have at most 128 partitions
    - `activation_c3`: at most one of `scale` and `scales` is given
    - `activation_c4`: at most one of `bias` and `biases` is given
    - `activation_c5`: `scales` holds one value for each partition of `src`
    - `activation_c6`: `biases` holds one value for each partition of `src`
    - `activation_c7`: `reducing` has a function and `sums`, and `accumulate` goes
      with it
    - `activation_c8`: it adds
    - `activation_c9`: `sums` holds one value for each partition of `src`
    - `activation_m1`: a constant `bias` is possible only on some machines
  }];
  let arguments = (ins
    Trn_ActivationFunctionProp:$function,
    Trn_Tile:$src,
    Optional<Trn_Tile>:$scales,
    Optional<Trn_Tile>:$biases,
    Trn_Tile:$dst,
    Optional<Trn_Tile>:$sums,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F32Attr, "0.0f">:$bias,
    OptionalProp<Trn_ReduceFunctionProp>:$reduce_function,
    UnitAttr:$accumulate);
  let assemblyFormat = [{
    $function `(` $src `:` type($src) `)`
    (`scale` $scale^)? (`scales` `(` $scales^ `:` type($scales) `)`)?
    (`bias` $bias^)? (`biases` `(` $biases^ `:` type($biases) `)`)?
    (`reducing` $reduce_function^ `(` $sums `:` type($sums) `)` (`accumulate` $accumulate^)?)?
    `into` $dst `:` type($dst) attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::trn::ActivationFunction":$function,
                                 "::mlir::Value":$src, "::mlir::Value":$dst), [{
    build($_builder, $_state, function, src, /*scales=*/nullptr, /*biases=*/nullptr,
          dst, ::llvm::APFloat(1.0f), ::llvm::APFloat(0.0f));
  }]>, OpBuilder<(ins "::mlir::trn::ActivationFunction":$function,
      "::mlir::Value":$src, "::mlir::Value":$scales, "::mlir::Value":$biases,
      "::mlir::Value":$dst, "::llvm::APFloat":$scale, "::llvm::APFloat":$bias), [{
    build($_builder, $_state, function, src, scales, biases, dst, /*sums=*/nullptr,
          scale, bias, /*reduce_function=*/::std::nullopt, /*accumulate=*/false);
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = Trn_foldingDeclaration;
}

def Trn_TensorTensorOp : Trn_EngineChoiceOp<"tensor_tensor"> {
  let summary = "combine two tiles element by element";
  let description = [{
    Computes `dst[i, j] = function(lhs[i, j], rhs[i, j])` in f32, converted to
    the element type of `dst`. `dst` may be one of the inputs. Comparisons and
    logic yield 1 or 0; `mod` has the sign of the divisor, `fmod` that of the
    dividend.

    ```mlir
    %sums = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
    %total = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.tensor_tensor add(%total : memref<128x512xbf16, #trn.mem<sbuf>>, %sums : memref<128x512xf32, #trn.mem<psum>>)
        into %total : memref<128x512xbf16, #trn.mem<sbuf>> on vector
    ```

    Rules:
    - `tensor_tensor_c1`: `lhs` and `rhs` have the same shape
    - `tensor_tensor_c2`: `lhs` and `dst` have the same shape
    - `tensor_tensor_c3`: they have at most 128 partitions
    - `tensor_tensor_c4`: at most one input is in PSUM
    - `tensor_tensor_c5`: it runs on the vector engine, or on GpSimd if all are in
      SBUF; `pow` on GpSimd alone
    - `tensor_tensor_c6`: operands of `pow` are in SBUF
  }];
  let arguments = (ins
    Trn_BinaryFunctionProp:$function,
    Trn_Tile:$lhs,
    Trn_Tile:$rhs,
    Trn_Tile:$dst,
    OptionalProp<Trn_ComputeEngineProp>:$assigned_engine);
  let assemblyFormat = [{
    $function `(` $lhs `:` type($lhs) `,` $rhs `:` type($rhs) `)`
    `into` $dst `:` type($dst) (`on` $assigned_engine^)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::trn::BinaryFunction":$function,
      "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$dst), [{
    build($_builder, $_state, function, lhs, rhs, dst, /*assigned_engine=*/::std::nullopt);
  }]>];
  let hasVerifier = 1;
}

def Trn_ReciprocalOp : Trn_InstructionOp<"reciprocal"> {
  let summary = "one over each element, on the vector engine";
  let description = [{
    Computes `dst[i, j] = 1 / src[i, j]` in f32, rounded to the element type of
    `dst`: infinity for a zero, with its sign. `trn.activation reciprocal` does
    the same on the scalar engine, in an eighth of the cycles.

    ```mlir
    %sums = trn.alloc : memref<128x1xf32, #trn.mem<sbuf>>
    trn.reciprocal %sums into %sums : memref<128x1xf32, #trn.mem<sbuf>> to memref<128x1xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `reciprocal_c1`: `src` and `dst` have the same shape
    - `reciprocal_c2`: they have at most 128 partitions
  }];
  let arguments = (ins Trn_Tile:$src, Trn_Tile:$dst);
  let assemblyFormat = [{
    $src `into` $dst `:` type($src) `to` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_SelectOp : Trn_InstructionOp<"select"> {
  let summary = "choose between two tiles element by element";
  let description = [{
    Computes `dst[i, j] = condition[i, j] != 0 ? on_true[i, j] : on_false[i, j]`
    on the vector engine, converted to the element type of `dst`. A NaN is not
    zero.

    ```mlir
    %mask = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    %x = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %low = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    trn.select if(%mask : memref<128x512xbf16, #trn.mem<sbuf>>)
        then(%x : memref<128x512xf32, #trn.mem<sbuf>>)
        else(%low : memref<128x512xf32, #trn.mem<sbuf>>)
        into %x : memref<128x512xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `select_c1`: all operands have the same shape
    - `select_c2`: they have at most 128 partitions
  }];
  let arguments = (ins
    Trn_Tile:$condition,
    Trn_Tile:$on_true,
    Trn_Tile:$on_false,
    Trn_Tile:$dst);
  let assemblyFormat = [{
    `if` `(` $condition `:` type($condition) `)`
    `then` `(` $on_true `:` type($on_true) `)`
    `else` `(` $on_false `:` type($on_false) `)`
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_MemsetOp : Trn_EngineChoiceOp<"memset"> {
  let summary = "fill a buffer with one value";
  let description = [{
    Computes `dst[i...] = value`, rounded to the element type of `dst`.

    ```mlir
    %total = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.memset %total, 0.0 : memref<128x512xbf16, #trn.mem<sbuf>>
    ```

    Rules:
    - `memset_c1`: it runs on the vector engine, or on GpSimd if `dst` is in SBUF
    - `memset_c2`: `value` is an integer below 2^24 in magnitude if `dst` is one of
      integers, and not negative if it has no sign
  }];
  let arguments = (ins
    Trn_Tile:$dst,
    F32Attr:$value,
    OptionalProp<Trn_ComputeEngineProp>:$assigned_engine);
  let assemblyFormat = [{
    $dst `,` $value `:` type($dst) (`on` $assigned_engine^)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$dst, "float":$value), [{
    build($_builder, $_state, dst, ::llvm::APFloat(value), /*assigned_engine=*/::std::nullopt);
  }]>];
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNELEMENTWISEOPS
