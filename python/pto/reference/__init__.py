"""The meaning of `pto` programs, in numpy: an interpreter that generates no code."""

from pto.reference.launch import run

__all__ = ["run"]
