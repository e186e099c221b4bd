/* Calls that cannot succeed, each with a line of its own before its diagnostics. */
#include "trn-c/Generate.h"
#include "trn-c/Run.h"
#include <stdio.h>

static const char source[] =
    "func.func @first(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {\n"
    "  %e = tensor.empty() : tensor<4x16xf32>\n"
    "  %z = arith.constant 0.0 : f32\n"
    "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>\n"
    "  %o = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>)\n"
    "                     outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>\n"
    "  return %o : tensor<4x16xf32>\n"
    "}\n"
    "func.func @second.dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {\n"
    "  return %x : tensor<?x8xf32>\n"
    "}\n"
    "func.func @third(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {\n"
    "  return %x : tensor<4x8xi8>\n"
    "}\n"
    "func.func @fourth(%x: memref<4x8xbf16>) {\n"
    "  return\n"
    "}\n";

static const MlirStringRef none = {NULL, 0};
static const MlirStringRef first = {"first", 5};

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}
static void start(const char *name) { printf("== %s\n", name); }
static TrnModule compile(const char *text, const char *options) {
  MlirStringRef name = mlirStringRefCreateFromCString("bad.mlir");
  return trnModuleCompile(mlirStringRefCreateFromCString(text), name,
                          mlirStringRefCreateFromCString(options), print, stdout);
}
static void run(TrnModule module, MlirStringRef function, intptr_t inputs, const TrnArray *input,
                intptr_t results, const TrnArray *result) {
  if (mlirLogicalResultIsSuccess(
          trnModuleRun(module, function, inputs, input, results, result, print, stdout)))
    printf("success\n");
}

static void compileBadly(void) {
  TrnModule null = {NULL};
  MlirModule noModule = {NULL};
  start("no text");
  trnModuleCompile(none, none, none, print, stdout);
  start("nobody listens");
  trnModuleCompile(none, none, none, NULL, NULL);
  start("syntax");
  compile("func.func @f(", "");
  start("unknown option");
  compile(source, "speed=11");
  start("unknown machine");
  compile(source, "machine=trn9");
  start("no module");
  trnModuleCompileModule(noModule, none, print, stdout);
  start("null module");
  run(null, none, 0, NULL, 0, NULL);
  trnModuleDestroy(null);
  printf("%d functions, %d remarks\n", (int)trnModuleGetNumFunctions(null),
         (int)trnModuleGetNumRemarks(null));
  start("no size");
  trnGenerateChain(0, 8, 8, 8, TrnElementTypeF32, print, stdout, print, stdout);
  start("no float");
  trnGenerateChain(8, 8, 8, 8, TrnElementTypeI8, print, stdout, print, stdout);
}

static void runBadly(TrnModule module) {
  float data[512] = {0};
  int64_t x[] = {4, 8}, w[] = {8, 16}, o[] = {4, 16}, negative[] = {4, -8};
  TrnArray inputs[] = {{TrnElementTypeF32, 2, x, data}, {TrnElementTypeF32, 2, w, data}};
  TrnArray result = {TrnElementTypeF32, 2, o, data}, input = inputs[0];
  start("right");
  run(module, first, 2, inputs, 1, &result);
  start("which function");
  run(module, none, 2, inputs, 1, &result);
  start("too few inputs");
  run(module, first, 1, inputs, 1, &result);
  start("negative count");
  run(module, first, -1, inputs, 1, &result);
  start("no inputs");
  run(module, first, 2, NULL, 1, &result);
  start("no result");
  run(module, first, 2, inputs, 0, NULL);
  start("wrong shape of result");
  run(module, first, 2, inputs, 1, &input);
  start("wrong type of result");
  result.type = TrnElementTypeF16;
  run(module, first, 2, inputs, 1, &result);
  result.type = TrnElementTypeF32;
  start("wrong shape");
  inputs[0].shape = w;
  run(module, first, 2, inputs, 1, &result);
  start("negative size");
  inputs[0].shape = negative;
  run(module, first, 2, inputs, 1, &result);
  start("wrong rank");
  inputs[0].rank = 1000000, inputs[0].shape = x;
  run(module, first, 2, inputs, 1, &result);
  start("no shape");
  inputs[0].rank = 2, inputs[0].shape = NULL;
  run(module, first, 2, inputs, 1, &result);
  start("no data");
  inputs[0].shape = x, inputs[0].data = NULL;
  run(module, first, 2, inputs, 1, &result);
  start("no such type");
  inputs[0].data = data, inputs[0].type = 77;
  run(module, first, 2, inputs, 1, &result);
  start("integers for floats");
  inputs[0].type = TrnElementTypeI32;
  run(module, first, 2, inputs, 1, &result);
  start("integers that do not fit");
  int64_t large[32] = {1000};
  TrnArray wide = {TrnElementTypeI64, 2, x, large}, narrow = {TrnElementTypeI8, 2, x, data};
  run(module, mlirStringRefCreateFromCString("third"), 1, &wide, 1, &narrow);
  start("a buffer of another type");
  run(module, mlirStringRefCreateFromCString("fourth"), 1, &input, 0, NULL);
  start("dynamic");
  run(module, mlirStringRefCreateFromCString("second.dynamic"), 1, inputs, 1, &result);
}

static void lookBadly(TrnModule module) {
  TrnSignature signature;
  double milliseconds = 0;
  start("dynamic signature");
  trnModuleGetSignature(module, mlirStringRefCreateFromCString("second.dynamic"), &signature,
                        print, stdout);
  start("no signature");
  trnModuleGetSignature(module, first, NULL, print, stdout);
  start("no such function");
  trnModuleTime(module, mlirStringRefCreateFromCString("sixth"), &milliseconds, print, stdout);
  start("no such level");
  trnModulePrint(module, 3, print, stdout, print, stdout);
  start("no such positions");
  printf("%d%d\n", (int)trnModuleGetFunctionName(module, -1).length,
         (int)trnModuleGetRemark(module, 1000).length);
  start("texts for nobody");
  trnModuleReport(module, first, NULL, NULL, print, stdout);
  trnModulePage(module, first, NULL, NULL, print, stdout);
  trnModuleTime(module, first, NULL, NULL, NULL);
}

int main(void) {
  compileBadly();
  TrnModule module = compile(source, "");
  runBadly(module);
  lookBadly(module);
  trnModuleDestroy(module);
  return 0;
}
