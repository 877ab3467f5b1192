"""A program compiles to the same text every time."""

import pytest

import row_examples
from pto import compiler


@pytest.mark.parametrize("program", ["softmax_values", "layernorm_values", "layernorm_f16"])
def test_a_program_has_one_ptx(program: str) -> None:
    source = row_examples.path(program)
    texts = {compiler.emit(source, form="ptx", target="sm_90a") for _ in range(12)}
    assert len(texts) == 1
