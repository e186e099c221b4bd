// RUN: echo '{"base": "trn1", "stationary_free_max": 64}' > %t.stationary.json
// RUN: trn-gen xw --m=300 --k=200 --n=150 | trn-opt --trn-compile="effort=1 machine=%t.stationary.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATIONARY
// RUN: echo '{"base": "trn1", "sbuf_free_max": 100}' > %t.sbuf.json
// RUN: trn-gen xw --m=300 --k=200 --n=150 | trn-opt --trn-compile="effort=1 machine=%t.sbuf.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SBUF
// RUN: echo '{"base": "trn1", "psum_free_max": 127}' > %t.psum.json
// RUN: trn-gen xw --m=300 --k=200 --n=150 | trn-opt --trn-compile="effort=1 machine=%t.psum.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PSUM
// RUN: echo '{"base": "trn1", "moving_free_max": 64}' > %t.moving.json
// RUN: trn-gen xw --m=300 --k=200 --n=150 | trn-opt --trn-compile="effort=1 machine=%t.moving.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVING

// RUN: echo '{"base": "trn1", "moving_free_max": 300, "psum_free_max": 200, "sbuf_free_max": 450}' > %t.narrow.json
// RUN: trn-gen xuv --m=300 --k=200 --r=300 --n=700 | trn-run - --compile="effort=1 transpose=explicit" --machine=%t.narrow.json --verify | FileCheck %s --check-prefix=NARROW
// RUN: echo '{"base": "trn1", "moving_free_max": 1024, "psum_bank_bytes": 4096}' > %t.wide.json
// RUN: trn-gen xuv --m=300 --k=200 --r=300 --n=700 | trn-run - --compile=effort=1 --machine=%t.wide.json --verify | FileCheck %s --check-prefix=NARROW

// A machine that can run kernels, but not those that the compiler makes, is
// refused with the name of the limit; what only makes tiles smaller is not.

// STATIONARY: remark: product left on the host: 'stationary_free_max' of the machine is 64, but kernels are cut into tiles of 'partitions' rows and columns, so it must be at least 128
// SBUF: remark: product left on the host: 'sbuf_free_max' of the machine is 100
// PSUM: remark: product left on the host: 'psum_free_max' of the machine is 127
// MOVING: remark: product left on the host: 'moving_free_max' of the machine is 64
// NARROW: verify: result 0
