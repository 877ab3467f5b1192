"""Calling a kernel with NumPy arrays, and kernels as JSON."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from pto.errors import LaunchError, SimulationError
from pto.runtime import Kernel


def numbers(count):
    return np.arange(1, count + 1, dtype=np.float32)


def test_the_arrays_are_modified_in_place(scale):
    x, y = numbers(10), np.zeros(10, np.float32)
    scale(x, 2, y, grid=3)
    np.testing.assert_array_equal(y, 2 * numbers(10))
    np.testing.assert_array_equal(x, numbers(10))


def test_a_view_goes_by_its_strides(scale):
    x, y = numbers(12), np.zeros(4, np.float32)
    scale(x[::-3], 10.0, y, grid=1)
    np.testing.assert_array_equal(y, [120, 90, 60, 30])


def test_a_part_of_an_array_is_written_and_nothing_else(scale):
    y = np.zeros((2, 4), np.float32)
    scale(numbers(4), 1, y[1], grid=1)
    np.testing.assert_array_equal(y, [[0, 0, 0, 0], [1, 2, 3, 4]])


def test_an_empty_array_is_passed(scale):
    scale(numbers(0), 1, numbers(0), grid=1)


def test_an_access_behind_a_part_of_an_array_is_out_of_bounds(scale):
    whole = np.zeros(100, np.float32)
    with pytest.raises(SimulationError, match="buffer 'y'"):
        scale(numbers(4), 1, whole[:3], grid=1)
    assert not whole[3:].any()


def test_the_grid_of_the_call_decides(scale):
    y = np.zeros(40, np.float32)
    scale(numbers(40), 1, y, grid=2)
    assert np.count_nonzero(y) == 2 * scale.block


def test_the_grid_of_the_kernel_is_next(scale):
    y = np.zeros(40, np.float32)
    replace(scale, grid=3)(numbers(40), 1, y)
    assert np.count_nonzero(y) == 3 * scale.block


def test_a_grid_that_the_code_relies_on_is_the_only_one(scale):
    relies = replace(scale, grid=3, has_known_grid=True)
    y = np.zeros(40, np.float32)
    relies(numbers(40), 1, y)
    assert np.count_nonzero(y) == 3 * scale.block
    with pytest.raises(LaunchError, match="a grid of 2 CTAs, but its known_grid_size is 3"):
        relies(numbers(40), 1, y, grid=2)


def test_without_any_grid_the_simulator_takes_8_ctas(scale):
    y = np.zeros(40, np.float32)
    scale(numbers(40), 1, y)
    assert np.count_nonzero(y) == 8 * scale.block


@pytest.mark.parametrize("block", [0, 1025])
def test_a_block_that_no_gpu_runs_is_refused(scale, block):
    with pytest.raises(LaunchError, match=f"has {block} threads per CTA; 1 to 1024"):
        replace(scale, block=block)(numbers(1), 1, numbers(1))


def test_a_stream_for_numpy_arrays_is_refused(scale):
    with pytest.raises(LaunchError, match="a stream needs arrays on a CUDA device"):
        scale(numbers(1), 1, numbers(1), stream=0)


def test_alignment_is_that_of_the_whole_allocation(scale):
    """As on a GPU: an allocation is aligned, and so a part of it need not be."""
    loads_pairs = scale.ptx.replace(
        "ld.global.f32 %f2, [%rd8];", "ld.global.v2.f32 {%f2, %f3}, [%rd8];"
    )
    kernel = replace(scale, ptx=loads_pairs)
    x = numbers(1000)
    kernel(x[200::2], 1, np.zeros(400, np.float32), grid=1)
    with pytest.raises(SimulationError, match="misaligned"):
        kernel(x[201::2], 1, np.zeros(400, np.float32), grid=1)


def test_json_round_trip(scale):
    assert Kernel.from_json(scale.to_json()) == scale


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 2}', '{"format": 1}', '{"format": 1, "arguments": [1]}']
)
def test_other_json_is_refused(text):
    with pytest.raises(LaunchError, match="not a kernel in JSON"):
        Kernel.from_json(text)


def test_launching_imports_neither_mlir_nor_the_compiler(scale):
    program = (
        "import sys, numpy; from pto.runtime import Kernel; "
        "kernel = Kernel.from_json(sys.stdin.read()); "
        "x = numpy.ones(4, 'f'); kernel(x, 3.0, x); assert x.tolist() == [3.0] * 4; "
        "print([m for m in sys.modules if m.startswith(('mlir', 'pto.compiler', 'pto._pto'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=scale.to_json(), text=True, capture_output=True
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_importing_pto_imports_neither_mlir_nor_numpy():
    program = (
        "import sys, pto; "
        "print([m for m in sys.modules if m.partition('.')[0] in ('mlir', 'numpy', 'typer')])"
    )
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
