//===- Blas.h - Products of matrices of both types --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Row-major, and overloaded for f32 and f64.

#ifndef TRN_LIB_COMPRESS_BLAS_H
#define TRN_LIB_COMPRESS_BLAS_H

#include <cblas.h>
#include <cstdint>

namespace mlir::trn::blas {

constexpr CBLAS_TRANSPOSE asIs = CblasNoTrans, transposed = CblasTrans;

/// c [m, n] = alpha a b + beta c.
inline void gemm(CBLAS_TRANSPOSE turnA, CBLAS_TRANSPOSE turnB, int64_t m,
                 int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                 const float *b, int64_t ldb, float beta, float *c,
                 int64_t ldc) {
  cblas_sgemm(CblasRowMajor, turnA, turnB, m, n, k, alpha, a, lda, b, ldb, beta,
              c, ldc);
}
inline void gemm(CBLAS_TRANSPOSE turnA, CBLAS_TRANSPOSE turnB, int64_t m,
                 int64_t n, int64_t k, double alpha, const double *a,
                 int64_t lda, const double *b, int64_t ldb, double beta,
                 double *c, int64_t ldc) {
  cblas_dgemm(CblasRowMajor, turnA, turnB, m, n, k, alpha, a, lda, b, ldb, beta,
              c, ldc);
}

/// y = alpha a x + beta y of a [m, n].
inline void gemv(CBLAS_TRANSPOSE turn, int64_t m, int64_t n, float alpha,
                 const float *a, int64_t lda, const float *x, int64_t incx,
                 float beta, float *y) {
  cblas_sgemv(CblasRowMajor, turn, m, n, alpha, a, lda, x, incx, beta, y, 1);
}
inline void gemv(CBLAS_TRANSPOSE turn, int64_t m, int64_t n, double alpha,
                 const double *a, int64_t lda, const double *x, int64_t incx,
                 double beta, double *y) {
  cblas_dgemv(CblasRowMajor, turn, m, n, alpha, a, lda, x, incx, beta, y, 1);
}

/// y = a x, of which the upper triangle is read.
inline void symv(int64_t n, const float *a, int64_t lda, const float *x,
                 float *y) {
  cblas_ssymv(CblasRowMajor, CblasUpper, n, 1, a, lda, x, 1, 0, y, 1);
}
inline void symv(int64_t n, const double *a, int64_t lda, const double *x,
                 double *y) {
  cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, a, lda, x, 1, 0, y, 1);
}

inline float dot(int64_t n, const float *x, const float *y) {
  return cblas_sdot(n, x, 1, y, 1);
}
inline double dot(int64_t n, const double *x, const double *y) {
  return cblas_ddot(n, x, 1, y, 1);
}
inline float norm(int64_t n, const float *x) { return cblas_snrm2(n, x, 1); }
inline double norm(int64_t n, const double *x) { return cblas_dnrm2(n, x, 1); }
inline void axpy(int64_t n, float alpha, const float *x, float *y) {
  cblas_saxpy(n, alpha, x, 1, y, 1);
}
inline void axpy(int64_t n, double alpha, const double *x, double *y) {
  cblas_daxpy(n, alpha, x, 1, y, 1);
}
inline void scale(int64_t n, float alpha, float *x) {
  cblas_sscal(n, alpha, x, 1);
}
inline void scale(int64_t n, double alpha, double *x) {
  cblas_dscal(n, alpha, x, 1);
}

} // namespace mlir::trn::blas

#endif // TRN_LIB_COMPRESS_BLAS_H
