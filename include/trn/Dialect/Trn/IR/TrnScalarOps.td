//===- TrnScalarOps.td - Elements and scalars --------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNSCALAROPS
#define TRN_DIALECT_TRN_IR_TRNSCALAROPS

include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

def Trn_TensorScalarOp : Trn_EngineChoiceOp<"tensor_scalar", [], [AttrSizedOperandSegments]> {
  let summary = "combine each element of a tile with one or two scalars";
  let description = [{
    Computes `dst[i, j] = function(src[i, j], s)`, with `s` either a constant or
    one value for each partition; `reversed` swaps the two arguments. What stands
    behind `then` is a second operation of this kind on the result, which stays in
    f32 between the two. `reducing` folds the results of each partition, in f32
    and before they are rounded, into `sums`; with `accumulate` on top of what
    `sums` holds.

    ```mlir
    %x = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %column = trn.alloc : memref<128x1xf32, #trn.mem<sbuf>>
    trn.tensor_scalar sub(%x : memref<128x512xf32, #trn.mem<sbuf>>) constant 1.0 reversed
        into %x : memref<128x512xf32, #trn.mem<sbuf>>
    trn.tensor_scalar mul(%x : memref<128x512xf32, #trn.mem<sbuf>>) scalars(%column : memref<128x1xf32, #trn.mem<sbuf>>)
        into %x : memref<128x512xf32, #trn.mem<sbuf>> on gpsimd
    trn.tensor_scalar mul(%x : memref<128x512xf32, #trn.mem<sbuf>>) constant 2.0
        then add scalars(%column : memref<128x1xf32, #trn.mem<sbuf>>)
        into %x : memref<128x512xf32, #trn.mem<sbuf>>
    trn.tensor_scalar mul(%x : memref<128x512xf32, #trn.mem<sbuf>>) constant 2.0
        reducing max(%column : memref<128x1xf32, #trn.mem<sbuf>>)
        into %x : memref<128x512xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `tensor_scalar_c1`: `src` and `dst` have the same shape
    - `tensor_scalar_c2`: they have at most 128 partitions
    - `tensor_scalar_c3`: either `constant` or `scalars` is given
    - `tensor_scalar_c4`: `scalars` holds one value for each partition of `src`
    - `tensor_scalar_c5`: it runs on the vector engine, or on GpSimd if all are in
      SBUF and nothing is reduced
    - `tensor_scalar_c6`: behind `then`, too
    - `tensor_scalar_c7`: its `scalars` hold one value for each partition of `src`
    - `tensor_scalar_c8`: `reducing` has a function and `sums`, and `accumulate`
      goes with it
    - `tensor_scalar_c9`: what is reduced comes from one operation
    - `tensor_scalar_c10`: `sums` holds one value for each partition of `src`
  }];
  let arguments = (ins
    Trn_BinaryFunctionProp:$function,
    Trn_Tile:$src,
    Optional<Trn_Tile>:$scalars,
    Optional<Trn_Tile>:$then_scalars,
    Trn_Tile:$dst,
    Optional<Trn_Tile>:$sums,
    OptionalAttr<F32Attr>:$constant,
    UnitAttr:$reversed,
    OptionalProp<Trn_BinaryFunctionProp>:$then_function,
    OptionalAttr<F32Attr>:$then_constant,
    UnitAttr:$then_reversed,
    OptionalProp<Trn_ReduceFunctionProp>:$reduce_function,
    UnitAttr:$accumulate,
    OptionalProp<Trn_ComputeEngineProp>:$assigned_engine);
  let assemblyFormat = [{
    $function `(` $src `:` type($src) `)`
    (`constant` $constant^)? (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    (`reversed` $reversed^)?
    (`then` $then_function^ (`constant` $then_constant^)?
      (`scalars` `(` $then_scalars^ `:` type($then_scalars) `)`)?
      (`reversed` $then_reversed^)?)?
    (`reducing` $reduce_function^ `(` $sums `:` type($sums) `)` (`accumulate` $accumulate^)?)?
    `into` $dst `:` type($dst) (`on` $assigned_engine^)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::trn::BinaryFunction":$function,
      "::mlir::Value":$src, "::mlir::Value":$scalars, "::mlir::Value":$dst,
      "::mlir::FloatAttr":$constant, "bool":$reversed), [{
    build($_builder, $_state, function, src, scalars, /*then_scalars=*/nullptr,
          dst, /*sums=*/nullptr, constant, reversed,
          /*then_function=*/::std::nullopt, /*then_constant=*/nullptr,
          /*then_reversed=*/false, /*reduce_function=*/::std::nullopt,
          /*accumulate=*/false, /*assigned_engine=*/::std::nullopt);
  }]>, OpBuilder<(ins "::mlir::trn::BinaryFunction":$function,
      "::mlir::Value":$src, "float":$constant, "::mlir::Value":$dst), [{
    build($_builder, $_state, function, src, /*scalars=*/nullptr, dst,
          $_builder.getF32FloatAttr(constant), /*reversed=*/false);
  }]>];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = Trn_foldingDeclaration;
}

def Trn_ScalarTensorTensorOp : Trn_EngineChoiceOp<"scalar_tensor_tensor"> {
  let summary = "combine each element of a tile with a scalar, then with another tile";
  let description = [{
    Computes `dst[i, j] = then_function(function(src[i, j], s), rhs[i, j])` in f32
    on the vector engine, converted to the element type of `dst`, with `s` either
    a constant or one value for each partition. `reversed` swaps the two arguments
    of the function before it.

    ```mlir
    %x = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %y = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %column = trn.alloc : memref<128x1xf32, #trn.mem<sbuf>>
    trn.scalar_tensor_tensor mul(%x : memref<128x512xf32, #trn.mem<sbuf>>) scalars(%column : memref<128x1xf32, #trn.mem<sbuf>>)
        then sub(%y : memref<128x512xf32, #trn.mem<sbuf>>) reversed
        into %y : memref<128x512xf32, #trn.mem<sbuf>> on vector
    ```

    Rules:
    - `scalar_tensor_tensor_c1`: `src`, `rhs` and `dst` have the same shape
    - `scalar_tensor_tensor_c2`: they have at most 128 partitions
    - `scalar_tensor_tensor_c3`: either `constant` or `scalars` is given
    - `scalar_tensor_tensor_c4`: `scalars` holds one value for each partition of
      `src`
    - `scalar_tensor_tensor_c5`: at most one of `src` and `rhs` is in PSUM
    - `scalar_tensor_tensor_c6`: it runs on the vector engine
  }];
  let arguments = (ins
    Trn_BinaryFunctionProp:$function,
    Trn_BinaryFunctionProp:$then_function,
    Trn_Tile:$src,
    Optional<Trn_Tile>:$scalars,
    Trn_Tile:$rhs,
    Trn_Tile:$dst,
    OptionalAttr<F32Attr>:$constant,
    UnitAttr:$reversed,
    UnitAttr:$then_reversed,
    OptionalProp<Trn_ComputeEngineProp>:$assigned_engine);
  let assemblyFormat = [{
    $function `(` $src `:` type($src) `)`
    (`constant` $constant^)? (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    (`reversed` $reversed^)?
    `then` $then_function `(` $rhs `:` type($rhs) `)` (`reversed` $then_reversed^)?
    `into` $dst `:` type($dst) (`on` $assigned_engine^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_TensorTensorScanOp : Trn_InstructionOp<"tensor_tensor_scan"> {
  let summary = "combine two tiles with the result before on the vector engine";
  let description = [{
    Computes `dst[i, j] = function1(function0(data0[i, j], state), data1[i, j])`,
    where `state` is the result for the element before in row-major order of the
    partition, in f32 and before it is rounded; for the first element it is
    `initial`, or the value of the partition in `initials`. `reversed0` and
    `reversed1` swap the two arguments of a function.

    ```mlir
    %x = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %y = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    trn.tensor_tensor_scan mul, add(%x : memref<128x512xf32, #trn.mem<sbuf>>, %y : memref<128x512xf32, #trn.mem<sbuf>>)
        initial 0.0 into %y : memref<128x512xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `tensor_tensor_scan_c1`: `data0`, `data1` and `dst` have the same shape
    - `tensor_tensor_scan_c2`: they have at most 128 partitions
    - `tensor_tensor_scan_c3`: either `initial` or `initials` is given
    - `tensor_tensor_scan_c4`: `initials` holds one value for each partition of
      `data0`
    - `tensor_tensor_scan_c5`: at most one of `data0` and `data1` is in PSUM
  }];
  let arguments = (ins
    Trn_BinaryFunctionProp:$function0,
    Trn_BinaryFunctionProp:$function1,
    Trn_Tile:$data0,
    Optional<Trn_Tile>:$initials,
    Trn_Tile:$data1,
    Trn_Tile:$dst,
    OptionalAttr<F32Attr>:$initial,
    UnitAttr:$reversed0,
    UnitAttr:$reversed1);
  let assemblyFormat = [{
    $function0 `,` $function1
    `(` $data0 `:` type($data0) `,` $data1 `:` type($data1) `)`
    (`initial` $initial^)? (`initials` `(` $initials^ `:` type($initials) `)`)?
    (`reversed0` $reversed0^)? (`reversed1` $reversed1^)?
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNSCALAROPS
