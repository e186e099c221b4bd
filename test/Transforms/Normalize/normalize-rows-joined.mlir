// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// What reads one tensor or another puts them together.

// CHECK-LABEL: @three(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<2x5xf32>, %[[B:[a-z0-9]*]]: tensor<2x1xf32>, %[[C:[a-z0-9]*]]: tensor<2x3xf32>
// CHECK: %[[O:.*]] = tensor.concat dim(1) %[[A]], %[[B]], %[[C]]
// CHECK: return %[[O]]
func.func @three(%a: tensor<2x5xf32>, %b: tensor<2x1xf32>, %c: tensor<2x3xf32>) -> tensor<2x9xf32> {
  %e = tensor.empty() : tensor<2x9xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x9xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %isFirst = arith.cmpi ult, %j, %c5 : index
    %y = scf.if %isFirst -> (f32) {
      %from = tensor.extract %a[%i, %j] : tensor<2x5xf32>
      scf.yield %from : f32
    } else {
      %isSecond = arith.cmpi ult, %j, %c6 : index
      %other = scf.if %isSecond -> (f32) {
        %at = arith.subi %j, %c5 : index
        %from = tensor.extract %b[%i, %at] : tensor<2x1xf32>
        scf.yield %from : f32
      } else {
        %at = arith.subi %j, %c6 : index
        %from = tensor.extract %c[%i, %at] : tensor<2x3xf32>
        scf.yield %from : f32
      }
      scf.yield %other : f32
    }
    linalg.yield %y : f32
  } -> tensor<2x9xf32>
  return %o : tensor<2x9xf32>
}

// -----

// Only some rows of a tensor are none of that.

// CHECK-LABEL: @rows(
// CHECK-NOT: tensor.concat
// CHECK: scf.if
func.func @rows(%a: tensor<4x5xf32>, %b: tensor<2x1xf32>) -> tensor<2x6xf32> {
  %e = tensor.empty() : tensor<2x6xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x6xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c5 = arith.constant 5 : index
    %isFirst = arith.cmpi ult, %j, %c5 : index
    %y = scf.if %isFirst -> (f32) {
      %from = tensor.extract %a[%i, %j] : tensor<4x5xf32>
      scf.yield %from : f32
    } else {
      %at = arith.subi %j, %c5 : index
      %from = tensor.extract %b[%i, %at] : tensor<2x1xf32>
      scf.yield %from : f32
    }
    linalg.yield %y : f32
  } -> tensor<2x6xf32>
  return %o : tensor<2x6xf32>
}

// -----

// A tensor that is computed for each element is not there before.

// CHECK-LABEL: @inside(
// CHECK-NOT: tensor.concat
// CHECK: scf.if
func.func @inside(%a: tensor<2x5xf32>, %b: tensor<2x1xf32>) -> tensor<2x6xf32> {
  %e = tensor.empty() : tensor<2x6xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x6xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c5 = arith.constant 5 : index
    %negated = arith.negf %b : tensor<2x1xf32>
    %isFirst = arith.cmpi ult, %j, %c5 : index
    %y = scf.if %isFirst -> (f32) {
      %from = tensor.extract %a[%i, %j] : tensor<2x5xf32>
      scf.yield %from : f32
    } else {
      %at = arith.subi %j, %c5 : index
      %from = tensor.extract %negated[%i, %at] : tensor<2x1xf32>
      scf.yield %from : f32
    }
    linalg.yield %y : f32
  } -> tensor<2x6xf32>
  return %o : tensor<2x6xf32>
}
