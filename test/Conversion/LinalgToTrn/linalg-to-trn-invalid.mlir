// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-linalg-to-trn

func.func private @fill_without_product(%p: memref<128x512xf32, #trn.mem<psum>>) attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{fills PSUM, but no product accumulates into it}}
  linalg.fill ins(%zero : f32) outs(%p : memref<128x512xf32, #trn.mem<psum>>)
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
func.func private @no_instruction(%x: memref<128x512xf32, #trn.mem<sbuf>>, %y: memref<128x512xf32, #trn.mem<sbuf>>) attributes {trn.kernel} {
  // expected-error @below {{has no trn instruction}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<128x512xf32, #trn.mem<sbuf>>) outs(%y : memref<128x512xf32, #trn.mem<sbuf>>) {
  ^bb0(%in: f32, %out: f32):
    %root = math.sqrt %in : f32
    linalg.yield %root : f32
  }
  return
}
