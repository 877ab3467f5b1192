"""`pto` to `tirx`: tiles become buffers in shared memory, tile operations become primitives.

`kernel.py` drives, `views.py` and `tiles.py` keep track of what a value stands for, `operations.py`
has one handler per operation, `carried.py` takes tile values through loops and branches. Then
`fusion.py` joins elementwise primitives, `reuse.py` lets values share memory, and `synchronize.py`
puts barriers between dependent primitives.
"""

from pto.buffers.kernel import to_tirx

__all__ = ["to_tirx"]
