// RUN: trn-opt %s --trn-outline-collectives -split-input-file -verify-diagnostics

shard.grid @cores(shape = 2)
func.func @mean(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{reduces by average, but cores reduce by sum, product, max or min}}
  %0 = shard.all_reduce %x on @cores grid_axes = [0] reduction = average : tensor<4x64xbf16> -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = ?)
func.func @anyCores(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{is on @cores, but a program needs the number of its cores}}
  %0 = shard.all_reduce %x on @cores grid_axes = [0] : tensor<4x64xbf16> -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = 2)
func.func @integers(%x: tensor<4x64xi32>) -> tensor<4x64xi32> {
  // expected-error @+1 {{cores meet over tensors of 1 to 5 static dimensions and one type, bf16, f16 or f32}}
  %0 = shard.all_reduce %x on @cores grid_axes = [0] : tensor<4x64xi32> -> tensor<4x64xi32>
  return %0 : tensor<4x64xi32>
}

// -----

shard.grid @cores(shape = 2)
func.func @onlyMoved(%x: tensor<4x64xi64>) -> tensor<4x64xi64> {
  // expected-error @+1 {{cores meet over tensors of 1 to 5 static dimensions and one type, bf16, f16, f32, i32 or i8}}
  %0 = shard.all_to_all %x on @cores grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<4x64xi64> -> tensor<4x64xi64>
  return %0 : tensor<4x64xi64>
}

// -----

shard.grid @cores(shape = 2)
func.func @sends(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{is for some cores, but all run the same kernels; in a shift each sends to the next one, or to none}}
  %0 = shard.send %x on @cores grid_axes = [0] destination = [1] : (tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = 2)
func.func @chooses(%x: tensor<4x64xbf16>, %root: index) -> tensor<4x64xbf16> {
  // expected-error @+1 {{has a root that only a run knows, but all cores run one program; give its numbers}}
  %0 = shard.broadcast %x on @cores grid_axes = [0] root = [%root] : (tensor<4x64xbf16>, index) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = 4294967296x4294967296)
func.func @many(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{is on @cores of 9223372036854775807 cores, but at most 65536 can meet}}
  %0 = shard.shift %x on @cores grid_axes = [0] shift_axis = 0 offset = 1 : tensor<4x64xbf16> -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = 2)
func.func @markedOnly(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %halves = shard.sharding @cores split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{says how to split a tensor, which nobody has done; run sharding-propagation and shard-partition of mlir-opt, or request a split by trn.shard and the option partition}}
  %0 = shard.shard %x to %halves : tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = 2)
func.func @anyPiece(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error @+1 {{makes 'tensor<?x64xf32>', but pieces of cores have static sizes}}
  %0 = shard.all_slice %x on @cores grid_axes = [0] slice_axis = 0 : tensor<?x64xf32> -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

shard.grid @cores(shape = 2)
func.func @neighbors(%core: index) -> (index, index) {
  // expected-error @+1 {{has no instruction of cores}}
  %0, %1 = shard.neighbors_linear_indices on @cores[%core] split_axes = [0] : index, index
  return %0, %1 : index, index
}

// -----

shard.grid @cores(shape = 2)
func.func @halo(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{has no instruction of cores}}
  %0 = shard.update_halo %x on @cores split_axes = [[0]] halo_sizes = [1, 1] : tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

shard.grid @cores(shape = 2)
func.func @dimension(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{names dimension 6, but its tensor has 2}}
  %0 = shard.reduce_scatter %x on @cores grid_axes = [0] scatter_axis = 6 : tensor<4x64xf32> -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
