"""A format of lit: each page of the documentation with quoted commands is a test.

Pages of docs/examples have tests of their own. A page with a line `<!-- requires: FEATURE -->` is
a test where lit has that feature.
"""

import pathlib
import re

import lit.Test
import lit.util
from lit.formats.base import TestFormat


REQUIRES = re.compile(r"^<!-- requires: (\S+) -->$", re.M)


class Pages(TestFormat):

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        source = pathlib.Path(localConfig.trn_source_dir)
        for page in [source / "README.md", *sorted((source / "docs").rglob("*.md"))]:
            name = page.relative_to(source).parts
            if name[:2] != ("docs", "examples") and "```console" in page.read_text("utf-8"):
                yield lit.Test.Test(testSuite, path_in_suite + name, localConfig)

    def execute(self, test, litConfig):
        config = test.config
        page = pathlib.PurePath(*test.path_in_suite[2:])  # below Docs/Pages
        text = (pathlib.Path(config.trn_source_dir) / page).read_text("utf-8")
        missing = set(REQUIRES.findall(text)) - config.available_features
        if missing:
            return lit.Test.UNSUPPORTED, f"requires {', '.join(sorted(missing))}"
        out, err, status = lit.util.executeCommand(
            [config.python_executable,
             str(pathlib.Path(config.trn_source_dir) / "test/Docs/Inputs/console.py"),
             config.trn_source_dir, test.getExecPath() + ".tmp", str(page)],
            env=config.environment)
        return (lit.Test.FAIL if status else lit.Test.PASS), out + err
