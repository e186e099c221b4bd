//===- LanguageServer.cpp - Our dialect in an editor ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own server parses, finds definitions and uses, and shows values. Of it
// only the `main` function is installed, so nothing can be added inside; and
// its reader trusts what it reads. So it runs in a fork, and this process
// stands between it and the client. It adds our documentation, checks and edits
// to the messages, and starts another fork if a text was the end of one. All
// else that reads MLIR is a fork, too. This process has one thread.
//
//===----------------------------------------------------------------------===//

#include "trn/LanguageServer/LanguageServer.h"

#include "Analyze.h"
#include "Answers.h"
#include "Document.h"
#include "Reader.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LSP/Protocol.h"
#include <csignal>
#include <map>
#include <unistd.h>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::editor;
namespace json = llvm::json;

/// MLIR's server answers in milliseconds, a kernel is compiled in a second.
static constexpr std::chrono::seconds readingTime(20);
static constexpr int checkingSeconds = 10, compilingSeconds = 60;
static constexpr llvm::StringLiteral restartId = "trn-restart";

namespace {

class Server {
public:
  Server(const LanguageServerOptions &options, DialectRegistry &registry)
      : options(options), registry(registry), client(options.isLitTest),
        reader(registry) {}

  int run();

private:
  struct Request {
    std::string method;
    json::Object params;
    json::Value id;
  };

  // What the client says.
  void takeFromClient(json::Value message);
  void takeNotification(StringRef method, const json::Object &params,
                        json::Value &message);
  void changeText(StringRef uri, StringRef text, const json::Object &document);
  void save(const json::Object &params);
  bool findOnRequest(StringRef method, const json::Object &params,
                     const json::Value *id);
  Document *findDocument(const json::Object &params);

  // What MLIR's server says.
  void takeFromReader(json::Value message);
  void answer(const Request &request, json::Object reply);
  void loseReader(std::string how);

  // What our forks say.
  void startAnalysis(Document &document, bool isFull);
  void takeFromAnalysis(Document &document);

  void toClient(json::Object message) {
    writeAll(STDOUT_FILENO, frame(std::move(message), options.isLitTest));
  }
  void openInReader(Document &document, StringRef method);
  bool isIdle() const;
  bool wait();

  const LanguageServerOptions &options;
  DialectRegistry &registry;
  MessageReader client;
  Reader reader;
  std::map<std::string, Request> requests;
  std::map<std::string, Document, std::less<>> documents;
  /// Texts that the reader has got and said nothing about, in order.
  std::vector<std::string> unread;
  json::Value initialize = nullptr;
  bool isShutDown = false, isOver = false;
};

} // namespace

static StringRef uriOf(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  return document ? document->getString("uri").value_or("") : "";
}

static std::string print(const json::Value &value) {
  return llvm::formatv("{0}", value);
}

/// The answer that there is none.
static json::Object nothing(const json::Value &id) {
  return json::Object{{"jsonrpc", "2.0"}, {"id", id}, {"result", nullptr}};
}

static bool isFile(StringRef uri) {
  llvm::Expected<llvm::lsp::URIForFile> file =
      llvm::lsp::URIForFile::fromURI(uri);
  llvm::consumeError(file.takeError());
  return bool(file);
}

/// A diagnostic for all of a document.
static json::Object describeFailure(const Text &text, const Twine &message) {
  return json::Object{{"range", text.range({0, 0})},
                      {"severity", 1},
                      {"source", "trn"},
                      {"message", message.str()}};
}

//===----------------------------------------------------------------------===//
// The client
//===----------------------------------------------------------------------===//

Document *Server::findDocument(const json::Object &params) {
  auto found = documents.find(uriOf(params));
  return found == documents.end() ? nullptr : &found->second;
}

