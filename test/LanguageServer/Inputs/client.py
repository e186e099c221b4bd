"""A client of the server, as an editor is one."""

import json
import subprocess

URI = "file:///a.mlir"


class Client:
    """Speaks the protocol as it is, with lengths."""

    def __init__(self, *flags):
        self.process = subprocess.Popen(["trn-lsp-server", *flags], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number, self.published = 0, []
        self.request("initialize", processId=1, rootPath="x", capabilities={})

    def send(self, data):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def request(self, method, **params):
        self.number += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method,
                              "params": params}).encode())
        while True:
            message = self.read()
            if message.get("id") == self.number:
                return message.get("result")

    def read(self):
        length = int(self.process.stdout.readline().split(b":")[1])
        assert self.process.stdout.readline() == b"\r\n"
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
        return message

    def ask(self, kind, line, character, uri=URI):
        return self.request("textDocument/" + kind, textDocument={"uri": uri},
                            position={"line": line, "character": character})

    def diagnostics(self):
        """Those that come next."""
        count = len(self.published)
        while len(self.published) == count:
            self.read()
        return self.published[-1]["diagnostics"]

    def open(self, text, uri=URI):
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri, "languageId": "mlir", "version": 1, "text": text})

    def change(self, text, uri=URI):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2},
                    contentChanges=[{"text": text}])

    def save(self, uri=URI):
        self.notify("textDocument/didSave", textDocument={"uri": uri})

    def actions(self, uri=URI):
        """The edits of all of a document, by their titles."""
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 10000, "character": 0}}
        found = self.request("textDocument/codeAction", textDocument={"uri": uri}, range=everything,
                             context={"diagnostics": []})
        return {action["title"]: action["edit"]["changes"][uri] for action in found if "edit" in action}

    def end(self):
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=60)


def apply(text, edits):
    lines = text.splitlines(keepends=True)
    for edit in edits:
        begin, end = (sum(map(len, lines[:place["line"]])) + place["character"]
                      for place in (edit["range"]["start"], edit["range"]["end"]))
        text = text[:begin] + edit["newText"] + text[end:]
    return text
