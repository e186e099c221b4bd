// RUN: trn-translate %s --mlir-to-nki -o %t.py
// RUN: FileCheck %s <%t.py
// RUN: trn-translate %s --mlir-to-nki --nki=0.7 -o %t.0.7.py
// RUN: FileCheck %s --check-prefixes=HEADER,CHECK <%t.0.7.py
// RUN: sed s/trn2/trn1/ %s | trn-translate --mlir-to-nki --nki=beta1 -o %t.beta.py
// RUN: FileCheck %s --check-prefix=BETA <%t.beta.py
// RUN: %python -m py_compile %t.py %t.0.7.py %t.beta.py
// RUN: %python -m pyflakes %t.py %t.0.7.py %t.beta.py

// Each op in each version. A kernel without a schedule has names by memory alone.

// HEADER: # Kernels for AWS Trainium, written by trn-translate of trn-mlir in NKI 0.7.
// HEADER: # options  --nki=0.7

// CHECK: # result = nki.simulate(kernel)(arg, arg_2)
// CHECK: @nki.jit
// CHECK-NEXT: def kernel(arg, arg_2):
// CHECK-NEXT: """A kernel without a schedule.
// CHECK-EMPTY:
// CHECK-NEXT: Args:
// CHECK-NEXT: arg: bfloat16 [64, 256]
// CHECK-NEXT: arg_2: float32 [128]
// CHECK-NEXT: Returns:
// CHECK-NEXT: result: float32 [64, 128]
// CHECK-NEXT: """
// CHECK-NEXT: assert arg.shape == (64, 256)
// CHECK-NEXT: assert arg_2.shape == (128,)
// CHECK-NEXT: result = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.shared_hbm)
// CHECK-NEXT: tile_hbm = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.private_hbm)
// CHECK-NEXT: tile_sb = nl.ndarray((64, 256), dtype=nl.bfloat16, buffer=nl.sbuf)
// CHECK-NEXT: tile_sb_2 = nl.ndarray((128, 2, 64), dtype=nl.bfloat16, buffer=nl.sbuf)
// CHECK-NEXT: tile_sb_3 = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.sbuf)
// CHECK-NEXT: tile_sb_4 = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.sbuf)
// CHECK-NEXT: tile_sb_5 = nl.ndarray((64, 1), dtype=nl.float32, buffer=nl.sbuf)
// CHECK-NEXT: nisa.dma_copy(dst=tile_sb, src=arg)
// CHECK-NEXT: nisa.dma_copy(dst=tile_sb_4, src=arg_2.ap(pattern={{\[\[}}0, 64], [1, 128]]))
// CHECK-NEXT: for i in range(2):
// CHECK-NEXT:     tile_psum = nl.ndarray((128, 64), dtype=nl.bfloat16, buffer=nl.psum)
// CHECK-NEXT:     nisa.nc_transpose(dst=tile_psum, data=tile_sb[:, i * 128:(i + 1) * 128],
// CHECK-NEXT:                       engine=nisa.engine.tensor)
// CHECK-NEXT:     nisa.tensor_copy(dst=tile_sb_2[:, i, :], src=tile_psum, engine=nisa.engine.vector)
// CHECK-NEXT: tile_psum = nl.ndarray((64, 64), dtype=nl.float32, buffer=nl.psum)
// CHECK-NEXT: for i in range(2):
// CHECK-NEXT:     nisa.nc_matmul(dst=tile_psum, stationary=tile_sb_2[:, i, :], moving=tile_sb_2[:, i, :],
// CHECK-NEXT:                    accumulate=i > 0)
// CHECK-NEXT: nisa.memset(dst=tile_sb_3, value=0.5, engine=nisa.engine.vector)
// CHECK-NEXT: nisa.tensor_reduce(dst=tile_sb_5, op=nl.maximum, data=tile_sb_4, axis=1, keepdims=True)
// CHECK-NEXT: nisa.activation(dst=tile_sb_3[:, 0:64], op=nl.tanh, data=tile_psum, bias=tile_sb_5, scale=0.1)
// CHECK-NEXT: nisa.reciprocal(dst=tile_sb_5, data=tile_sb_5)
// CHECK-NEXT: nisa.tensor_scalar(dst=tile_sb_3, data=tile_sb_3, op0=nl.subtract, operand0=tile_sb_5,
// CHECK-NEXT:                    reverse0=True, engine=nisa.engine.vector)
// CHECK-NEXT: nisa.tensor_tensor(dst=tile_sb_3, data1=tile_sb_3, data2=tile_sb_4, op=nl.minimum,
// CHECK-NEXT:                    engine=nisa.engine.gpsimd)
// CHECK-NEXT: nisa.iota(dst=tile_sb_4, pattern={{\[\[}}2, 128]], offset=1, channel_multiplier=3)
// CHECK-NEXT: temporary = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.sbuf)
// CHECK-NEXT: nisa.reciprocal(dst=temporary, data=tile_sb_4)
// CHECK-NEXT: nisa.tensor_tensor(dst=tile_sb_3, data1=tile_sb_3, data2=temporary, op=nl.multiply)
// CHECK-NEXT: nisa.dma_copy(dst=tile_hbm, src=tile_sb_3)
// CHECK-NEXT: nisa.dma_copy(dst=result, src=tile_hbm)
// CHECK-NEXT: return result

