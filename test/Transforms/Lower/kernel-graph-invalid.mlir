// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-plan-kernels

// What a kernel computes is read off a body of linalg on tensors. People write such bodies, too.

// expected-error @below {{kernel must take static matrices, but takes 'memref<?x4xf32>'}}
func.func private @dynamic(%x: memref<?x4xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func private @three_dims_of_an_argument(%x: memref<8x4x2xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  // expected-error @below {{has 3 dimensions beside batches, but matrices have 2}}
  %x_in = bufferization.to_tensor %x restrict : memref<8x4x2xf32> to tensor<8x4x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func private @reads_twice(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  // expected-error @below {{reads an argument that is read already}}
  %again = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// expected-error @below {{kernel must read or write every argument once}}
func.func private @computes_nothing(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

// A loop is what a schedule says, not what the body of a kernel has.
func.func private @loop(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %c0 = arith.constant 0 : index
  // expected-error @below {{has no place in a kernel on tensors}}
  scf.for %i = %c0 to %c0 step %c0 {
  }
  return
}

// -----

func.func private @apart(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x3x2xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %y = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{takes apart what is not stored as heads}}
  %heads = tensor.expand_shape %y [[0], [1, 2]] output_shape [8, 3, 2] : tensor<8x6xf32> into tensor<8x3x2xf32>
  bufferization.materialize_in_destination %heads in restrict writable %o : (tensor<8x3x2xf32>, memref<8x3x2xf32>) -> ()
  return
}

// -----

func.func private @no_dims(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{yields 'tensor<f32>', but kernels compute static matrices of bf16, f16 or f32}}
  %more = tensor.empty() : tensor<f32>
  return
}

// -----

func.func private @batch_innermost(%x: memref<3x8x4xf32>, %w: memref<4x6x3xf32>, %o: memref<3x8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<3x8x4xf32> to tensor<3x8x4xf32>
  // expected-error @below {{has a batch as its innermost dimension, but must have columns}}
  %w_in = bufferization.to_tensor %w restrict : memref<4x6x3xf32> to tensor<4x6x3xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x8x6xf32>) -> tensor<3x8x6xf32>
  %sums = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x_in, %w_in : tensor<3x8x4xf32>, tensor<4x6x3xf32>) outs(%init : tensor<3x8x6xf32>) -> tensor<3x8x6xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<3x8x6xf32>, memref<3x8x6xf32>) -> ()
  return
}

// -----

func.func private @sums_twice(%x: memref<8x4x2xf32>, %w: memref<4x2x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = tensor.empty() : tensor<8x4x2xf32>
  %w_in = tensor.empty() : tensor<4x2x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{must run over batches, rows, columns and one dimension that it sums over, in this order}}
  %sums = linalg.contract indexing_maps = [affine_map<(m, n, j, k) -> (m, j, k)>, affine_map<(m, n, j, k) -> (j, k, n)>, affine_map<(m, n, j, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<8x4x2xf32>, tensor<4x2x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func private @on_buffers(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{works on buffers, but what is compiled to a kernel works on tensors}}
  linalg.fill ins(%zero : f32) outs(%o : memref<8x6xf32>)
  return
}

// -----

func.func private @no_zeros(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{accumulates onto something else than zeros}}
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func private @onto_a_matrix(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %c: memref<8x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %init = bufferization.to_tensor %c restrict : memref<8x6xf32> to tensor<8x6xf32>
  // expected-error @below {{accumulates onto something else than zeros}}
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func private @sums_in_bf16(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8x6xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<8x6xbf16>) -> tensor<8x6xbf16>
  // expected-error @below {{sums in 'bf16', but kernels sum in f32 and round then}}
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xbf16>) -> tensor<8x6xbf16>
  return
}

// -----

