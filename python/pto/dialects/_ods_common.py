"""The generated modules import this name from their own package."""

from mlir.dialects._ods_common import *  # noqa: F403
