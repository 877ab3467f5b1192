"""The choice of a kernel, its grid and its arguments."""

import numpy as np
import pytest
from mlir import ir

from pto import context as contexts
from pto import reference
from pto.errors import DeviceAssertion, LaunchError

# ---- the grid

PLACES = """
pto.kernel @k(%y: !pto.tensor_view<?x1xi32>, %z: !pto.tensor_view<?x1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = get_block_idx
  %n = get_block_num
  %last = arith.constant 1 : i64
  %m = arith.subi %n, %last : i64
  %k = arith.subi %m, %i : i64
  %row = arith.index_cast %i : i64 to index
  %mirror = arith.index_cast %k : i64 to index
  %w = partition_view %y, offsets = [%row, %c0], sizes = [%c1, %c1]
     : !pto.tensor_view<?x1xi32> -> !pto.partition_tensor_view<1x1xi32>
  %o = partition_view %z, offsets = [%mirror, %c0], sizes = [%c1, %c1]
     : !pto.tensor_view<?x1xi32> -> !pto.partition_tensor_view<1x1xi32>
  %t = tload %w : !pto.partition_tensor_view<1x1xi32> -> !pto.tile<1x1xi32>
  tstore %t, %o : !pto.tile<1x1xi32>, !pto.partition_tensor_view<1x1xi32>
}"""


def test_every_cta_knows_its_place_in_the_grid(run):
    source = np.arange(5, dtype=np.int32)[:, None]
    result = np.zeros_like(source)
    run(PLACES, source, result, grid=5)
    assert result.tolist() == source[::-1].tolist()


def test_an_empty_grid_is_refused(run):
    with pytest.raises(LaunchError, match=r"^a grid has at least one CTA, not 0$"):
        run("pto.kernel @k(%n: i8) {}", 1, grid=0)


# ---- the kernel

KERNELS = """
func.func @helper() {
  return
}
pto.kernel @a(%n: i8) {
  %ok = arith.trunci %n : i8 to i1
  func.call @helper() : () -> ()
  cf.assert %ok, "a"
}
func.func @b(%ok: i1) {
  cf.assert %ok, "b"
  return
}
func.func private @declared()"""


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_kernel_is_chosen_by_name(run, name):
    with pytest.raises(DeviceAssertion, match=f"failed: {name}$"):
        run(KERNELS, 0, kernel=name)


def test_the_only_kernel_needs_no_name(run):
    with pytest.raises(DeviceAssertion, match=r"failed: a$"):
        run(KERNELS[: KERNELS.index("func.func @b")], 0)


def test_several_kernels_are_listed(run):
    text = r"^name the kernel to run; the module has 'a', 'b'$"
    with pytest.raises(LaunchError, match=text):
        run(KERNELS, 0)


def test_a_module_without_kernel_is_refused(run):
    with pytest.raises(LaunchError, match=r"^name the kernel to run; the module has none$"):
        run("module {}")


def test_an_unknown_kernel_is_named(run):
    text = r"^there is no kernel 'c'; the module has 'a', 'b'$"
    with pytest.raises(LaunchError, match=text):
        run(KERNELS, 0, kernel="c")


# ---- arguments

KERNEL = """pto.kernel @k(%x: !pto.ptr<f32> {pto.name = "x"}, %n: i8) {}"""


def test_a_wrong_count_lists_the_arguments(run):
    text = r"^kernel 'k' takes 2 arguments, not 1 \(argument 'x': !pto.ptr<f32>, argument 1: i8\)$"
    with pytest.raises(LaunchError, match=text):
        run(KERNEL, np.zeros(1, np.float32))