// BETA: {{^}}from neuronxcc import nki
// BETA-NEXT: import neuronxcc.nki.isa as nisa
// BETA-NEXT: import neuronxcc.nki.language as nl
// BETA: arg.assert_shape((64, 256))
// BETA-NEXT: arg_2.assert_shape((128,))
// BETA-NEXT: result = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.shared_hbm)
// BETA: tile_sb[...] = nl.load(arg)
// BETA-NEXT: tile_sb_4[...] = nl.broadcast_to(nl.load(arg_2.reshape((1, 128))), shape=(64, 128))
// BETA-NEXT: for i in nl.affine_range(2):
// BETA-NEXT:     tile_psum = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.psum)
// BETA-NEXT:     tile_psum[...] = nisa.nc_transpose(data=tile_sb[:, i * 128:(i + 1) * 128],
// BETA-NEXT:                                        engine=nisa.tensor_engine)
// BETA-NEXT:     tile_sb_2[:, i, :] = nisa.tensor_copy(src=tile_psum, engine=nisa.vector_engine,
// BETA-NEXT:                                           dtype=nl.bfloat16)
// BETA-NEXT: tile_psum = nl.zeros((64, 64), dtype=nl.float32, buffer=nl.psum)
// BETA-NEXT: for i in nl.affine_range(2):
// BETA-NEXT:     tile_psum[...] += nisa.nc_matmul(stationary=tile_sb_2[:, i, :], moving=tile_sb_2[:, i, :])
// BETA-NEXT: tile_sb_3[...] = nisa.memset(shape=(64, 128), value=0.5, dtype=nl.float32)
// BETA-NEXT: tile_sb_5[...] = nisa.tensor_reduce(op=nl.maximum, data=tile_sb_4, axis=1, keepdims=True)
// BETA-NEXT: tile_sb_3[:, 0:64] = nisa.activation(op=nl.tanh, data=tile_psum, bias=tile_sb_5, scale=0.1)
// BETA-NEXT: tile_sb_5[...] = nisa.reciprocal(data=tile_sb_5)
// BETA-NEXT: tile_sb_3[...] = nisa.tensor_scalar(data=tile_sb_3, op0=nl.subtract, operand0=tile_sb_5,
// BETA-NEXT:                                     reverse0=True, engine=nisa.vector_engine)
// BETA-NEXT: tile_sb_3[...] = nisa.tensor_tensor(data1=tile_sb_3, data2=tile_sb_4, op=nl.minimum,
// BETA-NEXT:                                     engine=nisa.gpsimd_engine)
// BETA-NEXT: tile_sb_4[...] = nisa.iota(1 + 3 * nl.arange(64)[:, None] + 2 * nl.arange(128)[None, :],
// BETA-NEXT:                            dtype=nl.float32)
// BETA-NEXT: temporary = nl.ndarray((64, 128), dtype=nl.float32, buffer=nl.sbuf)
// BETA-NEXT: temporary[...] = nisa.reciprocal(data=tile_sb_4)
// BETA-NEXT: tile_sb_3[...] = nisa.tensor_tensor(data1=tile_sb_3, data2=temporary, op=nl.multiply)
// BETA-NEXT: nl.store(tile_hbm, value=tile_sb_3)
// BETA-NEXT: nisa.dma_copy(dst=result, src=tile_hbm)
// BETA-NEXT: return result
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @kernel(%x: memref<64x256xbf16>, %v: memref<128xf32>, %y: memref<64x128xf32> {trn.result}) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %scratch = memref.alloc() : memref<64x128xf32, #trn.mem<hbm>>
    %a = trn.alloc offset 0 : memref<64x256xbf16, #trn.mem<sbuf>>
    %t = trn.alloc offset 512 : memref<128x2x64xbf16, #trn.mem<sbuf>>
    %o = trn.alloc offset 1024 : memref<64x128xf32, #trn.mem<sbuf>>
    %b = trn.alloc offset 2048 : memref<64x128xf32, #trn.mem<sbuf>>
    %s = trn.alloc offset 3072 : memref<64x1xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x256xbf16> to memref<64x256xbf16, #trn.mem<sbuf>>
    %row = memref.reinterpret_cast %v to offset: [0], sizes: [64, 128], strides: [0, 1] : memref<128xf32> to memref<64x128xf32, strided<[0, 1]>>
    trn.dma_copy %row to %b : memref<64x128xf32, strided<[0, 1]>> to memref<64x128xf32, #trn.mem<sbuf>>
    scf.for %i = %c0 to %c2 step %c1 {
      %p = trn.alloc buffers 2 bank 0 offset 0 : memref<128x64xf32, #trn.mem<psum>>
      %first = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
      %half = memref.subview %a[0, %first] [64, 128] [1, 1] : memref<64x256xbf16, #trn.mem<sbuf>> to memref<64x128xbf16, strided<[256, 1], offset: ?>, #trn.mem<sbuf>>
      trn.transpose %half into %p : memref<64x128xbf16, strided<[256, 1], offset: ?>, #trn.mem<sbuf>> to memref<128x64xf32, #trn.mem<psum>> on tensor
      %tile = memref.subview %t[0, %i, 0] [128, 1, 64] [1, 1, 1] : memref<128x2x64xbf16, #trn.mem<sbuf>> to memref<128x64xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>>
      trn.tensor_copy %p into %tile : memref<128x64xf32, #trn.mem<psum>> to memref<128x64xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>> on vector
      trn.dealloc %p : memref<128x64xf32, #trn.mem<psum>>
    }
    %q = trn.alloc bank 2 offset 0 : memref<64x64xf32, #trn.mem<psum>>
    scf.for %i = %c0 to %c2 step %c1 {
      %tile = memref.subview %t[0, %i, 0] [128, 1, 64] [1, 1, 1] : memref<128x2x64xbf16, #trn.mem<sbuf>> to memref<128x64xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>>
      %later = arith.cmpi ne, %i, %c0 : index
      trn.matmul stationary(%tile : memref<128x64xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>>) moving(%tile : memref<128x64xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>>) into %q : memref<64x64xf32, #trn.mem<psum>> accumulate(%later)
    }
    trn.memset %o, 0.5 : memref<64x128xf32, #trn.mem<sbuf>> on vector
    trn.tensor_reduce max(%b : memref<64x128xf32, #trn.mem<sbuf>>) into %s : memref<64x1xf32, #trn.mem<sbuf>>
    %left = memref.subview %o[0, 0] [64, 64] [1, 1] : memref<64x128xf32, #trn.mem<sbuf>> to memref<64x64xf32, strided<[128, 1]>, #trn.mem<sbuf>>
    trn.activation tanh(%q : memref<64x64xf32, #trn.mem<psum>>) scale 0.1 biases(%s : memref<64x1xf32, #trn.mem<sbuf>>) into %left : memref<64x64xf32, strided<[128, 1]>, #trn.mem<sbuf>>
    trn.reciprocal %s into %s : memref<64x1xf32, #trn.mem<sbuf>> to memref<64x1xf32, #trn.mem<sbuf>>
    trn.tensor_scalar sub(%o : memref<64x128xf32, #trn.mem<sbuf>>) scalars(%s : memref<64x1xf32, #trn.mem<sbuf>>) reversed into %o : memref<64x128xf32, #trn.mem<sbuf>> on vector
    trn.tensor_tensor min(%o : memref<64x128xf32, #trn.mem<sbuf>>, %b : memref<64x128xf32, #trn.mem<sbuf>>) into %o : memref<64x128xf32, #trn.mem<sbuf>> on gpsimd
    trn.iota %b start 1 step 2 partition_step 3 : memref<64x128xf32, #trn.mem<sbuf>>
    trn.tensor_tensor div(%o : memref<64x128xf32, #trn.mem<sbuf>>, %b : memref<64x128xf32, #trn.mem<sbuf>>) into %o : memref<64x128xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %o to %scratch : memref<64x128xf32, #trn.mem<sbuf>> to memref<64x128xf32, #trn.mem<hbm>>
    trn.dma_copy %scratch to %y : memref<64x128xf32, #trn.mem<hbm>> to memref<64x128xf32>
    return
  }
}
