/* Compiles, runs and times a chain. */
#include "trn-c/Generate.h"
#include "trn-c/Run.h"
#include <stdio.h>
#include <stdlib.h>

enum { M = 128, K = 256, R = 128, N = 512 };
static float x[M * K], u[K * R], v[R * N], o[M * N];
static char text[1 << 16];

static void print(MlirStringRef piece, void *stream) {
  fwrite(piece.data, 1, piece.length, stream);
}
static void keep(MlirStringRef piece, void *to) {
  snprintf(to, sizeof text, "%.*s", (int)piece.length, piece.data);
}
static void fill(float *array, int size, float value) {
  while (size-- > 0)
    array[size] = value;
}

int main(void) {
  MlirStringRef none = {NULL, 0}, options = mlirStringRefCreateFromCString("machine=trn2");
  trnGenerateChain(M, K, R, N, TrnElementTypeBF16, keep, text, print, stderr);
  TrnModule module = trnModuleCompile(mlirStringRefCreateFromCString(text), none, options, print, stderr);
  int64_t shapes[][2] = {{M, K}, {K, R}, {R, N}, {M, N}};
  TrnArray inputs[] = {{TrnElementTypeF32, 2, shapes[0], x},
                       {TrnElementTypeF32, 2, shapes[1], u},
                       {TrnElementTypeF32, 2, shapes[2], v}};
  TrnArray result = {TrnElementTypeF32, 2, shapes[3], o};
  double milliseconds = 0;
  fill(x, M * K, 1), fill(u, K * R, 0.5), fill(v, R * N, 0.25);
  if (mlirLogicalResultIsFailure(trnModuleRun(module, none, 3, inputs, 1, &result, print, stderr)) ||
      mlirLogicalResultIsFailure(trnModuleTime(module, none, &milliseconds, print, stderr)))
    return EXIT_FAILURE;
  printf("o[0] = %g, o[last] = %g, modelled: %.5f ms\n", o[0], o[M * N - 1], milliseconds);
  trnModuleDestroy(module);
}
