import os
import platform
import shutil
import subprocess
import sys
import tempfile

import lit.formats
from lit.llvm import llvm_config

config.name = "trn"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["CMakeLists.txt", "lit.cfg.py", "Inputs", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.trn_binary_dir, "test")

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.trn_tools_dir, append_path=True)
# Where the optional real weights and texts are; tests that need them are
# skipped with a message when the folder is absent.
data = os.environ.get("TRN_DATA_DIR") or os.path.join(
    config.trn_source_dir, "..", "shared", "data")
if os.path.isdir(data):
    config.available_features.add("trn-data")
    config.environment["TRN_DATA_DIR"] = os.path.realpath(data)

llvm_config.with_system_environment("TRN_UPDATE_DOCS")

# Many tests compile the same kernels, whose plans are found once. A plan is
# kept with a hash of the sources that decide which one is found.
config.environment["TRN_PLAN_CACHE"] = os.path.join(config.test_exec_root, "plan-cache")

# NumPy's threads yield to others for a while before they sleep, which takes as long as the work of many tests.
config.environment["OPENBLAS_THREAD_TIMEOUT"] = "4"

# `--param isa=AVX2`: the tools multiply as on a CPU that has no more.
isa = lit_config.params.get("isa")
if isa:
    config.environment["ONEDNN_MAX_CPU_ISA"] = isa

# Programs outside our build cannot load instrumented libraries.
if config.trn_sanitizers:
    config.available_features.add("trn-sanitizers")
# tools/build-site.sh installs what it needs; the tests do not.
if shutil.which("mkdocs"):
    config.available_features.add("site")
if subprocess.run([config.python_executable, "-c", "import pip, venv, tomllib"],
                  capture_output=True).returncode == 0:
    config.available_features.add("pip")
if shutil.which("dpkg-shlibdeps"):
    config.available_features.add("dpkg")


def reaches_mirror():
    """Whether apt can fetch the index of some distribution."""
    asked = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)dists/$(RELEASE)/InRelease"],
                           capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as folder:
        return asked.stdout != "" and subprocess.run(
            ["/usr/lib/apt/apt-helper", "-o", "Acquire::http::Timeout=5", "download-file",
             asked.stdout.split()[0], os.path.join(folder, "index")], capture_output=True).returncode == 0


# Nor do they install what makes a bare root of the distribution.
if shutil.which("mmdebstrap") and reaches_mirror():
    config.available_features.add("mmdebstrap")
# Models are traced where PyTorch is installed, which is too large to ask for.
if subprocess.run([config.python_executable, "-c",
                   "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))"]).returncode == 0:
    config.available_features.add("torch")
# Debian's headers of another CPU, with which code is checked for that.
if os.path.isdir("/usr/aarch64-linux-gnu/include/c++") and \
        os.path.exists(os.path.join(config.llvm_tools_dir, "clang++")):
    config.available_features.add("aarch64-headers")
if config.trn_build_fuzzers == "ON":
    config.available_features.add("trn-fuzzers")
# Processes of mpirun find each other by a network interface, which a closed box
# may lack, and share memory without rights over each other. The tests may run
# as root, on fewer cores than processes.
config.environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                          OMPI_MCA_rmaps_base_oversubscribe="1",
                          OMPI_MCA_btl_vader_single_copy_mechanism="none")
if config.mpi == "TRUE" and shutil.which("mpirun"):
    probe = subprocess.run(["mpirun", "-n", "2", "true"], env={**os.environ, **config.environment},
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if probe.returncode == 0:
        config.available_features.add("mpi")
# LLVM's arenas poison memory in our half of the program and do not unpoison it
# in the distribution's half, which is not instrumented.
config.environment["ASAN_OPTIONS"] = os.environ.get(
    "ASAN_OPTIONS", "allow_user_poisoning=0")
# Code that a signal ends is left from the handler, which is not seen as its end.
config.environment["TSAN_OPTIONS"] = os.environ.get(
    "TSAN_OPTIONS", "report_signal_unsafe=0")

config.substitutions.append(("%chromedriver", config.chromedriver))
config.substitutions.append(("%chromium", config.chromium))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%cpack", os.path.join(os.path.dirname(config.cmake), "cpack")))
config.substitutions.append(("%cxx", config.cxx_compiler))
config.substitutions.append(("%plugin", os.path.join(
    config.trn_binary_dir, "lib", "trn-plugin" + config.plugin_suffix)))
config.substitutions.append(("%test_plugin", os.path.join(
    config.trn_binary_dir, "test", "lib",
    "trn-test-plugin" + config.plugin_suffix)))
# Our Python package with the library of this build, instrumented or not.
preload = ""
if "address" in config.trn_sanitizers:
    runtime = subprocess.check_output(
        [config.cxx_compiler, f"-print-file-name=libclang_rt.asan-{platform.machine()}.so"], text=True).strip()
    # Python itself frees little of what it has.
    preload = f"LD_PRELOAD={runtime} ASAN_OPTIONS={config.environment['ASAN_OPTIONS']}:detect_leaks=0"
# It is compiled here, because no test writes beside it: the next one may change a kernel within a second.
subprocess.run([config.python_executable, "-m", "compileall", "-qq",
                os.path.join(config.trn_source_dir, "lib", "Bindings", "Python")])
config.substitutions.append(("%trn_python", " ".join([
    "env PYTHONDONTWRITEBYTECODE=1", preload,
    "PYTHONPATH=" + os.path.join(config.trn_source_dir, "lib", "Bindings", "Python"),
    "TRN_MLIR_LIBRARY=" + os.path.join(config.trn_binary_dir, "lib", "libTrnC.so"),
    config.python_executable])))
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%trn_src", config.trn_source_dir))
config.substitutions.append(("%trn_build", config.trn_binary_dir))

# The loader takes longer than most commands of a tool, so it works once for all of them.
if not config.trn_sanitizers:
    sys.path.append(os.path.join(config.test_source_root, "Inputs"))
    import tool_servers
    library = os.path.join(config.test_exec_root, "lib")
    config.environment["TRN_SERVED"] = tool_servers.start(
        os.path.join(library, "served"), os.path.join(library, "trn-serve-tool" + config.plugin_suffix),
        config.environment)
    llvm_config.with_environment("PATH", os.path.join(library, "served"), append_path=True)
