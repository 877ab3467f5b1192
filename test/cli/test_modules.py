"""Programs that are no tile program, or more than one PTX module: one message, no traceback."""

import pytest

KERNEL = (
    "gpu.func @{} () kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{gpu.return}}"
)


@pytest.fixture
def written(tmp_path):
    """A file with that text."""

    def write(text):
        path = tmp_path / "program.mlir"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("form", ["ptx", "cubin"])
def test_a_module_without_kernels(pto_cli, written, form, tmp_path):
    path = written("module {}\n")
    done = pto_cli("compile", path, "--emit", form, "-o", tmp_path / "out")
    assert (done.exit_code, done.stderr) == (1, "error: the program has no kernel\n")


def test_two_gpu_modules(pto_cli, written):
    modules = (f"gpu.module @m{i} {{ {KERNEL.format(f'k{i}')} }}" for i in range(2))
    path = written("\n".join(modules))
    for arguments in (("compile", path), ("run", path, "--kernel", "k1", "--device", "sim")):
        done = pto_cli(*arguments)
        assert done.exit_code == 1
        assert "2 PTX modules; put its kernels into one gpu.module" in done.stderr


def test_the_reference_of_a_kernel_of_primitives(pto_cli, written):
    done = pto_cli("run", written(f"gpu.module @m {{ {KERNEL.format('k')} }}"), "--device", "ref")
    assert done.exit_code == 1
    assert "the reference runs tile programs" in done.stderr
