// RUN: trn-translate %s --mlir-to-nki -o %t.py
// RUN: FileCheck %s <%t.py
// RUN: sed s/trn2/trn1/ %s | trn-translate --mlir-to-nki --nki=beta1 -o %t.beta.py
// RUN: FileCheck %s --check-prefix=BETA <%t.beta.py
// RUN: %python -m pyflakes %t.py %t.beta.py

// Instructions with scalars, with running sums, and with counts.

// CHECK: nisa.dma_copy(dst=tile_sb, src=arg)
// CHECK-NEXT: nisa.tensor_reduce(dst=tile_sb_2, op=nl.maximum, data=tile_sb, axis=1, negate=True,
// CHECK-NEXT:                    keepdims=True)
// CHECK-NEXT: nisa.activation(dst=tile_sb, op=nl.exp, data=tile_sb, bias=tile_sb_2, reduce_op=nl.add,
// CHECK-NEXT:                 reduce_res=tile_sb_2, reduce_cmd=nisa.reduce_cmd.reset_reduce)
// CHECK-NEXT: temporary = nl.ndarray((64, 1), dtype=nl.float32, buffer=nl.sbuf)
// CHECK-NEXT: nisa.activation(dst=tile_sb, op=nl.exp, data=tile_sb, reduce_op=nl.add, reduce_res=temporary,
// CHECK-NEXT:                 reduce_cmd=nisa.reduce_cmd.reset_reduce)
// CHECK-NEXT: nisa.tensor_tensor(dst=tile_sb_2, data1=tile_sb_2, data2=temporary, op=nl.add)
// CHECK-NEXT: nisa.tensor_scalar(dst=tile_sb, data=tile_sb, op0=nl.subtract, operand0=tile_sb_2,
// CHECK-NEXT:                    reverse0=True, op1=nl.multiply, operand1=2.0, engine=nisa.engine.vector)
// CHECK-NEXT: temporary = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.sbuf)
// CHECK-NEXT: nisa.tensor_scalar(dst=temporary, data=tile_sb, op0=nl.add, operand0=1.0)
// CHECK-NEXT: nisa.reciprocal(dst=temporary, data=temporary)
// CHECK-NEXT: nisa.tensor_scalar(dst=tile_sb, data=temporary, op0=nl.multiply, operand0=tile_sb_2)
// CHECK-NEXT: nisa.tensor_scalar_reduce(dst=tile_sb, data=tile_sb, op0=nl.multiply, operand0=2.0,
// CHECK-NEXT:                           reduce_op=nl.max, reduce_res=tile_sb_2)
// CHECK-NEXT: nisa.scalar_tensor_tensor(dst=tile_sb, data=tile_sb, op0=nl.multiply, operand0=tile_sb_2,
// CHECK-NEXT:                           op1=nl.subtract, operand1=tile_sb, reverse1=True)
// CHECK-NEXT: nisa.tensor_tensor_scan(dst=tile_sb, data0=tile_sb, data1=tile_sb, initial=0.5, op0=nl.multiply,
// CHECK-NEXT:                         op1=nl.add, reverse0=True)
// CHECK-NEXT: nisa.affine_select(dst=tile_sb, pattern={{\[\[}}-1, 96]], channel_multiplier=1, on_true_tile=tile_sb,
// CHECK-NEXT:                    on_false_value=0.0, cmp_op=nl.greater_equal, offset=2)
// CHECK-NEXT: nisa.iota(dst=tile_sb_3, pattern={{\[\[}}100, 4], [1, 24]], offset=5, channel_multiplier=3)
// CHECK-NEXT: nisa.tensor_reduce(dst=tile_sb_4, op=nl.add, data=tile_sb_3, axis=2)
// CHECK-NEXT: nisa.tensor_tensor(dst=tile_sb, data1=tile_sb, data2=tile_sb, op=nl.greater_equal,
// CHECK-NEXT:                    engine=nisa.engine.vector)
// CHECK-NEXT: nisa.dma_copy(dst=result, src=tile_sb)
// CHECK-NEXT: return result

