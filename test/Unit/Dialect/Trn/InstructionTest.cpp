//===- InstructionTest.cpp - Tests of how ops describe themselves ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/KnownMachines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

/// Calls each argument of the function a buffer of its own.
class ArgumentResolver final : public OperandResolver {
public:
  FailureOr<Access> access(Value memref) override {
    Access access;
    access.buffer = cast<BlockArgument>(memref).getArgNumber();
    auto type = cast<MemRefType>(memref.getType());
    access.type = *getElementType(type.getElementType());
    access.dims = getDims(type);
    return access;
  }
  FailureOr<Condition> condition(Value) override {
    return Condition{Condition::Predicate::Ne, LinearExpr(1)};
  }
  const Machine &machine() override { return defaultMachine(); }
};

/// A function that holds one op.
class InstructionTest : public ::testing::Test {
protected:
  InstructionTest() { context.loadDialect<TrnDialect, func::FuncDialect>(); }

  /// The only trn op of a function with `arguments`.
  InstructionOpInterface parse(StringRef arguments, StringRef op) {
    std::string text =
        ("func.func @test(" + arguments + ") {\n" + op + "\n  return\n}\n")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    InstructionOpInterface found;
    if (module)
      module->walk([&](InstructionOpInterface op) { found = op; });
    EXPECT_TRUE(found) << text;
    return found;
  }

  Instruction decode(InstructionOpInterface op) {
    ArgumentResolver resolver;
    FailureOr<Instruction> instruction = op.decode(resolver);
    EXPECT_TRUE(succeeded(instruction));
    return *instruction;
  }

