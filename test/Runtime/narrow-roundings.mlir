// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.float32([[1.0078125, 1.0625]]))"
// RUN: trn-run %s --arg=@%t.npy --out=@%t.out.npy --out=@%t.half.npy
// RUN: %python -c "import numpy; print(numpy.load(r'%t.out.npy').tolist(), numpy.load(r'%t.half.npy').tolist())" | FileCheck %s

// Each operation in bf16 and f16 rounds, also between two of them.

// 1.0078125^2 = 1.01568603515625 is 1.015625 in bf16; 1.0625^2 = 1.12890625 is
// 1.125 or 1.1328125, of which 1.125 is even; f16 has 1.0157 as 1.015625, too.
// CHECK: {{\[\[}}0.0, 0.109375]] {{\[\[}}0.0, 0.11328125]]

#id = affine_map<(i, j) -> (i, j)>

func.func private @copy(%x: memref<1x2xbf16>, %y: memref<1x2xbf16> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<1x2xbf16, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<1x2xbf16> to memref<1x2xbf16, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<1x2xbf16, #trn.mem<sbuf>> to memref<1x2xbf16>
  return
}

func.func @main(%given: tensor<1x2xbf16>) -> (tensor<1x2xbf16>, tensor<1x2xf16>) {
  %in = bufferization.to_buffer %given read_only : tensor<1x2xbf16> to memref<1x2xbf16>
  %out = memref.alloc() : memref<1x2xbf16>
  call @copy(%in, %out) : (memref<1x2xbf16>, memref<1x2xbf16>) -> ()
  %x = bufferization.to_tensor %out restrict writable : memref<1x2xbf16> to tensor<1x2xbf16>
  %empty = tensor.empty() : tensor<1x2xbf16>
  %empty_half = tensor.empty() : tensor<1x2xf16>
  %rest, %rest_half = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x2xbf16>) outs(%empty, %empty_half : tensor<1x2xbf16>, tensor<1x2xf16>) {
  ^bb0(%a: bf16, %o: bf16, %p: f16):
    %c = arith.constant 1.015625 : bf16
    %square = arith.mulf %a, %a : bf16
    %less = arith.subf %square, %c : bf16
    %wide = arith.extf %a : bf16 to f32
    %half = arith.truncf %wide : f32 to f16
    %d = arith.constant 1.015625 : f16
    %square_half = arith.mulf %half, %half : f16
    %less_half = arith.subf %square_half, %d : f16
    linalg.yield %less, %less_half : bf16, f16
  } -> (tensor<1x2xbf16>, tensor<1x2xf16>)
  return %rest, %rest_half : tensor<1x2xbf16>, tensor<1x2xf16>
}