void Server::openInReader(Document &document, StringRef method) {
  if (document.isNameless)
    return;
  document.isLost = false;
  unread.push_back(document.uri);
  json::Value version = document.version.getAsInteger() ? document.version : 0;
  json::Object identity{{"uri", document.uri}, {"version", std::move(version)}};
  json::Object params;
  if (method == "textDocument/didOpen") {
    identity["languageId"] = "mlir";
    identity["text"] = document.text.str();
  } else {
    params["contentChanges"] =
        json::Array{json::Object{{"text", document.text.str()}}};
  }
  params["textDocument"] = std::move(identity);
  reader.send(json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::changeText(StringRef uri, StringRef text,
                        const json::Object &identity) {
  auto [at, isNew] = documents.try_emplace(uri.str(), uri.str());
  Document &document = at->second;
  document.isNameless = !isFile(uri);
  const json::Value *version = identity.get("version");
  document.setText(text.str(), version ? *version : nullptr);
  openInReader(document, isNew || document.isLost ? "textDocument/didOpen"
                                                  : "textDocument/didChange");
}

void Server::save(const json::Object &params) {
  if (Document *document = findDocument(params))
    startAnalysis(*document, /*isFull=*/true);
}

void Server::takeNotification(StringRef method, const json::Object &params,
                              json::Value &message) {
  const json::Object *identity = params.getObject("textDocument");
  if (method == "exit") {
    isOver = true;
  } else if (method == "textDocument/didSave") {
    save(params);
  } else if (method == "textDocument/didOpen" && identity) {
    changeText(uriOf(params), identity->getString("text").value_or(""),
               *identity);
  } else if (method == "textDocument/didChange" && identity) {
    // All of the text is sent: the server asks for that.
    const json::Array *changes = params.getArray("contentChanges");
    const json::Object *last =
        changes && !changes->empty() ? changes->back().getAsObject() : nullptr;
    if (std::optional<StringRef> text =
            last ? last->getString("text") : std::nullopt)
      changeText(uriOf(params), *text, *identity);
  } else if (method == "textDocument/didClose") {
    Document *document = findDocument(params);
    if (document && document->isNameless) {
      document->setOurs({});
      toClient(document->publish());
    }
    documents.erase(uriOf(params).str());
    reader.send(message);
  } else {
    reader.send(message);
  }
}

/// Answers the command that compiles without a save.
bool Server::findOnRequest(StringRef method, const json::Object &params,
                           const json::Value *id) {
  if (method != "workspace/executeCommand" || !id ||
      params.getString("command") != StringRef(findCommand))
    return false;
  const json::Array *arguments = params.getArray("arguments");
  StringRef uri = arguments && !arguments->empty()
                      ? arguments->front().getAsString().value_or("")
                      : "";
  save(json::Object{{"textDocument", json::Object{{"uri", uri}}}});
  toClient(nothing(*id));
  return true;
}

void Server::takeFromClient(json::Value message) {
  json::Object *object = message.getAsObject();
  if (!object)
    return;
  std::string method = object->getString("method").value_or("").str();
  const json::Object none, *given = object->getObject("params");
  const json::Object &params = given ? *given : none;
  const json::Value *id = object->get("id");
  if (findOnRequest(method, params, id))
    return;
  if (!id)
    return takeNotification(method, params, message);
  if (method == "initialize")
    initialize = message;
  isShutDown |= method == "shutdown";
  Request request{method, params, *id};
  if (Document *document = findDocument(params);
      document && document->isNameless)
    return answer(request, nothing(*id));
  if (!method.empty())
    requests.insert_or_assign(print(*id), std::move(request));
  reader.send(message);
}

//===----------------------------------------------------------------------===//
// MLIR's server
//===----------------------------------------------------------------------===//

void Server::answer(const Request &request, json::Object reply) {
  if (json::Value *result = reply.get("result"))
    *result = completeAnswer(request.method, request.params,
                             findDocument(request.params), std::move(*result));
  toClient(std::move(reply));
}

void Server::takeFromReader(json::Value message) {
  json::Object *object = message.getAsObject();
  if (!object)
    return;
  const json::Value *id = object->get("id");
  if (id && *id == json::Value(restartId))
    return;
  if (object->getString("method") != "textDocument/publishDiagnostics") {
    auto found = requests.find(id ? print(*id) : "");
    if (found == requests.end())
      return toClient(std::move(*object));
    Request request = std::move(found->second);
    requests.erase(found);
    return answer(request, std::move(*object));
  }
  json::Object *params = object->getObject("params");
  auto found =
      documents.find(params ? params->getString("uri").value_or("") : "");
  // It is closed.
  if (found == documents.end())
    return toClient(std::move(*object));
  Document &document = found->second;
  auto first = llvm::find(unread, document.uri);
  if (first != unread.end())
    unread.erase(first);
  // An older text than the newest.
  if (llvm::is_contained(unread, document.uri))
    return;
  json::Array *diagnostics = params->getArray("diagnostics");
  document.setParsed(diagnostics ? std::move(*diagnostics) : json::Array());
  toClient(document.publish());
  // The rules of levels are for kernels; who compiles them checks them, too.
  if (!document.analysis && !document.hasErrors() &&
      document.text.str().contains("trn.kernel"))
    startAnalysis(document, /*isFull=*/false);
}

/// The text that it was at gets an error, and waits for a change.
void Server::loseReader(std::string how) {
  std::string culprit = unread.empty() ? "" : unread.front();
  for (auto &[key, request] : requests)
    if (culprit.empty())
      culprit = uriOf(request.params).str();
  auto found = documents.find(culprit);
  bool isKnown = found != documents.end() || !requests.empty();
  if (isShutDown || !isKnown || !reader.start()) {
    isOver = true;
    return;
  }
  unread.clear();
  if (initialize.getAsObject()) {
    json::Value again = initialize;
    (*again.getAsObject())["id"] = restartId;
    reader.send(again);
  }
  if (found != documents.end()) {
    Document &document = found->second;
    document.isLost = true;
    document.setParsed(json::Array{
        describeFailure(document.text, "MLIR's reader " + how +
                                           "; this text is read again when it "
                                           "changes")});
    toClient(document.publish());
  }
  for (auto &[uri, document] : documents)
    if (!document.isLost)
      openInReader(document, "textDocument/didOpen");
  for (auto &[key, request] : std::exchange(requests, {}))
    answer(request, nothing(request.id));
}

//===----------------------------------------------------------------------===//
// Our forks
//===----------------------------------------------------------------------===//

void Server::startAnalysis(Document &document, bool isFull) {
  // A check of the same text is part of it.
  document.analysis.reset();
  std::optional<Process> process = Process::start([&] {
    limitFork(isFull ? compilingSeconds : checkingSeconds);
    json::Array diagnostics =
        isFull
            ? findCosts(document.text, document.uri, options.compile, registry)
            : checkKernels(document.text, document.uri, registry);
    writeAll(STDOUT_FILENO, frame(std::move(diagnostics)));
  });
  if (process)
    document.analysis.emplace(
        Analysis{std::move(*process), MessageReader(), isFull});
}

void Server::takeFromAnalysis(Document &document) {
  Analysis &analysis = *document.analysis;
  if (analysis.output.read(analysis.process.output()))
    return;
  std::string how = analysis.process.describeEnd();
  std::optional<std::string> message = analysis.output.next();
  bool isFull = analysis.isFull;
  document.analysis.reset();
  llvm::Expected<json::Value> parsed = llvm::json::parse(message.value_or(""));
  json::Array diagnostics;
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    diagnostics.push_back(describeFailure(
        document.text, (isFull ? "compiling this " : "checking this ") +
                           (how.empty() ? "ended" : how)));
  } else if (json::Array *array = parsed->getAsArray()) {
    diagnostics = std::move(*array);
  }
  if (diagnostics.empty() && !isFull)
    return;
  document.setOurs(std::move(diagnostics));
  toClient(document.publish());
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool Server::isIdle() const {
  return requests.empty() && unread.empty() &&
         llvm::none_of(documents, [](const auto &entry) {
           return entry.second.analysis.has_value();
         });
}

/// Passes bytes on until one of the others has said something; false: the
/// client has gone.
bool Server::wait() {
  bool listens = !options.isLitTest || isIdle();
  bool isReading = !requests.empty() || !unread.empty();
  SmallVector<pollfd> files = {{listens ? STDIN_FILENO : -1, POLLIN, 0},
                               reader.output(),
                               reader.input()};
  SmallVector<Document *> analysed;
  for (auto &[uri, document] : documents)
    if (document.analysis) {
      files.push_back({document.analysis->process.output(), POLLIN, 0});
      analysed.push_back(&document);
    }
  poll(files.data(), files.size(), isReading ? 1000 : -1);
  if (files[2].revents)
    reader.write();
  for (auto [document, file] :
       llvm::zip(analysed, ArrayRef(files).drop_front(3)))
    if (file.revents)
      takeFromAnalysis(*document);
  std::optional<std::string> end;
  if (files[1].revents)
    end = reader.read();
  else if (isReading && reader.silence() > readingTime)
    end = llvm::formatv("takes more than {0} s", readingTime.count()).str();
  if (end)
    loseReader(*end);
  return !files[0].revents || client.read(STDIN_FILENO);
}

/// Calls `take` with each message that has come, as long as `mayTake` says so.
template <typename Messages>
static void takeAll(Messages &from, function_ref<bool()> mayTake,
                    function_ref<void(json::Value)> take) {
  while (mayTake()) {
    std::optional<std::string> message = from.next();
    if (!message)
      return;
    if (llvm::Expected<json::Value> parsed = llvm::json::parse(*message))
      take(std::move(*parsed));
    else
      llvm::errs() << "trn-lsp-server: error: a message is no JSON: "
                   << llvm::toString(parsed.takeError()) << "\n";
  }
}

int Server::run() {
  std::signal(SIGPIPE, SIG_IGN);
  if (options.isLitTest)
    llvm::lsp::URIForFile::registerSupportedScheme("test");
  if (!reader.start())
    return EXIT_FAILURE;
  auto isOpen = [&] { return !isOver; };
  auto mayTake = [&] { return !isOver && (!options.isLitTest || isIdle()); };
  bool isThere = true;
  while (!isOver && isThere) {
    isThere = wait();
    takeAll(reader, isOpen,
            [&](json::Value message) { takeFromReader(std::move(message)); });
    takeAll(client, mayTake,
            [&](json::Value message) { takeFromClient(std::move(message)); });
  }
  return isShutDown ? EXIT_SUCCESS : EXIT_FAILURE;
}

int mlir::trn::serveEditor(const LanguageServerOptions &options,
                           DialectRegistry &registry) {
  return Server(options, registry).run();
}
