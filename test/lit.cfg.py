"""lit: one FileCheck test per file, for the dialects, the passes and the PTX."""

import os
import sys
import sysconfig

import lit.formats

config.name = "pto"
config.test_format = lit.formats.ShTest(execute_external=False)
# Texts that other tests read.
config.excludes = ["sim", "Output", "__pycache__"]
config.suffixes = [".mlir", ".pto"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "Output")

# FileCheck and `not` come with the LLVM wheel, pto-opt with this project.
site_packages = sysconfig.get_path("purelib")
tools = [os.path.dirname(sys.executable), os.path.join(site_packages, "llvm", "bin")]
config.environment["PATH"] = os.pathsep.join([*tools, os.environ["PATH"]])
config.substitutions.append(
    ("%examples", os.path.join(os.path.dirname(__file__), "..", "examples"))
)
