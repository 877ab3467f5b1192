"""The way of the data: the stages in order, each a textual pipeline that `pto-opt` takes too.

| stage    | in -> out                                   | folder      |
|----------|---------------------------------------------|-------------|
| buffers  | `pto` -> `tirx` primitives                  | `buffers/`  |
| dispatch | `tirx` -> `scf vector memref gpu`           | `lowering/` |
| codegen  | -> `llvm` + `nvvm` -> PTX                   | `codegen/`  |
"""

from pto import _pto, passes

BUFFERS = "inline,pto-to-tirx,canonicalize,cse"
DISPATCH = "tirx-dispatch,cse"
TIDY = "canonicalize"
"""What is done to show the result of dispatch. LLVM folds as well, in less time."""
NVVM = (
    "gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},"
    "reconcile-unrealized-casts,cse),nvvm-extern-shared"
)
PTX = "nvvm-to-ptx"

STAGES = {"tirx": BUFFERS, "dispatch": DISPATCH, "nvvm": NVVM, "ptx": PTX}


def text(last: str) -> str:
    """The pipeline from the source to the result of stage `last`."""
    names = list(STAGES)
    passes = [STAGES[name] for name in names[: names.index(last) + 1]]
    if last == "dispatch":
        passes.append(TIDY)
    return f"builtin.module({','.join(passes)})"


def register() -> None:
    """Makes the passes and `--pto-to-ptx` known by name."""
    passes.register(
        "pto-to-tirx", "pto.buffers.kernel:to_tirx", "Turn tile kernels into tirx primitives"
    )
    passes.register(
        "tirx-dispatch",
        "pto.lowering.dispatch:dispatch",
        "Lower tirx primitives by their best variant",
    )
    passes.register(
        "nvvm-extern-shared",
        "pto.codegen.shared:extern_shared",
        "Let the launch size shared memory",
        rewrites=False,
    )
    passes.register(
        "nvvm-to-ptx", "pto.codegen.llvm:to_ptx", "Compile kernels to PTX", rewrites=False
    )
    body = text("ptx").removeprefix("builtin.module(").removesuffix(")")
    _pto.register_pipeline("pto-to-ptx", body, "Compile tile kernels to PTX")
