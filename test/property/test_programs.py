"""Reference = simulator on random programs of tile ops, bit for bit where the ops are exact.

`PTO_TEST_PROGRAMS` is the number of programs. The shared memory of every third is watched for
races.
"""

import os
from collections import Counter
from functools import partial

import pytest

from pto import sim
from pto.ops import TABLE, Elementwise, Reduction
from random_programs import Program, prepare

PROGRAMS = int(os.environ.get("PTO_TEST_PROGRAMS", "40"))
TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_reference_and_simulator_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed % 3 == 0:
        monkeypatch.setattr(sim, "launch", partial(sim.launch, check_races=True))
    program, target = Program(seed), TARGETS[seed % 4]
    kernel, expected = prepare(seed, target)
    wrong = program.differences(expected, program.modelled())
    assert not wrong, f"{program.text}\nthe generator has found other elements: {wrong}"
    arguments = program.arguments()
    kernel(*arguments)
    wrong = program.differences(expected, arguments[: len(expected)])
    assert not wrong, f"{program.text}\non {target}: {wrong}"


def test_programs_have_every_op_of_the_table() -> None:
    found = Counter(name for seed in range(250) for name in Program(seed).used)
    # Those that fill need a pad value (see test_memory.py).
    wanted = {
        op.name
        for op in TABLE.values()
        if isinstance(op, Reduction) or (isinstance(op, Elementwise) and not op.fills)
    }
    assert set(found) == wanted
