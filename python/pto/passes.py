"""Python passes that MLIR knows by name, and the one way to run a pipeline.

A pass is a function of the module. It reports a mistake in the user's program by raising `OpError`,
which becomes a diagnostic at that operation; any other exception is a bug of ours, and `run` raises
it again with its traceback once MLIR has unwound.
"""

import threading
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from mlir import ir
from mlir.passmanager import PassManager

from pto import _pto
from pto.errors import CompileError, CompileWarning


class OpError(Exception):
    """A mistake in the program, at `op`; worded like a verifier: what is wrong, what is right.

    What was made from a `pto` operation is located by its name (see `named`), and so the message
    names what the user wrote.
    """

    def __init__(self, op: ir.OpView | ir.Operation, message: str):
        super().__init__(message)
        self.location = op.operation.location
        self.message = f"'{subject(op)}' op {message}"


def subject(op: ir.OpView | ir.Operation) -> str:
    """The name of the operation that the user wrote, from which `op` was made."""
    location = op.operation.location
    return location.name_str if location.is_a_name() else op.operation.name


MLIRError = ir.MLIRError  # pyright: ignore[reportAttributeAccessIssue]

Pass = Callable[[Any], None]


class _Bug(threading.local):
    exception: BaseException | None = None


_bug = _Bug()


def register(name: str, home: str, description: str, *, rewrites: bool = True) -> None:
    """Gives the pass at `home` (`module:function`) the name under which textual pipelines and
    `pto-opt --NAME` know it. The module is imported when the pass first runs, and what a pass that
    `rewrites` operations leaves is verified."""
    module, _, function = home.partition(":")

    def guarded(operation: ir.Operation) -> bool:
        try:
            run: Pass = getattr(import_module(module), function)
            with operation.context, operation.location:
                run(operation.opview)
                if rewrites:
                    operation.verify()
        except OpError as error:
            error.location.emit_error(error.message)
            return False
        except BaseException as exception:
            _bug.exception = exception
            raise
        return True

    _pto.register_pass(name, guarded, description)


def run(module: ir.Module, pipeline: str) -> None:
    """Runs a textual pipeline; `CompileError` carries the diagnostics, warnings are issued as
    `CompileWarning`."""
    _bug.exception = None
    found: list[str] = []
    context: Any = module.context
    with context:
        handler = context.attach_diagnostic_handler(lambda each: _keep_warning(each, found))
        try:
            manager: Any = PassManager.parse(pipeline)
            # Our passes that rewrite verify what they leave. To do it after those of MLIR too takes
            # longer than most of them.
            manager.enable_verifier(False)
            manager.run(module.operation)
        except MLIRError as error:
            if _bug.exception is not None:
                raise _bug.exception from None
            raise CompileError(render(error)) from None
        finally:
            handler.detach()
    for text in found:
        warnings.warn(text, CompileWarning, stacklevel=3)


def _keep_warning(diagnostic: Any, found: list[str]) -> bool:
    if diagnostic.severity != ir.DiagnosticSeverity.WARNING:
        return False
    found.append(f"{place(diagnostic.location)}: warning: {diagnostic.message}")
    return True


def render(error: Any) -> str:
    """`file:line:column: error: message`, one line per diagnostic, without the dump of the op."""
    lines: list[str] = []
    for diagnostic in error.error_diagnostics:
        lines.append(f"{place(diagnostic.location)}: error: {diagnostic.message}")
        for note in diagnostic.notes:
            if not note.message.startswith("see current operation"):
                lines.append(f"{place(note.location)}: note: {note.message}")
    return "\n".join(lines) or str(error)


def find(root: ir.OpView | ir.Module, matches: Callable[[str], bool]) -> list[Any]:
    """The operations under `root` whose names match, in program order."""
    return [op.opview for op in _pto.find(root.operation, matches)]


def named(op: ir.OpView) -> ir.Location:
    """The location for what `op` becomes: its own, under its name."""
    return ir.Location.name(op.operation.name, op.operation.location)


def place(location: ir.Location) -> str:
    """A location as `file:line:column`."""
    if location.is_a_name():
        return place(location.child_loc)
    text = str(location).removeprefix("loc(").removesuffix(")").replace('"', "")
    return text
