// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// A loop that counts is a `for`, whose counter needs no tensor.

// CHECK-LABEL: @count(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4xf32>
// CHECK-DAG: %[[FROM:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[TO:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[BY:.*]] = arith.constant 3 : index
// CHECK: %[[O:.*]] = scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %[[BY]] iter_args(%[[H:.*]] = %[[X]])
// CHECK: %[[N:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NOT: tensor.extract
// CHECK: arith.sitofp %[[N]]
// CHECK: %[[END:.*]] = arith.constant 8 : index
// CHECK: %[[N8:.*]] = arith.index_cast %[[END]]
// CHECK: %[[LAST:.*]] = tensor.from_elements %[[N8]]
// CHECK: return %[[O]], %[[LAST]]
func.func @count(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %two = arith.constant dense<2> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  %seven = arith.constant dense<7> : tensor<i32>
  %r:2 = scf.while (%n = %two, %h = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<i1>
    %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%n, %seven : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %old: i1):
      %isBelow = arith.cmpi slt, %a, %b : i32
      linalg.yield %isBelow : i1
    } -> tensor<i1>
    %goesOn = tensor.extract %c[] : tensor<i1>
    scf.condition(%goesOn) %n, %h : tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%n: tensor<i32>, %h: tensor<4xf32>):
    %number = tensor.extract %n[] : tensor<i32>
    %factor = arith.sitofp %number : i32 to f32
    %factors = tensor.splat %factor : tensor<4xf32>
    %next = arith.mulf %h, %factors : tensor<4xf32>
    %n1 = arith.addi %n, %three : tensor<i32>
    scf.yield %n1, %next : tensor<i32>, tensor<4xf32>
  }
  return %r#1, %r#0 : tensor<4xf32>, tensor<i32>
}

// -----

// What leaves the range of its type does not end there.

// CHECK-LABEL: @wraps(
// CHECK: scf.while
func.func @wraps(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i8
  %c100 = arith.constant 100 : i8
  %c120 = arith.constant 120 : i8
  %r:2 = scf.while (%n = %c0, %h = %x) : (i8, tensor<4xf32>) -> (i8, tensor<4xf32>) {
    %c = arith.cmpi slt, %n, %c120 : i8
    scf.condition(%c) %n, %h : i8, tensor<4xf32>
  } do {
  ^bb0(%n: i8, %h: tensor<4xf32>):
    %next = arith.mulf %h, %h : tensor<4xf32>
    %n1 = arith.addi %n, %c100 : i8
    scf.yield %n1, %next : i8, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// What counts to a number that only the run knows is no `for`.

// CHECK-LABEL: @unknown(
// CHECK: scf.while
func.func @unknown(%x: tensor<4xf32>, %end: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%n = %c0, %h = %x) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>) {
    %c = arith.cmpi slt, %n, %end : i32
    scf.condition(%c) %n, %h : i32, tensor<4xf32>
  } do {
  ^bb0(%n: i32, %h: tensor<4xf32>):
    %next = arith.mulf %h, %h : tensor<4xf32>
    %n1 = arith.addi %n, %c1 : i32
    scf.yield %n1, %next : i32, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// Results of all iterations in one tensor are put together.

// CHECK-LABEL: @parts(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4xf32>
// CHECK-NOT: scf.for
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]]
// CHECK: %[[O:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK: return %[[B]], %[[O]]
func.func @parts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %e = tensor.empty() : tensor<2x4xf32>
  %r:3 = scf.while (%n = %c0, %h = %x, %all = %e) : (i32, tensor<4xf32>, tensor<2x4xf32>) -> (i32, tensor<4xf32>, tensor<2x4xf32>) {
    %c = arith.cmpi slt, %n, %c2 : i32
    scf.condition(%c) %n, %h, %all : i32, tensor<4xf32>, tensor<2x4xf32>
  } do {
  ^bb0(%n: i32, %h: tensor<4xf32>, %all: tensor<2x4xf32>):
    %next = arith.mulf %h, %h : tensor<4xf32>
    %least = arith.maxsi %n, %c0 : i32
    %most = arith.minsi %least, %c1 : i32
    %i = arith.index_cast %most : i32 to index
    %more = tensor.insert_slice %next into %all[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
    %n1 = arith.addi %n, %c1 : i32
    scf.yield %n1, %next, %more : i32, tensor<4xf32>, tensor<2x4xf32>
  }
  return %r#1, %r#2 : tensor<4xf32>, tensor<2x4xf32>
}

// -----

// What reads the number right behind the loop has it.

// CHECK-LABEL: @behind(
// CHECK: scf.for
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @behind(%x: tensor<4xf32>) -> (tensor<4xf32>, i32) {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%n = %zero, %h = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %number = tensor.extract %n[] : tensor<i32>
    %c = arith.cmpi slt, %number, %three : i32
    scf.condition(%c) %n, %h : tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%n: tensor<i32>, %h: tensor<4xf32>):
    %next = arith.mulf %h, %h : tensor<4xf32>
    %n1 = arith.addi %n, %one : tensor<i32>
    scf.yield %n1, %next : tensor<i32>, tensor<4xf32>
  }
  %a = tensor.extract %r#0[] : tensor<i32>
  %b = tensor.extract %r#0[] : tensor<i32>
  %sum = arith.addi %a, %b : i32
  return %r#1, %sum : tensor<4xf32>, i32
}

// -----

// The first of several numbers does not stand for all.

// CHECK-LABEL: @several(
// CHECK: scf.while
#first = affine_map<() -> (0)>
func.func @several(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi32>) {
  %zeros = arith.constant dense<0> : tensor<2xi32>
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%n = %zeros, %h = %x) : (tensor<2xi32>, tensor<4xf32>) -> (tensor<2xi32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<i1>
    %c = linalg.generic {indexing_maps = [#first, affine_map<() -> ()>], iterator_types = []} ins(%n : tensor<2xi32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %old: i1):
      %isBelow = arith.cmpi slt, %a, %three : i32
      linalg.yield %isBelow : i1
    } -> tensor<i1>
    %goesOn = tensor.extract %c[] : tensor<i1>
    scf.condition(%goesOn) %n, %h : tensor<2xi32>, tensor<4xf32>
  } do {
  ^bb0(%n: tensor<2xi32>, %h: tensor<4xf32>):
    %next = arith.mulf %h, %h : tensor<4xf32>
    %n1 = linalg.generic {indexing_maps = [#first, #first], iterator_types = []} ins(%n : tensor<2xi32>) outs(%n : tensor<2xi32>) {
    ^bb0(%a: i32, %old: i32):
      %more = arith.addi %a, %one : i32
      linalg.yield %more : i32
    } -> tensor<2xi32>
    scf.yield %n1, %next : tensor<2xi32>, tensor<4xf32>
  }
  return %r#1, %r#0 : tensor<4xf32>, tensor<2xi32>
}
