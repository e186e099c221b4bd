//===- Blas.h - Products of matrices of both types --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Row-major, and overloaded for f32 and f64. Those of f32 are oneDNN's where it
// has them: it uses all of a CPU that OpenBLAS does not know.

#ifndef TRN_LIB_COMPRESS_BLAS_H
#define TRN_LIB_COMPRESS_BLAS_H

#include "trn/Model/Product.h"
#include <cblas.h>
#include <cstdint>
#include <lapacke.h>

namespace mlir::trn::blas {

constexpr CBLAS_TRANSPOSE asIs = CblasNoTrans, transposed = CblasTrans;

/// c [m, n] = alpha a b + beta c.
inline void gemm(CBLAS_TRANSPOSE turnA, CBLAS_TRANSPOSE turnB, int64_t m,
                 int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                 const float *b, int64_t ldb, float beta, float *c,
                 int64_t ldc) {
  multiply(m, n, k, {a, lda, turnA == transposed},
           {b, ldb, turnB == transposed}, c, ldc, beta, alpha);
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
  const bool turns = turn == transposed;
  multiply(1, turns ? n : m, turns ? m : n, {x, incx, /*isTransposed=*/true},
           {a, lda, !turns}, y, turns ? n : m, beta, alpha);
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

/// b [m, n] = b a^-1, or b a^-T, for the lower triangle a.
inline void trsm(CBLAS_TRANSPOSE turn, int64_t m, int64_t n, const float *a,
                 int64_t lda, float *b, int64_t ldb) {
  cblas_strsm(CblasRowMajor, CblasRight, CblasLower, turn, CblasNonUnit, m, n,
              1, a, lda, b, ldb);
}
inline void trsm(CBLAS_TRANSPOSE turn, int64_t m, int64_t n, const double *a,
                 int64_t lda, double *b, int64_t ldb) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, turn, CblasNonUnit, m, n,
              1, a, lda, b, ldb);
}

/// The lower triangle of c [n, n] -= a a^T of a [n, k].
inline void syrk(int64_t n, int64_t k, const float *a, int64_t lda, float *c,
                 int64_t ldc) {
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, k, -1, a, lda, 1, c,
              ldc);
}
inline void syrk(int64_t n, int64_t k, const double *a, int64_t lda, double *c,
                 int64_t ldc) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, k, -1, a, lda, 1, c,
              ldc);
}

/// The lower triangle of a [n, n] becomes its root; not 0 if there is none.
/// Upper in columns is lower in rows.
inline int potrf(int64_t n, float *a, int64_t lda) {
  return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'U', n, a, lda);
}
inline int potrf(int64_t n, double *a, int64_t lda) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, a, lda);
}

/// The reciprocal condition of what has the root a, and whose norm is `norm`.
inline float pocon(int64_t n, const float *a, float norm) {
  float reciprocal = 0;
  LAPACKE_spocon(LAPACK_COL_MAJOR, 'U', n, a, n, norm, &reciprocal);
  return reciprocal;
}
inline double pocon(int64_t n, const double *a, double norm) {
  double reciprocal = 0;
  LAPACKE_dpocon(LAPACK_COL_MAJOR, 'U', n, a, n, norm, &reciprocal);
  return reciprocal;
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
