"""`pto` to `tirx`: tiles become buffers in shared memory, tile operations become primitives.

`kernel.py` drives, `views.py` and `tiles.py` keep track of what a value stands for, `operations.py`
has one handler per operation, `synchronize.py` puts barriers between dependent primitives.
"""

from pto.buffers.kernel import to_tirx

__all__ = ["to_tirx"]
