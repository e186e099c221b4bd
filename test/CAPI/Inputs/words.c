/* Prints the words of a version of NKI. */
#include "trn-c/NKI.h"
#include <stdio.h>

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}

int main(int argc, char **argv) {
  MlirStringRef version = mlirStringRefCreateFromCString(argc > 1 ? argv[1] : "");
  return mlirLogicalResultIsFailure(trnNKIGetWords(version, print, stdout, print, stderr));
}
