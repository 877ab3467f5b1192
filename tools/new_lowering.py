"""Starts a variant: its file and its test.

    python tools/new_lowering.py tirx.copy bulk

writes python/pto/lowering/copy/bulk.py and test/lowering/copy/bulk.mlir. The variant's one rule
rejects everything, so nothing changes until it is filled in.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
REDUCTIONS = ("sum", "prod", "max", "min")

SOURCE = '''"""`{name}`: what it does, in a sentence.

Before
    {primitive} …

After
    …
"""

from typing import Any

from pto.lowering.dispatch import variant
from pto.target import Target


def is_written(_: Any, __: Target) -> str | None:
    """The lowering exists."""
    return "is_written: it does nothing yet"


@variant("{primitive}", priority=1, when=[is_written])
def lower(op: Any, target: Target) -> None:
    """Emits what replaces `op`, before it."""
'''

TEST = """// RUN: pto-opt --split-input-file --tirx-dispatch %s | FileCheck %s

// CHECK-LABEL: @applies
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @applies() kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    gpu.return
  }}
}}
"""


def write(path: Path, text: str) -> None:
    """A new file; an existing one is a mistake."""
    if path.exists():
        sys.exit(f"{path.relative_to(ROOT)} exists")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(path.relative_to(ROOT))


def main() -> None:
    """Writes both files."""
    if len(sys.argv) != 3 or not re.fullmatch(r"tirx\.[a-z_]+", sys.argv[1]):
        sys.exit("usage: python tools/new_lowering.py tirx.PRIMITIVE VARIANT")
    primitive, name = sys.argv[1:]
    if not name.isidentifier():
        sys.exit(f"'{name}' is no name for a Python file")
    operation = primitive.removeprefix("tirx.")
    folder = "reduction" if operation in REDUCTIONS else operation
    variant = ROOT / "python" / "pto" / "lowering" / folder / f"{name}.py"
    write(variant, SOURCE.format(name=name, primitive=primitive))
    write(ROOT / "test" / "lowering" / folder / f"{name}.mlir", TEST.format())


if __name__ == "__main__":
    main()
