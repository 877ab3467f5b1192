"""A compiled kernel, ready to be called with arrays."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, SupportsIndex

from pto.errors import LaunchError

from . import gpu, simulator
from .arguments import Argument, bind, check_grid
from .array import Array

_FORMAT = 1
MAX_BLOCK = 1024


@dataclass(frozen=True)
class Kernel:
    """PTX with what a launch of it needs to know."""

    name: str
    ptx: str
    target: str
    """The chip that the PTX is for, `sm_90a`."""
    arguments: tuple[Argument, ...]
    block: int
    """Threads per CTA, one-dimensional."""
    shared_bytes: int
    """Dynamic shared memory per CTA."""
    grid: int | None = None
    """How many CTAs the program asks for (`pto.grid`, `known_grid_size`), if it does."""
    cluster: int = 1
    """CTAs per cluster, one-dimensional; the PTX says so too."""
    has_known_grid: bool = False
    """The code relies on `grid`: it works with no other number of CTAs."""

    def __call__(
        self, *arguments: object, grid: SupportsIndex | None = None, stream: Any = None
    ) -> None:
        """Run on the arrays' own device; the arrays are modified in place.

        One value per argument: an array for a `ptr` or a `view`, a number for a `scalar`.

        - NumPy arrays run on the simulator, to the end.
        - Arrays on a CUDA device (`__cuda_array_interface__`, DLPack, PyTorch tensors) run there,
          through CuPy, on `stream`: a CuPy or PyTorch stream, anything with `__cuda_stream__`, or
          the address of one as an int. By default PyTorch's current stream if a tensor is among
          the arguments, else CuPy's. The launch is asynchronous; nothing is copied.

        bf16 arrays are `ml_dtypes.bfloat16` in NumPy and CuPy, `torch.bfloat16` in PyTorch.

        `grid` is the number of CTAs, a multiple of the cluster size: by default the kernel's own,
        else the number of multiprocessors of the device (`simulator.DEFAULT_GRID` on the
        simulator), in whole clusters.

        Raises `LaunchError` for anything that does not fit, naming the argument; on the simulator
        `SimulationError` and `DeviceAssertion` for what goes wrong inside the kernel.
        """
        if not 1 <= self.block <= MAX_BLOCK:
            raise LaunchError(
                f"kernel '{self.name}' has {self.block} threads per CTA; 1 to {MAX_BLOCK} can run"
            )
        bound = bind(self.name, self.arguments, arguments)
        device = next((value.device for value in bound if isinstance(value, Array)), None)
        ctas = self.grid if grid is None else grid
        only = self.grid if self.has_known_grid else None
        if device is None:
            if stream is not None:
                raise LaunchError(f"kernel '{self.name}': a stream needs arrays on a CUDA device")
            ctas = simulator.default_grid(self.cluster) if ctas is None else ctas
            ctas = check_grid(self.name, ctas, self.cluster, only)
            simulator.launch(self, bound, ctas)
        else:
            ctas = gpu.default_grid(device, self.cluster) if ctas is None else ctas
            ctas = check_grid(self.name, ctas, self.cluster, only)
            gpu.launch(self, bound, ctas, device, stream)

    def to_json(self) -> str:
        """The kernel as text, PTX included, for `from_json`."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, indent=2)

    @staticmethod
    def from_json(text: str) -> Kernel:
        """The kernel that `to_json` wrote; `LaunchError` for any other text."""
        try:
            fields = json.loads(text)
            if fields.pop("format") != _FORMAT:
                raise ValueError(f"the format is not {_FORMAT}")
            fields["arguments"] = tuple(
                Argument(a["name"], a["kind"], a["dtype"], tuple(a["shape"]), tuple(a["strides"]))
                for a in fields["arguments"]
            )
            return Kernel(**fields)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LaunchError(
                f"not a kernel in JSON as Kernel.to_json writes it: {error}"
            ) from None
