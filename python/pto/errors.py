"""The one exception family of the project.

A `PtoError` is a mistake in the input (a program, an argument, a file): its text is one complete
message for the user, with `file:line:column:` in front where a place in a source is known. Anything
else that escapes is a bug of ours and keeps its traceback.
"""


class PtoError(Exception):
    """Something the user can mend; `str(error)` is the whole message."""


class CompileError(PtoError):
    """The program does not parse, does not verify, or has no lowering for the target."""


class CompileWarning(UserWarning):
    """Something in a program that may go wrong; the text has the place in front."""


class LaunchError(PtoError):
    """A kernel was called with arguments or a grid that do not fit it."""


class SimulationError(PtoError):
    """The PTX that ran on the simulator did something that is wrong on a GPU too."""


class DeviceAssertion(PtoError):
    """A run-time check inside a kernel failed (an oversized valid region, for instance)."""
