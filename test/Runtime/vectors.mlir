// RUN: not trn-run %s --compile=effort=1 --entry=loads 2>&1 | FileCheck %s --check-prefix=LOADS
// RUN: trn-run %s --compile=effort=1 --entry=transfers --out=@%t.npy --out=@%t.product.npy > /dev/null
// RUN: %python -c "import numpy; print(numpy.load('%t.npy'))" | FileCheck %s --check-prefix=TRANSFERS

// Nothing checks where a vector is loaded from.
// LOADS: [[#@LINE+3]]:{{[0-9]+}}: error: 'vector.load' op is below host code, which is checked as it runs; use arith, memref and the like
func.func @loads(%x: memref<4xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %v = vector.load %x[%c2] : memref<4xf32>, vector<4xf32>
  %sum = vector.reduction <add>, %v : vector<4xf32> into f32
  %s = tensor.splat %sum : tensor<4xf32>
  return %s : tensor<4xf32>
}

// Transfers are checked, whatever they promise.
// TRANSFERS: [3. 4. 7. 7.]
func.func @transfers(%a: tensor<8x8xf32>) -> (tensor<4xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7.0 : f32
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %v = vector.transfer_read %x[%c2], %seven {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %o = vector.transfer_write %v, %empty[%c0] : vector<4xf32>, tensor<4xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %aa = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o, %aa : tensor<4xf32>, tensor<8x8xf32>
}
