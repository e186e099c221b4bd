/* The dialect, its passes, and modules that MLIR's own C API makes. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Pass.h"
#include "trn-c/Dialect.h"
#include "trn-c/Generate.h"
#include "trn-c/Run.h"
#include <stdio.h>
#include <string.h>

static char text[1 << 16];

static void keep(MlirStringRef piece, void *to) {
  snprintf(to, sizeof text, "%.*s", (int)piece.length, piece.data);
}
static void print(MlirStringRef piece, void *stream) {
  fwrite(piece.data, 1, piece.length, stream);
}
static void sayWhetherRange(MlirStringRef report, void *stream) {
  const char *range = strstr(report.data, "\"latency_range_ms\": [");
  fputs(range ? "with a range\n" : "without a range\n", stream);
}
static void show(MlirAttribute attribute) {
  mlirAttributePrint(attribute, print, stdout);
  printf("\n");
}
static MlirStringRef ref(const char *string) { return mlirStringRefCreateFromCString(string); }

static void lookAtAttributes(MlirContext context) {
  MlirAttribute none = {NULL}, psum = mlirTrnMemoryAttrGet(context, MlirTrnMemorySpacePsum);
  MlirAttribute machine = mlirTrnMachineAttrGet(context, ref("trn2"), none);
  show(psum);
  show(machine);
  printf("%d %d %d %d\n", mlirAttributeIsATrnMemoryAttr(psum),
         mlirAttributeIsATrnMachineAttr(psum), mlirAttributeIsATrnMachineAttr(machine),
         mlirAttributeIsATrnScheduleAttr(none));
  printf("%d %d %.*s\n", (int)mlirTrnMemoryAttrGetSpace(psum), (int)mlirTrnMemoryAttrGetSpace(none),
         (int)mlirTrnMachineAttrGetName(machine).length, mlirTrnMachineAttrGetName(machine).data);
  printf("%d %d\n", mlirAttributeIsNull(mlirTrnMemoryAttrGet(context, 9)),
         mlirAttributeIsNull(mlirTrnMachineAttrGet(context, ref("trn2"), psum)));
}

static void runPipeline(MlirContext context, MlirModule module) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  if (mlirLogicalResultIsFailure(
          mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                       ref("trn-compress{rank=8},trn-compile{strategy=recompute}"),
                                       print, stdout)) ||
      mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))))
    printf("the pipeline failed\n");
  mlirPassManagerDestroy(manager);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirTrnRegisterAllDialects(registry);
  mlirTrnRegisterAllPasses();
  mlirTrnRegisterAllPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__trn__(), context);
  lookAtAttributes(context);

  trnGenerateChain(128, 256, 128, 512, TrnElementTypeBF16, keep, text, print, stdout);
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  /* The same times, whoever compiles. */
  TrnModule own = trnModuleCompileModule(module, ref("strategy=recompute"), print, stdout);
  runPipeline(context, module);
  TrnModule compiled = trnModuleCompileModule(module, ref(""), print, stdout);
  /* A TrnModule has a context of its own. */
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  double first = 0, second = 1;
  trnModuleTime(own, ref("main"), &first, print, stdout);
  trnModuleTime(compiled, ref(""), &second, print, stdout);
  printf("%s\n", first == second ? "equal" : "different");
  trnModuleReport(own, ref("main"), sayWhetherRange, stdout, print, stdout);
  trnModuleDestroy(own);
  trnModuleDestroy(compiled);
  return 0;
}