// BETA: tile_sb[...] = nl.load(arg)
// BETA-NEXT: tile_sb_2[...] = nisa.tensor_reduce(op=nl.maximum, data=tile_sb, axis=1, negate=True,
// BETA-NEXT:                                     keepdims=True)
// BETA-NEXT: tile_sb[...] = nisa.activation(op=nl.exp, data=tile_sb, bias=tile_sb_2, reduce_op=nl.add,
// BETA-NEXT:                                reduce_res=tile_sb_2, reduce_cmd=nisa.reduce_cmd.reset_reduce)
// BETA-NEXT: temporary = nl.ndarray((64, 1), dtype=nl.float32, buffer=nl.sbuf)
// BETA-NEXT: tile_sb[...] = nisa.activation(op=nl.exp, data=tile_sb, reduce_op=nl.add, reduce_res=temporary,
// BETA-NEXT:                                reduce_cmd=nisa.reduce_cmd.reset_reduce)
// BETA-NEXT: tile_sb_2[...] = nisa.tensor_tensor(data1=tile_sb_2, data2=temporary, op=nl.add)
// BETA-NEXT: tile_sb[...] = nisa.tensor_scalar(data=tile_sb, op0=nl.subtract, operand0=tile_sb_2,
// BETA-NEXT:                                   reverse0=True, op1=nl.multiply, operand1=2.0,
// BETA-NEXT:                                   engine=nisa.vector_engine)
// BETA-NEXT: temporary = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.sbuf)
// BETA-NEXT: temporary[...] = nisa.tensor_scalar(data=tile_sb, op0=nl.add, operand0=1.0)
// BETA-NEXT: temporary[...] = nisa.reciprocal(data=temporary)
// BETA-NEXT: tile_sb[...] = nisa.tensor_scalar(data=temporary, op0=nl.multiply, operand0=tile_sb_2)
// BETA-NEXT: tile_sb[...] = nisa.tensor_scalar_reduce(data=tile_sb, op0=nl.multiply, operand0=2.0,
// BETA-NEXT:                                          reduce_op=nl.max, reduce_res=tile_sb_2)
// BETA-NEXT: tile_sb[...] = nisa.scalar_tensor_tensor(data=tile_sb, op0=nl.multiply, operand0=tile_sb_2,
// BETA-NEXT:                                          op1=nl.subtract, operand1=tile_sb, reverse1=True)
// BETA-NEXT: tile_sb[...] = nisa.tensor_tensor_scan(data0=tile_sb, data1=tile_sb, initial=0.5,
// BETA-NEXT:                                        op0=nl.multiply, op1=nl.add, reverse0=True)
// BETA-NEXT: tile_sb[...] = nisa.affine_select(
// BETA-NEXT:     pred=2 + 1 * nl.arange(64)[:, None] + -1 * nl.arange(96)[None, :] >= 0,
// BETA-NEXT:     on_true_tile=tile_sb, on_false_value=0.0)
// BETA-NEXT: index = nl.arange(64)[:, None, None]
// BETA-NEXT: index_2 = nl.arange(4)[None, :, None]
// BETA-NEXT: index_3 = nl.arange(24)[None, None, :]
// BETA-NEXT: tile_sb_3[...] = nisa.iota(5 + 3 * index + 100 * index_2 + 1 * index_3, dtype=nl.float32)
// BETA-NEXT: tile_sb_4[...] = nisa.tensor_reduce(op=nl.add, data=tile_sb_3, axis=2)
// BETA-NEXT: tile_sb[...] = nisa.tensor_tensor(data1=tile_sb, data2=tile_sb, op=nl.greater_equal,
// BETA-NEXT:                                   engine=nisa.vector_engine)
// BETA-NEXT: nl.store(result, value=tile_sb)
// BETA-NEXT: return result

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @kernel(%x: memref<64x96xf32>, %y: memref<64x96xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x96xf32, #trn.mem<sbuf>>
    %s = trn.alloc offset 384 : memref<64x1xf32, #trn.mem<sbuf>>
    %r = trn.alloc offset 448 : memref<64x4x24xf32, #trn.mem<sbuf>>
    %k = trn.alloc offset 832 : memref<64x4xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x96xf32> to memref<64x96xf32, #trn.mem<sbuf>>
    trn.tensor_reduce max(%a : memref<64x96xf32, #trn.mem<sbuf>>) negated into %s : memref<64x1xf32, #trn.mem<sbuf>>
    trn.activation exp(%a : memref<64x96xf32, #trn.mem<sbuf>>) biases(%s : memref<64x1xf32, #trn.mem<sbuf>>) reducing add(%s : memref<64x1xf32, #trn.mem<sbuf>>) into %a : memref<64x96xf32, #trn.mem<sbuf>>
    trn.activation exp(%a : memref<64x96xf32, #trn.mem<sbuf>>) reducing add(%s : memref<64x1xf32, #trn.mem<sbuf>>) accumulate into %a : memref<64x96xf32, #trn.mem<sbuf>>
    trn.tensor_scalar sub(%a : memref<64x96xf32, #trn.mem<sbuf>>) scalars(%s : memref<64x1xf32, #trn.mem<sbuf>>) reversed then mul constant 2.0 into %a : memref<64x96xf32, #trn.mem<sbuf>> on vector
    trn.tensor_scalar add(%a : memref<64x96xf32, #trn.mem<sbuf>>) constant 1.0 then div scalars(%s : memref<64x1xf32, #trn.mem<sbuf>>) reversed into %a : memref<64x96xf32, #trn.mem<sbuf>> on vector
    trn.tensor_scalar mul(%a : memref<64x96xf32, #trn.mem<sbuf>>) constant 2.0 reducing max(%s : memref<64x1xf32, #trn.mem<sbuf>>) into %a : memref<64x96xf32, #trn.mem<sbuf>> on vector
    trn.scalar_tensor_tensor mul(%a : memref<64x96xf32, #trn.mem<sbuf>>) scalars(%s : memref<64x1xf32, #trn.mem<sbuf>>) then sub(%a : memref<64x96xf32, #trn.mem<sbuf>>) reversed into %a : memref<64x96xf32, #trn.mem<sbuf>> on vector
    trn.tensor_tensor_scan mul, add(%a : memref<64x96xf32, #trn.mem<sbuf>>, %a : memref<64x96xf32, #trn.mem<sbuf>>) initial 0.5 reversed0 into %a : memref<64x96xf32, #trn.mem<sbuf>>
    trn.affine_select ge(%a : memref<64x96xf32, #trn.mem<sbuf>>) start 2 partition_step 1 steps [-1] otherwise 0.0 into %a : memref<64x96xf32, #trn.mem<sbuf>>
    trn.iota %r start 5 steps [100, 1] partition_step 3 : memref<64x4x24xf32, #trn.mem<sbuf>>
    trn.tensor_reduce add(%r : memref<64x4x24xf32, #trn.mem<sbuf>>) into %k : memref<64x4xf32, #trn.mem<sbuf>>
    trn.tensor_tensor ge(%a : memref<64x96xf32, #trn.mem<sbuf>>, %a : memref<64x96xf32, #trn.mem<sbuf>>) into %a : memref<64x96xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %a to %y : memref<64x96xf32, #trn.mem<sbuf>> to memref<64x96xf32>
    return
  }
}
