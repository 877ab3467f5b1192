"""What another checker says of the planted bugs: sentryward, a static verifier of PTX.

Its model has no fences, and no CTAs that exit while their memory is in use.
"""

import json
from pathlib import Path

import pytest

from planted_bugs import AT_START, EXPECT, WAIT, plant

sentryward = pytest.importorskip(
    "sentryward", reason="sentryward is not installed (pip install sentryward==0.1.1)"
)

LAUNCH = {
    "grid_dim": [2, 1, 1],
    "block_dim": [64, 1, 1],
    "cluster_dim": [2, 1, 1],
    "dynamic_shared_bytes": 2056,
}
BUGS = {
    "no wait": (WAIT, "setp.eq.u32 P1, 0, 0;"),
    "wrong parity": (WAIT, WAIT.replace("], 0,", "], 1,")),
    "too many bytes": (EXPECT, EXPECT.replace("1024", "1040")),
    "too few bytes": (EXPECT, EXPECT.replace("1024", "512")),
    "no cluster barrier at the start": (AT_START, "READY:"),
}


def verdict(text: str, folder: Path) -> str:
    program, launch = folder / "exchange.ptx", folder / "launch.json"
    program.write_text(text)
    launch.write_text(
        json.dumps({"schema": "spverify.kernel-input/v1", "entry": "exchange", "launch": LAUNCH})
    )
    return sentryward.verify(str(program), input=str(launch), timeout_seconds=60)["result"]


def test_the_exchange_is_free_of_races(ptx, tmp_path):
    assert verdict(ptx("dsmem_exchange"), tmp_path) == "race_free"


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_not_passed(bug, ptx, tmp_path):
    assert verdict(plant(ptx("dsmem_exchange"), *BUGS[bug]), tmp_path) != "race_free"
