"""MLIR's `ir` under the name by which generated enum bindings import it."""

from mlir.ir import *  # noqa: F403
from mlir.ir import register_attribute_builder

__all__ = ["register_attribute_builder"]