  /// The effects as text, in order: "read #0 sbuf".
  SmallVector<std::string> effectsOf(Operation *op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    cast<MemoryEffectOpInterface>(op).getEffects(effects);
    SmallVector<std::string> texts;
    for (const MemoryEffects::EffectInstance &effect : effects) {
      const char *kind =
          isa<MemoryEffects::Read>(effect.getEffect()) ? "read" : "write";
      unsigned operand =
          effect.getEffectValue<OpOperand *>()->getOperandNumber();
      texts.push_back(kind + (" #" + std::to_string(operand)) + " " +
                      effect.getResource()->getName().str());
    }
    return texts;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Effects = SmallVector<std::string>;

constexpr StringLiteral product =
    "%w: memref<128x64xbf16, #trn.mem<sbuf>>, "
    "%x: memref<128x512xbf16, #trn.mem<sbuf>>, "
    "%y: memref<64x512xf32, #trn.mem<psum>>, %more: i1";
constexpr StringLiteral matmul =
    "trn.matmul stationary(%w : memref<128x64xbf16, #trn.mem<sbuf>>) "
    "moving(%x : memref<128x512xbf16, #trn.mem<sbuf>>) "
    "into %y : memref<64x512xf32, #trn.mem<psum>>";

} // namespace

TEST_F(InstructionTest, AMatmulReadsItsResultOnlyToAccumulate) {
  EXPECT_EQ(effectsOf(parse(product, matmul)),
            Effects({"read #0 sbuf", "read #1 sbuf", "write #2 psum"}));
  EXPECT_EQ(effectsOf(parse(product, matmul.str() + " accumulate(%more)")),
            Effects({"read #0 sbuf", "read #1 sbuf", "read #2 psum",
                     "write #2 psum"}));
}

TEST_F(InstructionTest, AMatmulDecodesItsRolesAndItsCondition) {
  Instruction instruction =
      decode(parse(product, matmul.str() + " accumulate(%more)"));
  EXPECT_EQ(instruction.engine, Engine::Tensor);
  EXPECT_EQ(instruction.semantics, Semantics::Matmul);
  ASSERT_EQ(instruction.reads.size(), 2u);
  EXPECT_EQ(instruction.reads[0].buffer, 0); // stationary
  EXPECT_EQ(instruction.reads[1].buffer, 1); // moving
  ASSERT_EQ(instruction.writes.size(), 1u);
  EXPECT_EQ(instruction.writes[0].buffer, 2);
  EXPECT_TRUE(instruction.accumulate.has_value());
  EXPECT_EQ(instruction.work.cycles, 512);
  EXPECT_EQ(instruction.work.flops, 2 * 128 * 64 * 512);
}

TEST_F(InstructionTest, ATransposeCountsAsAProductWithTheIdentity) {
  Instruction instruction = decode(
      parse("%x: memref<128x64xbf16, #trn.mem<sbuf>>, "
            "%t: memref<64x128xf32, #trn.mem<psum>>",
            "trn.transpose %x into %t : memref<128x64xbf16, #trn.mem<sbuf>> to "
            "memref<64x128xf32, #trn.mem<psum>>"));
  EXPECT_EQ(instruction.engine, Engine::Tensor);
  EXPECT_EQ(instruction.work.flops, 0);
  EXPECT_EQ(instruction.work.transposeFlops, 2 * 128 * (128 * 64));
  EXPECT_EQ(instruction.work.cycles, 128);
}

TEST_F(InstructionTest, StoresAndLoadsHaveQueuesOfTheirOwn) {
  StringRef arguments = "%a: memref<128x64xf32>, "
                        "%b: memref<128x64xf32, #trn.mem<sbuf>>";
  InstructionOpInterface load =
      parse(arguments, "trn.dma_copy %a to %b : memref<128x64xf32> to "
                       "memref<128x64xf32, #trn.mem<sbuf>>");
  EXPECT_EQ(load.getEngine(), Engine::Load);
  // One descriptor for each row of 256 bytes.
  EXPECT_EQ(decode(load).work.bytes, 128 * 256);
  EXPECT_EQ(decode(load).work.descriptors, 128);
  EXPECT_EQ(effectsOf(load), Effects({"read #0 hbm", "write #1 sbuf"}));
  InstructionOpInterface store =
      parse(arguments, "trn.dma_copy %b to %a : memref<128x64xf32, "
                       "#trn.mem<sbuf>> to memref<128x64xf32>");
  EXPECT_EQ(store.getEngine(), Engine::Store);
}

TEST_F(InstructionTest, APlainActivationIsACopy) {
  StringRef arguments = "%a: memref<128x64xf32, #trn.mem<psum>>, "
                        "%b: memref<128x64xbf16, #trn.mem<sbuf>>";
  auto activation = [&](StringRef function, StringRef rest) {
    return decode(parse(arguments, "trn.activation " + function.str() +
                                       "(%a : memref<128x64xf32, "
                                       "#trn.mem<psum>>) " +
                                       rest.str() +
                                       " into %b : memref<128x64xbf16, "
                                       "#trn.mem<sbuf>>"));
  };
  EXPECT_EQ(activation("copy", "").semantics, Semantics::Copy);
  Instruction scaled = activation("copy", "scale 2.0");
  EXPECT_EQ(scaled.semantics, Semantics::Map);
  EXPECT_EQ(scaled.formula, (Formula{{Function::Copy}}));
  EXPECT_EQ(scaled.parameters, (SmallVector<float, 2>{2.0f, 0.0f}));
  EXPECT_EQ(activation("silu", "").semantics, Semantics::Map);
  EXPECT_EQ(activation("silu", "").formula, (Formula{{Function::Silu}}));
  EXPECT_EQ(activation("silu", "").engine, Engine::Scalar);
}

TEST_F(InstructionTest, AReductionReadsAllAndWritesAColumn) {
  auto reduction = [&](StringRef function, StringRef from, StringRef to) {
    std::string src = ("memref<128x4x100x" + from + ", #trn.mem<psum>>").str();
    std::string dst = ("memref<128x1x" + to + ", #trn.mem<sbuf>>").str();
    return parse("%a: " + src + ", %b: " + dst,
                 ("trn.tensor_reduce " + function + "(%a : " + src +
                  ") into %b : " + dst)
                     .str());
  };
  InstructionOpInterface op = reduction("add", "f32", "f32");
  EXPECT_EQ(effectsOf(op), Effects({"read #0 psum", "write #1 sbuf"}));
  Instruction sum = decode(op);
  EXPECT_EQ(sum.engine, Engine::Vector);
  EXPECT_EQ(sum.semantics, Semantics::Reduce);
  EXPECT_EQ(sum.fold, Fold{Function::Add});
  EXPECT_EQ(sum.work.cycles, 400);
  auto cycles = [&](StringRef function, StringRef from, StringRef to) {
    return decode(reduction(function, from, to)).work.cycles;
  };
  EXPECT_EQ(cycles("add", "bf16", "bf16"), 200);
  EXPECT_EQ(cycles("max", "bf16", "bf16"), 200);
  EXPECT_EQ(cycles("min", "bf16", "bf16"), 400);
  EXPECT_EQ(cycles("add", "bf16", "f32"), 400);
}

TEST_F(InstructionTest, AReciprocalTakesCyclesForEachElement) {
  auto reciprocal = [&](int64_t columns) {
    std::string tile =
        "memref<128x" + std::to_string(columns) + "xf32, #trn.mem<sbuf>>";
    return decode(parse("%a: " + tile,
                        "trn.reciprocal %a into %a : " + tile + " to " + tile));
  };
  EXPECT_EQ(reciprocal(1).work.cycles,
            defaultMachine().reciprocalCyclesPerElement);
  EXPECT_EQ(reciprocal(512).work.cycles,
            defaultMachine().reciprocalCyclesPerElement * 512);
  EXPECT_EQ(reciprocal(512).engine, Engine::Vector);
  // Division keeps the sign of zero, which the activation's bias would lose.
  Instruction instruction = reciprocal(1);
  EXPECT_EQ(instruction.formula,
            (Formula{{Function::Div, Source::Constant, Source::Constant,
                      /*reversed=*/true}}));
  EXPECT_EQ(instruction.parameters, (SmallVector<float, 2>{1}));
}

TEST_F(InstructionTest, ASelectTakesACycleAnElement) {
  StringRef tile = "memref<128x512xbf16, #trn.mem<sbuf>>";
  InstructionOpInterface op =
      parse(("%c: " + tile + ", %a: " + tile).str(),
            ("trn.select if(%c : " + tile + ") then(%a : " + tile +
             ") else(%c : " + tile + ") into %a : " + tile)
                .str());
  EXPECT_EQ(effectsOf(op), Effects({"read #0 sbuf", "read #1 sbuf",
                                    "read #2 sbuf", "write #3 sbuf"}));
  Instruction instruction = decode(op);
  EXPECT_EQ(instruction.engine, Engine::Vector);
  EXPECT_EQ(instruction.semantics, Semantics::Map);
  EXPECT_EQ(instruction.formula,
            (Formula{{Function::Select, Source::Read, Source::Read}}));
  EXPECT_EQ(instruction.work.cycles, 512);
}

TEST_F(InstructionTest, AnIotaRunsOnGpSimd) {
  StringRef tile = "memref<128x512xf32, #trn.mem<sbuf>>";
  InstructionOpInterface op =
      parse(("%a: " + tile).str(),
            ("trn.iota %a start -1 step 2 partition_step 3 : " + tile).str());
  EXPECT_EQ(effectsOf(op), Effects({"write #0 sbuf"}));
  Instruction instruction = decode(op);
  EXPECT_EQ(instruction.engine, Engine::GpSimd);
  EXPECT_EQ(instruction.semantics, Semantics::Iota);
  EXPECT_EQ(instruction.parameters, (SmallVector<float, 2>{-1, 3, 2}));
  EXPECT_EQ(instruction.work.cycles, 150 + 512);
}

TEST_F(InstructionTest, TwoOperationsAreAChain) {
  StringRef tile = "memref<128x512xf32, #trn.mem<sbuf>>";
  StringRef column = "memref<128x1xf32, #trn.mem<sbuf>>";
  std::string arguments = ("%a: " + tile + ", %c: " + column).str();
  Instruction instruction = decode(
      parse(arguments, ("trn.tensor_scalar mul(%a : " + tile +
                        ") constant 2.0 then sub scalars(%c : " + column +
                        ") reversed into %a : " + tile)
                           .str()));
  EXPECT_EQ(instruction.formula,
            (Formula{{Function::Mul},
                     {Function::Sub, Source::Read, Source::Constant, true}}));
  EXPECT_EQ(instruction.parameters, (SmallVector<float, 2>{2}));
  EXPECT_EQ(instruction.work.cycles, 512); // as one operation
  instruction = decode(
      parse(arguments, ("trn.scalar_tensor_tensor sub(%a : " + tile +
                        ") scalars(%c : " + column + ") then mul(%a : " + tile +
                        ") into %a : " + tile)
                           .str()));
  EXPECT_EQ(instruction.reads.size(), 3u);
  EXPECT_EQ(instruction.formula, (Formula{{Function::Sub, Source::Read},
                                          {Function::Mul, Source::Read}}));
  EXPECT_EQ(instruction.work.cycles, 2 * 512);
  EXPECT_EQ(instruction.engine, Engine::Vector);
}

TEST_F(InstructionTest, AFoldWritesASecondResult) {
  StringRef tile = "memref<128x512xf32, #trn.mem<sbuf>>";
  StringRef column = "memref<128x1xf32, #trn.mem<sbuf>>";
  std::string arguments = ("%a: " + tile + ", %c: " + column).str();
  auto fold = [&](StringRef op, StringRef rest) {
    return parse(arguments, ("trn." + op + " reducing add(%c : " + column +
                             ") " + rest + " into %a : " + tile)
                                .str());
  };
  std::string exp = ("activation exp(%a : " + tile + ")").str();
  InstructionOpInterface op = fold(exp, "");
  EXPECT_EQ(effectsOf(op),
            Effects({"read #0 sbuf", "write #1 sbuf", "write #2 sbuf"}));
  Instruction instruction = decode(op);
  EXPECT_EQ(instruction.fold, Fold{Function::Add});
  EXPECT_EQ(instruction.reads.size(), 1u);
  ASSERT_EQ(instruction.writes.size(), 2u);
  EXPECT_EQ(instruction.writes[1].buffer, 1);
  EXPECT_EQ(instruction.work.cycles, 512 + 64);

  op = fold(exp, "accumulate");
  EXPECT_EQ(effectsOf(op), Effects({"read #0 sbuf", "write #1 sbuf",
                                    "read #2 sbuf", "write #2 sbuf"}));
  instruction = decode(op);
  EXPECT_EQ(instruction.fold, (Fold{Function::Add, /*accumulates=*/true}));
  ASSERT_EQ(instruction.reads.size(), 2u);
  EXPECT_EQ(instruction.reads[1].buffer, 1);

  // A copy adds up what it copies, without a scale and a bias.
  instruction = decode(fold(("activation copy(%a : " + tile + ")").str(), ""));
  EXPECT_EQ(instruction.semantics, Semantics::Map);
  EXPECT_TRUE(instruction.formula.empty());

  instruction = decode(
      fold(("tensor_scalar mul(%a : " + tile + ") constant 2.0").str(), ""));
  EXPECT_EQ(instruction.fold, Fold{Function::Add});
  EXPECT_EQ(instruction.work.cycles, 512 + 64);
}

TEST_F(InstructionTest, AScanTakesTwoCyclesAnElement) {
  StringRef tile = "memref<128x4x128xf32, #trn.mem<sbuf>>";
  Instruction instruction = decode(
      parse(("%a: " + tile).str(),
            ("trn.tensor_tensor_scan mul, add(%a : " + tile + ", %a : " + tile +
             ") initial 0.5 reversed1 into %a : " + tile)
                .str()));
  EXPECT_EQ(instruction.semantics, Semantics::Scan);
  EXPECT_EQ(instruction.engine, Engine::Vector);
  EXPECT_EQ(instruction.formula,
            (Formula{{Function::Mul},
                     {Function::Add, Source::Read, Source::Constant, true}}));
  EXPECT_EQ(instruction.parameters, (SmallVector<float, 2>{0.5}));
  EXPECT_EQ(instruction.work.cycles, 2 * 512);
}

TEST_F(InstructionTest, AnAffineSelectCountsAndCompares) {
  StringRef tile = "memref<128x4x128xf32, #trn.mem<sbuf>>";
  Instruction instruction =
      decode(parse(("%a: " + tile).str(),
                   ("trn.affine_select le(%a : " + tile +
                    ") start 1 partition_step 2 steps [3, 4] otherwise -9.0 "
                    "into %a : " +
                    tile)
                       .str()));
  EXPECT_EQ(instruction.semantics, Semantics::Iota);
  EXPECT_EQ(instruction.engine, Engine::GpSimd);
  EXPECT_EQ(instruction.formula,
            (Formula{{Function::Le},
                     {Function::Select, Source::Read, Source::Constant}}));
  EXPECT_EQ(instruction.parameters, (SmallVector<float, 2>{1, 2, 3, 4, 0, -9}));
  EXPECT_EQ(instruction.work.cycles, 150 + 512);
}

TEST_F(InstructionTest, TilesOfHigherRankCountTheirFreeElements) {
  StringRef w = "memref<128x2x32xbf16, #trn.mem<sbuf>>";
  StringRef x = "memref<128x4x128xbf16, #trn.mem<sbuf>>";
  StringRef y = "memref<64x512xf32, #trn.mem<psum>>";
  Instruction instruction =
      decode(parse(("%w: " + w + ", %x: " + x + ", %y: " + y).str(),
                   ("trn.matmul stationary(%w : " + w + ") moving(%x : " + x +
                    ") into %y : " + y)
                       .str()));
  EXPECT_EQ(instruction.work.cycles, 512);
  EXPECT_EQ(instruction.work.flops, 2 * 128 * 64 * 512);
  StringRef tile = "memref<128x8x64xf32, #trn.mem<sbuf>>";
  StringRef bounds = "memref<128x8xf32, #trn.mem<sbuf>>";
  instruction = decode(parse(
      ("%a: " + tile + ", %b: " + bounds).str(),
      ("trn.tensor_reduce max(%a : " + tile + ") negated into %b : " + bounds)
          .str()));
  EXPECT_EQ(instruction.fold, Fold{Function::Max});
  EXPECT_EQ(instruction.formula, (Formula{{Function::Mul}}));
  EXPECT_EQ(instruction.parameters, (SmallVector<float, 2>{-1}));
  EXPECT_EQ(instruction.work.cycles, 512);
}

TEST_F(InstructionTest, PowersOfTwoTilesRunOnGpSimd) {
  StringRef tile = "memref<128x64xf32, #trn.mem<sbuf>>";
  InstructionOpInterface op =
      parse(("%a: " + tile).str(), ("trn.tensor_tensor pow(%a : " + tile +
                                    ", %a : " + tile + ") into %a : " + tile)
                                       .str());
  EXPECT_EQ(op.getEngine(), Engine::GpSimd);
}

TEST_F(InstructionTest, WholePartitionsTakeACycleAnElement) {
  StringRef tile = "memref<128x512xf32, #trn.mem<sbuf>>";
  auto work = [&](StringRef op, StringRef columns) {
    std::string to = ("memref<128x" + columns + "xf32, #trn.mem<sbuf>>").str();
    Instruction instruction = decode(
        parse(("%a: " + tile + ", %b: " + to).str(),
              ("trn." + op + " %a into %b : " + tile + " to " + to).str()));
    EXPECT_EQ(instruction.semantics, Semantics::Partition);
    EXPECT_EQ(instruction.engine, Engine::Vector);
    return instruction.work.cycles;
  };
  EXPECT_EQ(work("bn_stats", "6"), 512);
  EXPECT_EQ(work("max8", "8"), 512);
  // Over partitions, by halves: 7 times.
  StringRef row = "memref<1x512xf32, #trn.mem<sbuf>>";
  Instruction sum = decode(parse(
      ("%a: " + tile + ", %b: " + row).str(),
      ("trn.partition_reduce add(%a : " + tile + ") into %b : " + row).str()));
  EXPECT_EQ(sum.semantics, Semantics::Reduce);
  EXPECT_EQ(sum.engine, Engine::GpSimd);
  EXPECT_EQ(sum.work.cycles, 150 + 7 * 512);
}

TEST_F(InstructionTest, EnginesCanBeChosenAmongThePossibleOnes) {
  InstructionOpInterface copy =
      parse("%a: memref<128x64xf32, #trn.mem<sbuf>>, "
            "%b: memref<128x64xbf16, #trn.mem<sbuf>>",
            "trn.tensor_copy %a into %b : memref<128x64xf32, #trn.mem<sbuf>> "
            "to memref<128x64xbf16, #trn.mem<sbuf>>");
  EXPECT_EQ(copy.getEngine(), Engine::Vector); // by default
  EXPECT_EQ(copy.getChosenEngine(), std::nullopt);
  EXPECT_EQ(copy.getPossibleEngines(),
            (SmallVector<ComputeEngine>{ComputeEngine::Vector,
                                        ComputeEngine::GpSimd}));
  copy.chooseEngine(ComputeEngine::GpSimd);
  EXPECT_EQ(copy.getEngine(), Engine::GpSimd);
  EXPECT_EQ(copy.getChosenEngine(), ComputeEngine::GpSimd);
}

TEST(Functions, EveryNameOfTheDialectIsOneOfPrograms) {
  for (uint64_t i = 0; i <= getMaxEnumValForActivationFunction(); ++i) {
    auto function = parseFunction(
        stringifyActivationFunction(*symbolizeActivationFunction(i)));
    ASSERT_TRUE(function);
    EXPECT_EQ(arity(*function), 1);
  }
  for (uint64_t i = 0; i <= getMaxEnumValForReduceFunction(); ++i)
    EXPECT_TRUE(
        parseFunction(stringifyReduceFunction(*symbolizeReduceFunction(i))));
  for (uint64_t i = 0; i <= getMaxEnumValForBinaryFunction(); ++i) {
    auto function =
        parseFunction(stringifyBinaryFunction(*symbolizeBinaryFunction(i)));
    ASSERT_TRUE(function);
    EXPECT_EQ(arity(*function), 2);
  }
}
