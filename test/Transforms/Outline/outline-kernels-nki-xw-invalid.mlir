// RUN: not trn-opt %s --trn-outline-kernels=strategy-for=mlp 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: strategy-for names weights for strategy=nki-xw, which is not asked for
// RUN: not trn-opt %s --trn-compile="strategy=nki-xw block-m=128" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: strategy=nki-xw has loops of its own; leave out transpose, blocks and keep

// What cannot have these loops is compiled as any other product, with a remark: weights that the kernel widens, and
// what does not fit.
// RUN: trn-opt %s --trn-outline-kernels=strategy=nki-xw 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: remark: not in the loops of nki-xw: it is not one product of two matrices
// WIDE: call @main_kernel
// RUN: echo '{"base": "trn1", "sbuf_partition_bytes": 4096}' > %t.json
// RUN: trn-gen xw --m=256 --k=2048 --n=4096 | trn-opt --trn-set-machine=machine=%t.json --trn-outline-kernels=strategy=nki-xw 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ROOM
// ROOM: remark: not in the loops of nki-xw: its blocks do not fit on chip

func.func @main(%x: tensor<64x128xbf16>, %q: tensor<128x256xi8> {trn.param = "w"}) -> tensor<64x256xbf16> {
  %e = tensor.empty() : tensor<128x256xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<128x256xi8>) outs(%e : tensor<128x256xbf16>) {
  ^bb0(%in: i8, %o: bf16):
    %wide = arith.sitofp %in : i8 to bf16
    linalg.yield %wide : bf16
  } -> tensor<128x256xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x256xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xbf16>, tensor<128x256xbf16>) outs(%zero : tensor<64x256xbf16>) -> tensor<64x256xbf16>
  return %y : tensor<64x256xbf16>
}
