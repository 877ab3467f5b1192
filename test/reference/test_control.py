"""Loops, branches, calls and assertions."""

import pytest

from pto.errors import CompileError, DeviceAssertion


def test_for_carries_values(evaluate):
    text = """func.func @f(%n: index) -> (index, index) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
          %z = arith.addi %x, %y : index
          scf.yield %y, %z : index, index
        }
        return %a, %b : index, index
    }"""
    assert evaluate(text, 10) == (55, 89)
    assert evaluate(text, 0) == (0, 1)


def test_for_visits_lower_bound_to_upper_bound_by_step(evaluate):
    text = """func.func @f(%l: i32, %u: i32, %s: i32) -> i32 {
        %c0 = arith.constant 0 : i32
        %c10 = arith.constant 10 : i32
        %r = scf.for %i = %l to %u step %s iter_args(%x = %c0) -> (i32) : i32 {
          %y = arith.muli %x, %c10 : i32
          %z = arith.addi %y, %i : i32
          scf.yield %z : i32
        }
        return %r : i32
    }"""
    assert evaluate(text, 1, 6, 2) == 135
    assert evaluate(text, 6, 1, 2) == 0
    with pytest.raises(DeviceAssertion, match=r"'scf.for' op has a step of 0, which must be p"):
        evaluate(text, 1, 6, 0)


def test_an_unsigned_for_compares_unsigned(evaluate):
    text = """func.func @f(%l: i8, %u: i8, %s: i8) -> i8 {
        %c0 = arith.constant 0 : i8
        %c1 = arith.constant 1 : i8
        %r = scf.for unsigned %i = %l to %u step %s iter_args(%x = %c0) -> (i8) : i8 {
          %y = arith.addi %x, %c1 : i8
          scf.yield %y : i8
        }
        return %r : i8
    }"""
    assert evaluate(text, 0, -56, 100) == 2


def test_if_gives_the_values_of_its_branch(evaluate):
    text = """func.func @f(%c: i1) -> i32 {
        %r = scf.if %c -> i32 {
          %a = arith.constant 1 : i32
          scf.yield %a : i32
        } else {
          %b = arith.constant 2 : i32
          scf.yield %b : i32
        }
        return %r : i32
    }"""
    assert evaluate(text, -1) == 1
    assert evaluate(text, 0) == 2


def test_if_without_else_may_do_nothing(run):
    text = """func.func @k(%c: i1) {
        scf.if %c {
          %false = arith.constant false
          cf.assert %false, "taken"
        }
        return
    }"""
    run(text, 0)
    with pytest.raises(DeviceAssertion, match=r"'cf.assert' op failed: taken$"):
        run(text, 1)


def test_while_runs_until_its_condition_fails(evaluate):
    text = """func.func @f(%n: i32) -> (i32, i32) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %r:2 = scf.while (%x = %n, %k = %c0) : (i32, i32) -> (i32, i32) {
          %more = arith.cmpi sgt, %x, %c1 : i32
          scf.condition(%more) %x, %k : i32, i32
        } do {
        ^bb0(%x: i32, %k: i32):
          %y = arith.shrui %x, %c1 : i32
          %l = arith.addi %k, %c1 : i32
          scf.yield %y, %l : i32, i32
        }
        return %r#0, %r#1 : i32, i32
    }"""
    assert evaluate(text, 1000) == (1, 9)
    assert evaluate(text, 0) == (0, 0)


def test_call_gives_results_and_keeps_the_values_of_the_caller(evaluate):
    text = """
    func.func private @half(%x: i32) -> i32 {
        %c1 = arith.constant 1 : i32
        %r = arith.shrsi %x, %c1 : i32
        return %r : i32
    }
    func.func @f(%x: i32) -> (i32, i32) {
        %a = func.call @half(%x) : (i32) -> i32
        %b = func.call @half(%a) : (i32) -> i32
        return %a, %b : i32, i32
    }"""
    assert evaluate(text, 20) == (10, 5)


def test_recursion_computes(evaluate):
    text = """func.func @f(%n: i32) -> i32 {
        %c1 = arith.constant 1 : i32
        %last = arith.cmpi sle, %n, %c1 : i32
        %r = scf.if %last -> i32 {
          scf.yield %c1 : i32
        } else {
          %m = arith.subi %n, %c1 : i32
          %p = func.call @f(%m) : (i32) -> i32
          %q = arith.muli %n, %p : i32
          scf.yield %q : i32
        }
        return %r : i32
    }"""
    assert evaluate(text, 10) == 3628800
    with pytest.raises(DeviceAssertion, match=r"'func.call' op nests calls more than 32 deep$"):
        evaluate(text, 1000)


def test_calling_a_function_without_body_names_it(evaluate):
    text = """func.func private @other()
    func.func @f() {
        func.call @other() : () -> ()
        return
    }"""
    with pytest.raises(CompileError, match=r"^-:1:1: function 'other' has no body$"):
        evaluate(text)


def test_an_assertion_that_holds_does_nothing(evaluate):
    text = """func.func @f(%c: i1) -> i1 {
        cf.assert %c, "n must be even"
        return %c : i1
    }"""
    assert evaluate(text, -1) == -1
    text_of_fault = r"^-:2:9: 'cf.assert' op failed: n must be even$"
    with pytest.raises(DeviceAssertion, match=text_of_fault):
        evaluate(text, 0)


def test_an_unknown_op_is_named_at_its_location(evaluate):
    text = """func.func @f(%x: f32) -> f32 {
        %r = math.sqrt %x : f32
        return %r : f32
    }"""
    with pytest.raises(CompileError, match=r"^-:2:14: 'math.sqrt' op has no reference meaning$"):
        evaluate(text, 1.0)


def test_a_branch_between_blocks_is_named(evaluate):
    text = """func.func @f() {
        cf.br ^end
    ^end:
        return
    }"""
    with pytest.raises(CompileError, match=r"^-:2:9: 'cf.br' op has no reference meaning$"):
        evaluate(text)
