"""PTX text to syntax, and what is said about text that is not PTX."""

import pytest

from pto.errors import SimulationError
from pto.sim.parser import parse
from pto.sim.syntax import Address, Instruction, Literal, Name, Negated, Pair, Vector

HEADER = ".version 8.0\n.target sm_90a, debug\n.address_size 64\n"


def instruction(text):
    module = parse(f"{HEADER}.entry k() {{ {text} }}")
    (statement,) = module.functions["k"].body.statements
    assert isinstance(statement, Instruction)
    return statement


def test_opcode_and_modifiers():
    parsed = instruction("ld.shared::cta.L2::128B.v2.f32 {%f1, _}, [%rd1+16];")
    assert parsed.opcode == "ld"
    assert parsed.modifiers == ("shared::cta", "L2::128B", "v2", "f32")
    assert parsed.operands == (Vector((Name("%f1"), Name("_"))), Address(Name("%rd1", 16)))


def test_operand_forms():
    parsed = instruction("x.y 12, -3, 0x1F, 0U, 017, 0b101, !%p1, %p1|%p2, table+8, [%r1+-4];")
    assert parsed.operands == (
        Literal(12),
        Literal(-3),
        Literal(31),
        Literal(0),
        Literal(15),
        Literal(5),
        Negated("%p1"),
        Pair("%p1", "%p2"),
        Name("table", 8),
        Address(Name("%r1", -4)),
    )


def test_float_literals_are_bit_patterns():
    parsed = instruction("x 0f3F800000, 0d4000000000000000, 0.5, -0f3F800000;")
    assert parsed.operands == (
        Literal(0x3F800000, 32),
        Literal(0x4000000000000000, 64),
        Literal(0x3FE0000000000000, 64),
        Literal(0xBF800000, 32),
    )


def test_guards():
    assert instruction("@%p1 ret;").guard == Name("%p1")
    assert instruction("@!%p1 ret;").guard == Negated("%p1")


def test_debug_information_and_comments_change_nothing():
    text = """
    .file 1 "a.cu"
    .entry k() { // comment
        .loc 1 2 3, function_name $L__info, inlined_at 1 2 3
        .pragma "nounroll";
        /* ret; */ ret;
    }
    .section .debug_str { .b8 97, 98 }
    """
    assert len(parse(HEADER + text).functions["k"].body.statements) == 1


def test_launch_bounds_and_parameters():
    text = """
    .visible .entry k(.param .u64 .ptr .global .align 1 a, .param .align 4 .b8 b[12], .param .f32 c)
    .maxntid 128, 2, 1 .minnctapersm 2 .reqnctapercluster 2 { ret; }
    """
    kernel = parse(HEADER + text).functions["k"]
    assert [(p.name, p.size, p.align) for p in kernel.params] == [
        ("a", 8, 8),
        ("b", 12, 4),
        ("c", 4, 4),
    ]
    assert kernel.limits == {
        "maxntid": (128, 2, 1),
        "minnctapersm": (2,),
        "reqnctapercluster": (2,),
    }


def test_variables():
    text = """
    .global .align 16 .v4 .f32 v[2];
    .global .align 1 .b8 $str[] = {104, 105, 0};
    .extern .shared .align 16 .b8 smem[];
    .const .u32 m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    """
    variables = parse(HEADER + text).variables
    assert (variables["v"].size, variables["v"].align) == (32, 16)
    assert variables["$str"].size == 3
    assert variables["smem"].size == 0 and variables["smem"].extern
    assert [value.value for value in variables["m"].initial] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "text, message",
    [
        ("add.s32 %r1 %r2;", "PTX line 5: cannot read `add.s32 %r1 %r2;`"),
        (".unknown 3;", "PTX line 5: cannot read `.unknown 3;`"),
        ("ld.b32 %r1, [;", "PTX line 5: cannot read"),
        (".global .b8 .huge x;", "PTX line 5: .huge of `x` is not known"),
    ],
)
def test_unreadable_text_names_its_line(text, message):
    with pytest.raises(SimulationError) as error:
        parse(f"{HEADER}.entry k() {{\n{text}\n}}")
    assert str(error.value).startswith(message)


def test_unknown_directive_of_a_function():
    with pytest.raises(SimulationError, match=r"PTX line 4: unknown directive `\.faster`"):
        parse(f"{HEADER}.entry k() .faster 2 {{ ret; }}")


def test_text_that_ends_too_early():
    with pytest.raises(SimulationError, match="ends too early"):
        parse(f"{HEADER}.entry k() {{ ret;")


def test_32_bit_addresses_are_refused():
    with pytest.raises(SimulationError, match=r"only \.address_size 64"):
        parse(".version 8.0\n.target sm_90a\n.address_size 32\n")