@pytest.mark.parametrize(
    ("type", "value", "text"),
    [
        ("!pto.ptr<f32>", np.zeros(1), "!pto.ptr<f32> needs an array of float32, not of float64"),
        ("!pto.ptr<f32>", 1, "!pto.ptr<f32> needs an array, not 1"),
        (
            "!pto.ptr<f32>",
            np.zeros((2, 2), np.float32).T,
            "!pto.ptr<f32> needs a C-contiguous array",
        ),
        (
            "!pto.tensor_view<?x?xi8>",
            np.zeros((2, 2), np.uint8),
            "!pto.tensor_view<?x?xi8> needs an array of int8, not of uint8",
        ),
        (
            "!pto.tensor_view<?x?xi8>",
            np.zeros(2, np.int8),
            "an array of shape (2,) does not fit !pto.tensor_view<?x?xi8>",
        ),
        (
            "!pto.tensor_view<?x3xi8>",
            np.zeros((2, 4), np.int8),
            "an array of shape (2, 4) does not fit !pto.tensor_view<?x3xi8>",
        ),
        ("i8", 128, "128 is outside -128 to 127, the range of i8"),
        ("i8", -129, "-129 is outside -128 to 127, the range of i8"),
        ("index", 2.0, "index needs an integer, not 2.0"),
        ("i32", np.zeros(3, np.int32), "i32 needs an integer, not an array of shape (3,)"),
        ("f32", "1", "f32 needs a number, not '1'"),
        ("f32", np.zeros(3), "f32 needs a number, not an array of shape (3,)"),
    ],
)
def test_an_argument_that_does_not_fit_is_named(run, type, value, text):
    with pytest.raises(LaunchError) as error:
        run(f"pto.kernel @k(%ok: i8, %x: {type}) {{}}", 0, value)
    assert str(error.value) == f"kernel 'k', argument 1: {text}"


@pytest.mark.parametrize(
    ("type", "value", "text"),
    [
        ("ui8", -1, "-1 is outside 0 to 255, the range of ui8"),
        ("i1", 2, "2 is outside 0 to 1, the range of i1"),
        ("tf32", 1, "no Python value has the type tf32"),
    ],
)
def test_an_argument_that_does_not_fit_a_function_is_named(run, type, value, text):
    with pytest.raises(LaunchError) as error:
        run(f"func.func @k(%ok: i8, %x: {type}) {{ return }}", 0, value)
    assert str(error.value) == f"kernel 'k', argument 1: {text}"


def test_an_argument_with_a_name_is_named_by_it(run):
    text = r"^kernel 'k', argument 'x': !pto.ptr<f32> needs an array, not 3$"
    with pytest.raises(LaunchError, match=text):
        run(KERNEL, 3, 0)


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("i8", np.int8(-128)),
        ("i8", np.uint64(127)),
        ("i64", 2**63 - 1),
        ("index", -1),
        ("f16", 1),
        ("bf16", np.float64(0.1)),
        ("f32", np.float16(0.1)),
        ("f64", 0.1),
    ],
)
def test_python_and_numpy_scalars_are_taken(run, type, value):
    run(f"pto.kernel @k(%x: {type}) {{}}", value)


@pytest.mark.parametrize(
    ("type", "value"),
    [("ui64", 2**64 - 1), ("i1", True), ("i1", np.bool_(False))],
)
def test_a_function_takes_truths_and_unsigned_integers(run, type, value):
    run(f"func.func @k(%x: {type}) {{ return }}", value)


def test_a_float_is_rounded_to_the_type(run):
    text = """pto.kernel @k(%x: f32) {
      %tenth = arith.constant 0.1 : f32
      %same = arith.cmpf oeq, %x, %tenth : f32
      cf.assert %same, "rounded"
    }"""
    run(text, 0.1)
    run(text, np.float64(0.1))


# ---- locations


def test_a_fault_names_the_file(tmp_path):
    path = tmp_path / "k.pto"
    path.write_text('func.func @k(%ok: i1) {\n  cf.assert %ok, "even"\n  return\n}\n')
    with contexts.create():
        module = ir.Module.parseFile(str(path))
    with pytest.raises(DeviceAssertion) as error:
        reference.run(module, None, [0], 1)
    assert str(error.value) == f"{path}:2:3: 'cf.assert' op failed: even"


@pytest.mark.parametrize(
    "location",
    [
        'loc("x"("k.pto":7:3))',
        'loc(callsite("k.pto":7:3 at "main.pto":1:1))',
        'loc(fused["k.pto":7:3, "b.pto":1:1])',
    ],
)
def test_a_fault_finds_the_file_inside_other_locations(run, location):
    text = f"""pto.kernel @k(%n: i8) {{
      %ok = arith.trunci %n : i8 to i1
      cf.assert %ok, "even" {location}
    }}"""
    with pytest.raises(DeviceAssertion, match=r"^k.pto:7:3: 'cf.assert' op failed: even$"):
        run(text, 0)
