//===- Pipelines.h - The compiler as one pipeline ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PIPELINES_PIPELINES_H
#define TRN_PIPELINES_PIPELINES_H

#include "trn/Transforms/Outline/Passes.h"
#include "trn/Transforms/Partition/Passes.h"

#include "mlir/Pass/PassOptions.h"
#include <string>

namespace mlir {
class OpPassManager;

namespace trn {

/// Options of `--trn-compile`. Block sizes of 0 are chosen by search.
struct CompileOptions : PassPipelineOptions<CompileOptions> {
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("known machine or JSON file to compile for; the module's "
                     "trn.machine if not given")};
  Option<std::string> specialize{
      *this, "specialize",
      llvm::cl::desc("sizes for dynamic dimensions of arguments: 1x128")};
  Option<int64_t> partition{
      *this, "partition",
      llvm::cl::desc("logical cores that the weights of a model are split "
                     "over"),
      llvm::cl::init(1)};
  Option<int64_t> lnc{
      *this, "lnc",
      llvm::cl::desc("cores of a logical core; the machine's if 0"),
      llvm::cl::init(0)};
  Option<PartitionScheme> scheme{
      *this, "scheme", llvm::cl::desc("how factors of weights are split"),
      llvm::cl::init(PartitionScheme::Column), partitionSchemeValues()};
  Option<StrategyRequest> strategy{
      *this, "strategy", llvm::cl::desc("how a chain X*U*V becomes kernels"),
      llvm::cl::init(StrategyRequest::Auto), strategyValues()};
  Option<std::string> strategyFor{
      *this, "strategy-for",
      llvm::cl::desc("part of the names (trn.param) of weights that "
                     "strategy=nki-xw is for: .mlp.")};
  Option<TransposeRequest> transpose{
      *this, "transpose", llvm::cl::desc("how an intermediate gets its layout"),
      llvm::cl::init(TransposeRequest::Auto), transposeValues()};
  Option<OutputLayout> outputLayout{
      *this, "output-layout",
      llvm::cl::desc("what a function that returns a result returns"),
      llvm::cl::init(OutputLayout::Standard), layoutValues()};
  Option<bool> allowRounding{
      *this, "allow-rounding",
      llvm::cl::desc("keep an f32 intermediate in the type of the weights, and "
                     "multiply in the fastest order"),
      llvm::cl::init(false)};
  Option<bool> dropMaxima{
      *this, "drop-maxima",
      llvm::cl::desc("subtract no maxima in softmax: scores must be small"),
      llvm::cl::init(false)};
  Option<int64_t> blockM{*this, "block-m",
                         llvm::cl::desc("the same as m in blocks"),
                         llvm::cl::init(0)};
  Option<int64_t> blockK{*this, "block-k",
                         llvm::cl::desc("the same as k in blocks"),
                         llvm::cl::init(0)};
  Option<int64_t> blockR{*this, "block-r",
                         llvm::cl::desc("the same as r in blocks"),
                         llvm::cl::init(0)};
  Option<int64_t> blockN{*this, "block-n",
                         llvm::cl::desc("the same as n in blocks"),
                         llvm::cl::init(0)};
  Option<std::string> blocks{
      *this, "blocks", llvm::cl::desc("sizes of blocks by dim: m=512,r1=256")};
  Option<std::string> keep{
      *this, "keep",
      llvm::cl::desc("the innermost loop around the buffer of a matrix: "
                     "u=kernel,v=m")};
  Option<int64_t> effort{
      *this, "effort",
      llvm::cl::desc("how many plans of a kernel are simulated at most"),
      llvm::cl::init(4000)};
  Option<std::string> planCache{
      *this, "plan-cache",
      llvm::cl::desc("folder to keep plans in, and to take those from that "
                     "were kept")};
};

/// Stages of `--trn-compile`, for custom pipelines. linalg on tensors ->
/// kernels on tensors, with plans.
void buildPlanningPipeline(OpPassManager &pm, const CompileOptions &options);
/// Planned kernels -> trn on virtual buffers.
void buildLoweringPipeline(OpPassManager &pm);
/// trn on virtual buffers -> placed trn.
void buildPlacementPipeline(OpPassManager &pm);

/// All stages.
void buildCompilePipeline(OpPassManager &pm, const CompileOptions &options);

/// Registers `--trn-compile`.
void registerPipelines();

} // namespace trn
} // namespace mlir

#endif // TRN_PIPELINES_PIPELINES_H
