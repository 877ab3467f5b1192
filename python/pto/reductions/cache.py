"""Compiled kernels, in memory and on disk.

A kernel's key is the SHA-256 of its program, its target and the installed compiler: nothing
has to be invalidated. A file is the text of `Kernel.to_json`; it appears whole or not at
all. A process that finds its kernels here does not load MLIR.

`PTO_CACHE_DIR` is the directory, `off` for none; by default the user's cache directory.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import tempfile
import warnings
from collections.abc import Generator
from functools import cache
from pathlib import Path

from pto.errors import LaunchError
from pto.runtime import Kernel

KERNELS, TUNING = "kernels", "tuning"
"""Subdirectories: compiled kernels, and measured plans."""

_memory: dict[str, Kernel] = {}


def kernel(program: str, target: str) -> Kernel:
    """The kernel of a program with one `gpu.func`, compiled for `target` unless it is cached."""
    key = _key(program, target)
    if key not in _memory:
        _memory[key] = _load(key) or _compile(program, target, key)
    return _memory[key]


def directory() -> Path | None:
    """Where files lie, None if nothing is kept."""
    setting = os.environ.get("PTO_CACHE_DIR")
    if setting == "off":
        return None
    if setting:
        return Path(setting)
    from platformdirs import user_cache_path

    return user_cache_path("pto")


def read(kind: str, key: str) -> str | None:
    """The text kept under a key, None if there is none or it cannot be read."""
    root = directory()
    if root is None:
        return None
    try:
        return _file(root, kind, key).read_text()
    except (OSError, UnicodeDecodeError):
        return None


def write(kind: str, key: str, text: str) -> None:
    """Keeps a text. Where that fails there is a warning: what was made is still of use."""
    root = directory()
    if root is None:
        return
    file = _file(root, kind, key)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _lock(root):
            handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
            try:
                with os.fdopen(handle, "w") as part:
                    part.write(text)
                os.replace(name, file)
            except BaseException:
                os.unlink(name)
                raise
    except OSError as error:
        warnings.warn(
            f"the cache {root} cannot be written ({error}); set PTO_CACHE_DIR to a directory "
            "that can, or to 'off'",
            RuntimeWarning,
            stacklevel=2,
        )


def entries(kind: str) -> list[Path]:
    """The files of one kind, newest first."""
    root = directory()
    if root is None:
        return []
    found = [(file.stat().st_mtime, file) for file in (root / kind).glob("*/*.json")]
    return [file for _, file in sorted(found, reverse=True)]


def clear() -> int:
    """Removes all files, and says how many there were. Kernels in memory stay."""
    root = directory()
    count = len(entries(KERNELS)) + len(entries(TUNING))
    if root is not None and root.is_dir():
        with _lock(root):
            for kind in (KERNELS, TUNING):
                shutil.rmtree(root / kind, ignore_errors=True)
    return count


def digest(*parts: str) -> str:
    """A key of these parts, for this version of the compiler."""
    return hashlib.sha256("\0".join((*parts, version())).encode()).hexdigest()


@cache
def version() -> str:
    """The compiler: the state of our files and of MLIR's libraries. In a checkout they change
    without a version; and the version of a package takes longer to find out."""
    files = [
        *Path(__file__).parent.parent.rglob("*.py"),
        *Path(__file__).parent.parent.glob("*.so"),
    ]
    mlir = importlib.util.find_spec("mlir")
    for root in mlir.submodule_search_locations or () if mlir else ():
        files += Path(root).glob("_mlir_libs/*.so")
    states = [(str(file), file.stat()) for file in sorted(files)]
    text = "\n".join(f"{name} {state.st_size} {state.st_mtime_ns}" for name, state in states)
    return hashlib.sha256(text.encode()).hexdigest()


def _key(program: str, target: str) -> str:
    return digest(program, target)


def _load(key: str) -> Kernel | None:
    text = read(KERNELS, key)
    if text is None:
        return None
    try:
        return Kernel.from_json(text)
    except LaunchError:
        return None


def _compile(program: str, target: str, key: str) -> Kernel:
    from pto import compiler  # loads MLIR

    made = compiler.compile(program, target=target)
    write(KERNELS, key, made.to_json())
    return made


def _file(root: Path, kind: str, key: str) -> Path:
    return root / kind / key[:2] / f"{key}.json"


@contextlib.contextmanager
def _lock(root: Path) -> Generator[None]:
    """One process at a time writes or clears."""
    from filelock import FileLock

    with FileLock(root / "lock"):
        yield