func.func private @multiplies_zeros(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %v: memref<6x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %right = bufferization.to_tensor %v restrict : memref<6x6xf32> to tensor<6x6xf32>
  // expected-error @below {{multiplies what is no matrix of the kernel}}
  %next = linalg.matmul ins(%init, %right : tensor<8x6xf32>, tensor<6x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @remainder(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    // expected-error @below {{the engines cannot compute this}}
    %rest = arith.remf %sum, %sum : f32
    linalg.yield %rest : f32
  } -> tensor<8x6xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// Kernels round to nearest even.
func.func private @rounds_to_zero(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %narrow = tensor.empty() : tensor<8x6xbf16>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%narrow : tensor<8x6xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    // expected-error @below {{the engines cannot compute this}}
    %rounded = arith.truncf %sum toward_zero : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<8x6xbf16>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xbf16>, memref<8x6xbf16>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @stores_in_an_input(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32>) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  // expected-error @below {{must store a matrix in a result argument}}
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

func.func private @stores_an_input(%x: memref<8x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x6xf32> to tensor<8x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{must store what a product computes, once}}
  bufferization.materialize_in_destination %x_in in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @stores_twice(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}, %p: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  // expected-error @below {{stores a matrix that another result holds, in the same layout or transposed, but a kernel stores each once}}
  bufferization.materialize_in_destination %product in restrict writable %p : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @stores_two_in_one(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  %more = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %other = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%more : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  // expected-error @below {{must store what a product computes, once}}
  bufferization.materialize_in_destination %other in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{kernel must read or write every argument once}}
func.func private @nothing_is_stored(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  return
}

// -----

// expected-error @below {{kernel cannot be planned: there must be at least one stage}}
func.func private @empty() attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @reads_what_it_overwrites(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{reads what it overwrites}}
  %product = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<8x6xf32>) outs(%init : tensor<8x6xf32>) {
  ^bb0(%sum: f32, %old: f32):
    %both = arith.addf %sum, %old : f32
    linalg.yield %both : f32
  } -> tensor<8x6xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @reduces(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %empty = tensor.empty() : tensor<8xf32>
  // expected-error @below {{is neither a product nor a reduction, nor computed element by element: it reduces onto values that may change the result}}
  %sums = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x_in : tensor<8x4xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%in: f32, %old: f32):
    %both = arith.addf %in, %old : f32
    linalg.yield %both : f32
  } -> tensor<8xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @constant(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  // expected-error @below {{computes nothing but a constant}}
  %twos = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<8x6xf32>) {
  ^bb0(%old: f32):
    %four = arith.mulf %two, %two : f32
    linalg.yield %four : f32
  } -> tensor<8x6xf32>
  bufferization.materialize_in_destination %twos in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @several_constants(%x: memref<8x4xf32>, %o: memref<8x4xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  // expected-error @below {{is computed from what is no matrix of the kernel}}
  %c = arith.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]> : tensor<8x1xf32>
  %empty = tensor.empty() : tensor<8x4xf32>
  %sums = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x_in, %c : tensor<8x4xf32>, tensor<8x1xf32>) outs(%empty : tensor<8x4xf32>) {
  ^bb0(%in: f32, %other: f32, %old: f32):
    %sum = arith.addf %in, %other : f32
    linalg.yield %sum : f32
  } -> tensor<8x4xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// What is added has the columns of the product, so k would be n.
func.func private @one_dim_twice(%x: memref<8x4xf32>, %w: memref<4x4xf32>, %o: memref<8x4xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  // expected-error @below {{the rows and columns of this matrix would be one dim; give the kernel a matrix that is read in two ways twice}}
  %w_in = bufferization.to_tensor %w restrict : memref<4x4xf32> to tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %product = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  %sums = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product, %x_in : tensor<8x4xf32>, tensor<8x4xf32>) outs(%empty : tensor<8x4xf32>) {
  ^bb0(%in: f32, %other: f32, %old: f32):
    %sum = arith.addf %in, %other : f32
    linalg.yield %sum : f32
  } -> tensor<8x4xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// Written out, each value is as long as twice the one before.
func.func private @too_long(%x: memref<8x4xf32>, %w: memref<4x6xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x6xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.matmul ins(%x_in, %w_in : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-error @below {{is an expression of more than 256 values}}
  %long = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %old: f32):
    %2 = arith.addf %in, %in : f32
    %3 = arith.addf %2, %2 : f32
    %4 = arith.addf %3, %3 : f32
    %5 = arith.addf %4, %4 : f32
    %6 = arith.addf %5, %5 : f32
    %7 = arith.addf %6, %6 : f32
    %8 = arith.addf %7, %7 : f32
    %9 = arith.addf %8, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<8x6xf32>
  bufferization.materialize_in_destination %long in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

func.func private @sliced_twice(%x: memref<8x4xf32>, %w: memref<4x12xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x12xf32> to tensor<4x12xf32>
  // expected-error @below {{must be all that reads an argument; give the kernel what is sliced in two ways twice}}
  %g = tensor.extract_slice %w_in[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %u = tensor.extract_slice %w_in[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.matmul ins(%x_in, %g : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

func.func private @strided(%x: memref<8x4xf32>, %w: memref<4x12xf32>, %o: memref<8x6xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<4x12xf32> to tensor<4x12xf32>
  // expected-error @below {{must take a range of rows and columns, or columns of several matrices, and have as many dimensions as what it is a part of}}
  %g = tensor.extract_slice %w_in[0, 0] [4, 6] [1, 2] : tensor<4x12xf32> to tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %product = linalg.matmul ins(%x_in, %g : tensor<8x4xf32>, tensor<4x6xf32>) outs(%init : tensor<8x6xf32>) -> tensor<8x6xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<8x6xf32>, memref<8x6xf32>) -> ()
  return
}

// -----

#rows = affine_map<(d0, d1) -> (d0, d1)>

func.func private @repeated_and_by_group(%x: memref<128x256xf32>, %s: memref<128x16xf32>, %o: memref<128x256xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xf32> to tensor<128x256xf32>
  %s_in = bufferization.to_tensor %s restrict : memref<128x16xf32> to tensor<128x16xf32>
  %empty = tensor.empty() : tensor<128x256xf32>
  // expected-error @below {{reads columns for groups, and repeated or for other groups, too}}
  %y = linalg.generic {indexing_maps = [#rows, affine_map<(d0, d1) -> (d0, d1 floordiv 16)>, affine_map<(d0, d1) -> (d0, d1 mod 16)>, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x_in, %s_in, %s_in : tensor<128x256xf32>, tensor<128x16xf32>, tensor<128x16xf32>) outs(%empty : tensor<128x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %old: f32):
    %one = arith.mulf %a, %b : f32
    %two = arith.mulf %one, %c : f32
    linalg.yield %two : f32
  } -> tensor<128x256xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<128x256xf32>, memref<128x256xf32>) -> ()
  return
}
