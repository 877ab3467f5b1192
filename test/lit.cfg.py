"""lit: one FileCheck test per file, for the dialects, the passes and the PTX."""

import os
import sys
import sysconfig

import lit.formats

config.name = "pto"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
# Texts that other tests read.
config.excludes = ["sim", "Output", "__pycache__"]  # noqa: F821
config.suffixes = [".mlir", ".pto"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = os.path.join(config.test_source_root, "Output")  # noqa: F821

# FileCheck and `not` come with the LLVM wheel, pto-opt with this project.
site_packages = sysconfig.get_path("purelib")
tools = [os.path.dirname(sys.executable), os.path.join(site_packages, "llvm", "bin")]
config.environment["PATH"] = os.pathsep.join([*tools, os.environ["PATH"]])  # noqa: F821
config.substitutions.append(
    ("%examples", os.path.join(os.path.dirname(__file__), "..", "examples"))
)  # noqa: F821
