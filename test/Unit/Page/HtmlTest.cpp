//===- HtmlTest.cpp - Tests of the page -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Page/Html.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

std::string print(const HtmlPage &page) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printHtml(page, os);
  return text;
}

/// The JSON inside the page.
llvm::json::Value dataOf(llvm::StringRef page) {
  llvm::StringRef data = page.split("id=\"data\">").second;
  return llvm::cantFail(llvm::json::parse(data.split("</script>").first));
}

TEST(Html, NamesCannotEndTheirElement) {
  std::string name = "</script><script>alert(1)</script>\"'&\xE2\x82\xAC";
  HtmlPage page;
  page.title = "</title><b>";
  page.reports.push_back({name, llvm::json::Object{{"latency_ms", 1.5}}});
  std::string text = print(page);
  EXPECT_EQ(text.find("alert(1)</"), std::string::npos);
  EXPECT_NE(text.find("<title>&lt;/title&gt;&lt;b&gt;</title>"),
            std::string::npos);

  llvm::json::Value data = dataOf(text);
  const llvm::json::Object &report =
      *(*data.getAsObject()->getArray("reports"))[0].getAsObject();
  EXPECT_EQ(report.getString("name"), name);
  EXPECT_EQ(report.getObject("report")->getNumber("latency_ms"), 1.5);
}

TEST(Html, BytesThatAreNoTextAreReplaced) {
  HtmlPage page;
  page.title = "\xFF";
  page.reports.push_back({"\xFF", llvm::json::Object()});
  llvm::json::Value data = dataOf(print(page));
  EXPECT_EQ(
      (*data.getAsObject()->getArray("reports"))[0].getAsObject()->getString(
          "name"),
      "\xEF\xBF\xBD");
}

TEST(Html, ASweepStaysAsItIs) {
  HtmlPage page;
  llvm::json::Value sweep =
      llvm::json::Object{{"sweep", llvm::json::Array{1, 2}}};
  page.sweep = sweep;
  EXPECT_EQ(*dataOf(print(page)).getAsObject()->get("sweep"), sweep);
}

TEST(Html, TheTimesOfAModelStayAsTheyAre) {
  HtmlPage page;
  llvm::json::Value model =
      llvm::json::Object{{"variants", llvm::json::Array{1, 2}}};
  page.model = model;
  EXPECT_EQ(*dataOf(print(page)).getAsObject()->get("model"), model);
}

} // namespace
