// RUN: trn-opt %s --trn-outline-collectives -split-input-file -verify-diagnostics

shard.grid @cores(shape = 2)
func.func @largest(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{has no instruction: cores sum (all_reduce and reduce_scatter of sums), gather (all_gather) and take their piece (all_slice)}}
  %0 = shard.all_reduce %x on @cores grid_axes = [0] reduction = max : tensor<4x64xbf16> -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// -----

shard.grid @cores(shape = 2x2)
func.func @someAxes(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{is on some axes of @cores, but all cores of a grid meet at once; name all in grid_axes}}
  %0 = shard.all_reduce %x on @cores grid_axes = [0] : tensor<4x64xbf16> -> tensor<4x64xbf16>
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
func.func @toAll(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @+1 {{has no instruction}}
  %0 = shard.all_to_all %x on @cores grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<4x64xbf16> -> tensor<4x64xbf16>
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
