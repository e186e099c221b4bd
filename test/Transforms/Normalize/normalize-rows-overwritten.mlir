// RUN: trn-opt %s --trn-normalize-rows -split-input-file | FileCheck %s

// What is written over is hidden from the maximum by the mask that the scores have; the new element has its own score.

#id = affine_map<(h, t) -> (h, t)>
#row = affine_map<(h, t) -> (t)>
#column = affine_map<(h, t) -> (h)>
#scores = affine_map<(h, t, d) -> (h, d)>
#keys = affine_map<(h, t, d) -> (t, d)>
#sum = affine_map<(h, t, d) -> (h, t)>

// CHECK-LABEL: func.func @masked(
// CHECK-SAME: %[[Q:.*]]: tensor<4x32xf32>, %[[CACHE:[a-z0-9]*]]: tensor<64x32xf32>, {{.*}}, %[[MASK:[a-z0-9]*]]: tensor<64xf32>)
// CHECK-DAG: %[[HIDDEN:.*]] = arith.constant 0xFF80 : bf16
// CHECK-DAG: ins(%[[Q]], %[[CACHE]] :
// CHECK-DAG: arith.select %{{.*}}, %[[HIDDEN]], %{{.*}} : bf16
// CHECK: ins(%[[MASK]], %{{.*}} : tensor<64xf32>, tensor<64xbf16>)
// CHECK: arith.minimumf
// CHECK-NOT: arith.minimumf
// CHECK: arith.maximumf
// CHECK-NOT: tensor.insert_slice
func.func @masked(%q: tensor<4x32xf32>, %cache: tensor<64x32xf32>, %new: tensor<1x32xf32>, %at: index, %mask: tensor<64xf32>) -> tensor<4xf32> {
  %keys = tensor.insert_slice %new into %cache[%at, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<64x32xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %s = linalg.generic {indexing_maps = [#scores, #keys, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %keys : tensor<4x32xf32>, tensor<64x32xf32>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %x = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<4x64xf32>, tensor<64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %c = tensor.empty() : tensor<4xf32>
  %cm = linalg.fill ins(%least : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x64xf32>) outs(%cm : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %cs = linalg.fill ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<4x64xf32>) outs(%cs : tensor<4xf32>) dimensions = [1]
  return %l : tensor<4xf32>
}

// -----

// A sum of anything else has what is written over in it: nothing is split.

#scores = affine_map<(h, t, d) -> (h, d)>
#keys = affine_map<(h, t, d) -> (t, d)>
#sum = affine_map<(h, t, d) -> (h, t)>

// CHECK-LABEL: func.func @summed(
// CHECK: %[[KEYS:.*]] = tensor.insert_slice
// CHECK: ins(%{{.*}}, %[[KEYS]] :
func.func @summed(%q: tensor<4x32xf32>, %cache: tensor<64x32xf32>, %new: tensor<1x32xf32>, %at: index) -> tensor<4xf32> {
  %keys = tensor.insert_slice %new into %cache[%at, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<64x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %s = linalg.generic {indexing_maps = [#scores, #keys, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %keys : tensor<4x32xf32>, tensor<64x32xf32>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %c = tensor.empty() : tensor<4xf32>
  %cs = linalg.fill ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.reduce { arith.addf } ins(%s : tensor<4x64xf32>) outs(%cs : tensor<4xf32>) dimensions = [1]
  return %l : tensor<4xf32>
}

// -----

// The maximum of a cache that is an argument.

// CHECK-LABEL: func.func @largest(
// CHECK-SAME: %[[CACHE:[a-z0-9]*]]: tensor<64x32xf32>
// CHECK: arith.select
// CHECK: ins(%[[CACHE]], %{{.*}} : tensor<64x32xf32>, tensor<64xbf16>)
// CHECK-NOT: tensor.insert_slice
func.func @largest(%cache: tensor<64x32xf32>, %new: tensor<2x32xf32>, %at: index) -> tensor<32xf32> {
  %c1 = arith.constant 1 : index
  %first = arith.addi %at, %c1 : index
  %keys = tensor.insert_slice %new into %cache[%first, 0] [2, 32] [1, 1] : tensor<2x32xf32> into tensor<64x32xf32>
  %least = arith.constant 0xFF800000 : f32
  %c = tensor.empty() : tensor<32xf32>
  %cm = linalg.fill ins(%least : f32) outs(%c : tensor<32xf32>) -> tensor<32xf32>
  %m = linalg.reduce { arith.maximumf } ins(%keys : tensor<64x32xf32>) outs(%cm : tensor<32xf32>) dimensions = [0]
  return %m : tensor<32xf32>
}

// -----

// Numbers of 8 bits have no infinity to hide behind, and nothing is hidden if nothing is written: neither is split.

// CHECK-LABEL: func.func @narrow(
// CHECK: tensor.insert_slice
// CHECK-NOT: arith.select
func.func @narrow(%cache: tensor<64x32xf8E4M3FN>, %new: tensor<2x32xf8E4M3FN>, %at: index) -> tensor<32xf8E4M3FN> {
  %keys = tensor.insert_slice %new into %cache[%at, 0] [2, 32] [1, 1] : tensor<2x32xf8E4M3FN> into tensor<64x32xf8E4M3FN>
  %least = arith.constant -448.0 : f8E4M3FN
  %c = tensor.empty() : tensor<32xf8E4M3FN>
  %cm = linalg.fill ins(%least : f8E4M3FN) outs(%c : tensor<32xf8E4M3FN>) -> tensor<32xf8E4M3FN>
  %m = linalg.reduce { arith.maximumf } ins(%keys : tensor<64x32xf8E4M3FN>) outs(%cm : tensor<32xf8E4M3FN>) dimensions = [0]
  return %m : tensor<32xf8E4M3FN>
}

// CHECK-LABEL: func.func @nothing(
// CHECK: tensor.insert_slice
// CHECK-NOT: arith.select
func.func @nothing(%cache: tensor<64x32xf32>, %new: tensor<0x32xf32>, %at: index) -> tensor<32xf32> {
  %keys = tensor.insert_slice %new into %cache[%at, 0] [0, 32] [1, 1] : tensor<0x32xf32> into tensor<64x32xf32>
  %least = arith.constant 0xFF800000 : f32
  %c = tensor.empty() : tensor<32xf32>
  %cm = linalg.fill ins(%least : f32) outs(%c : tensor<32xf32>) -> tensor<32xf32>
  %m = linalg.reduce { arith.maximumf } ins(%keys : tensor<64x32xf32>) outs(%cm : tensor<32xf32>) dimensions = [0]
  return %m : tensor<32xf32>
}
