"""The values of `--arg` and `--save`."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pto.cli.specs import Save, parse_argument, parse_save, parse_shape, save
from pto.dtypes import DTYPES
from pto.errors import PtoError

shapes = st.lists(st.integers(0, 9), min_size=1, max_size=4).map(tuple)
types = st.sampled_from(sorted(DTYPES))


def spelled(shape, name):
    return "x".join((*map(str, shape), name))


def refusal(spec):
    with pytest.raises(PtoError) as caught:
        parse_argument(spec, 1)
    message = str(caught.value)
    assert message.startswith(f"--arg {spec} (argument 1): ")
    return message


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4), types)
def test_shape_round_trip(shape, name):
    assert parse_shape(spelled(shape, name)) == (tuple(shape), DTYPES[name])


@given(shapes, types)
def test_zeros_and_ones(shape, name):
    for kind, value in (("zeros", 0), ("ones", 1)):
        array = parse_argument(f"{kind}:{spelled(shape, name)}", 0)
        assert (array.shape, array.dtype) == (shape, DTYPES[name])
        assert (array == value).all()


@given(shapes, types, st.integers(0, 2**32))
def test_rand_is_reproducible_by_its_seed(shape, name, seed):
    spec = f"rand:{spelled(shape, name)}:{seed}"
    first, second = parse_argument(spec, 0), parse_argument(spec, 3)
    assert (first.shape, first.dtype) == (shape, DTYPES[name])
    assert first.tobytes() == second.tobytes()


def test_rand_takes_seed_0_by_default_and_seeds_differ():
    default = parse_argument("rand:16x16xf32", 0)
    np.testing.assert_array_equal(default, parse_argument("rand:16x16xf32:0", 0))
    assert (default != parse_argument("rand:16x16xf32:1", 0)).any()


@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64"])
def test_rand_floats_are_around_one(name):
    array = parse_argument(f"rand:1000x{name}", 0).astype(np.float64)
    assert 0.5 <= array.min() < 0.6
    assert 1.4 < array.max() <= 1.5


@pytest.mark.parametrize(
    ("name", "values"),
    [("i8", {-7, -5, -3, -1, 1, 3, 5, 7}), ("ui64", {1, 3, 5, 7, 9, 11, 13, 15})],
)
def test_rand_integers_are_odd_and_small(name, values):
    assert set(parse_argument(f"rand:1000x{name}", 0).tolist()) == values


@given(st.floats(width=32))
def test_full_has_the_value(value):
    array = parse_argument(f"full:{value}:2x3xf32", 0)
    np.testing.assert_array_equal(array, np.full((2, 3), value, np.float32), strict=True)


def test_full_integer_may_be_hexadecimal():
    assert parse_argument("full:0xff:4xui8", 0).tolist() == [255] * 4


@given(st.sampled_from(["i8", "i16", "i32", "i64", "index"]), st.data())
def test_integer_scalar_round_trip(name, data):
    dtype = DTYPES["i64" if name == "index" else name]
    limits = np.iinfo(dtype)
    value = data.draw(st.integers(int(limits.min), int(limits.max)))
    scalar = parse_argument(f"{name}:{value}", 0)
    assert (scalar.dtype, int(scalar)) == (dtype, value)


@given(st.floats(width=16))
def test_float_scalar_round_trip(value):
    for name in ("f16", "f32", "f64"):
        scalar = parse_argument(f"{name}:{value!r}", 0)
        assert scalar.dtype == DTYPES[name]
        np.testing.assert_equal(float(scalar), value)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_saved_array_is_read_back(tmp_path, dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    path = tmp_path / "a.npy"
    save(path, array)
    suffix = ":bf16" if dtype == ml_dtypes.bfloat16 else ""
    read = parse_argument(f"{path}{suffix}", 0)
    assert read.dtype == dtype
    np.testing.assert_array_equal(read, array)


def test_bf16_file_without_its_type_says_how_to_name_it(tmp_path):
    save(tmp_path / "a.npy", np.ones(2, ml_dtypes.bfloat16))
    assert "elements of 2 raw bytes; name their type" in refusal(f"{tmp_path}/a.npy")


def test_reinterpreting_to_another_size_is_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.ones(2, np.float32))
    assert "bf16 has 2 bytes, the elements of the file have 4" in refusal(f"{tmp_path}/a.npy:bf16")


def test_missing_file():
    assert "missing.npy cannot be read: No such file or directory" in refusal("missing.npy")


def test_file_that_is_no_npy(tmp_path):
    (tmp_path / "a.npy").write_text("1 2 3")
    assert "is no .npy file of numbers" in refusal(f"{tmp_path}/a.npy")


def test_npy_file_of_objects(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{}]), allow_pickle=True)
    assert "is no .npy file of numbers" in refusal(f"{tmp_path}/a.npy")


@pytest.mark.parametrize("spec", ["", "x", "x.npz", "rand", "i32", "full:1", "i32:1:2", "f8:1"])
def test_unparsable_spec_says_the_grammar(spec):
    assert "expected FILE.npy[:TYPE], rand:SHAPE[:SEED], zeros:SHAPE" in refusal(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rand:16x16xf8", "'f8' is no element type; they are f16 bf16 f32"),
        ("rand:16x16", "'16' is no element type"),
        ("rand:16xx16xf32", "'16xx16xf32' is no shape"),
        ("rand:-1xf32", "'-1xf32' is no shape"),
        ("zeros:f32", "'f32' is no shape; one is 16x16xf32, or 5xf32"),
        ("rand:4xf32:one", "'one' is no seed"),
        ("full:a:4xi8", "'a' is not an integer"),
        ("full:128:4xi8", "128 is not within -128 to 127"),
        ("i32:1.5", "'1.5' is not an integer"),
        ("f32:1,5", "'1,5' is not a number"),
    ],
)
def test_fault_in_a_spec_is_named(spec, message):
    assert message in refusal(spec)


def test_save_goes_by_position_or_name():
    assert parse_save("1=a/b.npy", ["x", "y"]) == Save(1, Path("a/b.npy"))
    assert parse_save("x=b.npy", ["x", "y"]).argument == 0


@pytest.mark.parametrize("spec", ["z=a.npy", "2=a.npy", "-1=a.npy"])
def test_save_of_an_unknown_argument_lists_them(spec):
    with pytest.raises(PtoError, match=r"no argument '.*'; there are 0 \(x\), 1 \(y\)"):
        parse_save(spec, ["x", "y"])


@pytest.mark.parametrize("spec", ["x", "x=", "a.npy"])
def test_unparsable_save_says_the_form(spec):
    with pytest.raises(PtoError, match=r"expected K=OUT\.npy"):
        parse_save(spec, ["x"])
