"""Elements cast from one type to another, with one rounding of any kind and no undefined result.

A float in a narrower type is the nearest number there, corrected by what the rounding error says.
The bits of positive floats count them, from zero to infinity: a neighbour is one bit away.

An integer that the type on its way does not have is a sum of two halves, whose error is known
(Dekker, "A floating-point technique for extending the available precision", 1971). The sum rounded
to odd may be rounded again (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums",
2008).
"""

from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith

from pto.lowering import intrinsics, lanes, signs

_LARGEST = {
    "f16": 65504.0,
    "bf16": (2 - 2.0**-7) * 2.0**127,
    "f32": (2 - 2.0**-23) * 2.0**127,
    "f64": (2 - 2.0**-52) * 2.0**1023,
}


def _is_float(kind: ir.Type) -> bool:
    return isinstance(kind, ir.FloatType)


def _is_unsigned(kind: ir.Type) -> bool:
    return isinstance(kind, ir.IntegerType) and kind.is_unsigned


def _width(kind: ir.Type) -> int:
    assert isinstance(kind, ir.FloatType | ir.IntegerType)
    return kind.width


def _integer(bits: int) -> ir.IntegerType:
    return ir.IntegerType.get_signless(bits)


def _constant(kind: ir.Type, number: float) -> ir.Value:
    if _is_float(kind):
        return arith.constant(kind, ir.FloatAttr.get(kind, number))
    return arith.constant(kind, ir.IntegerAttr.get(kind, int(number)))


def _range(kind: ir.Type) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    bits = _width(kind)
    if _is_unsigned(kind):
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _holds(relation: str, a: ir.Value, number: float) -> ir.Value:
    """Whether a float is in relation (OLT, OGT, ONE) to a number; a NaN is in none."""
    return arith.cmpf(getattr(arith.CmpFPredicate, relation), a, _constant(a.type, number))


def _unpaired(a: ir.Value, kind: ir.Type) -> ir.Value:
    """f16 as f32 on the way to bf16, and the reverse: neither has all numbers of the other."""
    element = lanes.element(a.type)
    is_pair = _width(element) == _width(kind) and element != kind
    return lanes.widen(a, ir.F32Type.get()) if is_pair else a


@dataclass(frozen=True)
class Cast:
    """One way of casting; `source` and `target` are element types with their signs."""

    source: ir.Type
    target: ir.Type
    rounding: str
    """`nearest`, `away`, `down`, `up`, `zero` or `odd`."""
    saturate: bool
    """What is out of range becomes the nearest finite number."""

    @property
    def is_plain(self) -> bool:
        """From float to float, to nearest."""
        are_floats = _is_float(self.source) and _is_float(self.target)
        return are_floats and self.rounding == "nearest" and not self.saturate

    def scalar(self, a: ir.Value) -> ir.Value:
        """One element; integers have no sign, as everywhere in `arith`."""
        if not _is_float(self.target):
            return self._float_to_integer(a) if _is_float(self.source) else self._integer(a)
        found = self.floats(a) if _is_float(self.source) else self._integer_to_float(a)
        return self._clamped(found) if self.saturate else found

    # To integers

    def _integer(self, a: ir.Value) -> ir.Value:
        if self.saturate:
            (least, greatest), (low, high) = _range(self.source), _range(self.target)
            if low > least:
                a = arith.maxsi(a, _constant(a.type, low))
            if high < greatest:
                smaller = arith.minui if _is_unsigned(self.source) else arith.minsi
                a = smaller(a, _constant(a.type, high))
        return self._resized(a)

    def _resized(self, a: ir.Value) -> ir.Value:
        """An integer with fewer or more bits."""
        kind = _integer(_width(self.target))
        if _width(a.type) >= kind.width:
            return a if a.type == kind else arith.trunci(kind, a)
        return arith.extui(kind, a) if _is_unsigned(self.source) else arith.extsi(kind, a)

    def _float_to_integer(self, a: ir.Value) -> ir.Value:
        whole = self._whole(a if _width(a.type) >= 32 else lanes.widen(a, ir.F32Type.get()))
        kind = _integer(_width(self.target))
        if self.saturate:
            return intrinsics.clamped_integer(whole, kind, is_unsigned=_is_unsigned(self.target))
        word = _integer(max(32, kind.width))
        # Each step is exact, and NaN for infinities.
        turns = arith.mulf(whole, _constant(whole.type, 2.0**-word.width))
        turns = intrinsics.whole(turns, "zero")
        rest = intrinsics.fma(turns, _constant(whole.type, -(2.0**word.width)), whole)
        size = intrinsics.clamped_integer(signs.clear(rest), word, is_unsigned=True)
        negated = arith.subi(_constant(word, 0), size)
        result = arith.select(_holds("OLT", rest, 0), negated, size)
        return result if word == kind else arith.trunci(kind, result)

    def _whole(self, a: ir.Value) -> ir.Value:
        """A float rounded to a whole number."""
        if self.rounding not in ("away", "odd"):
            return intrinsics.whole(a, self.rounding)
        inner = intrinsics.whole(a, "zero")
        rest = signs.clear(arith.subf(a, inner))
        if self.rounding == "away":
            moves = arith.cmpf(arith.CmpFPredicate.OGE, rest, _constant(a.type, 0.5))
        else:
            half = arith.mulf(inner, _constant(a.type, 0.5))
            is_even = arith.cmpf(arith.CmpFPredicate.OEQ, half, intrinsics.whole(half, "zero"))
            moves = arith.andi(_holds("ONE", rest, 0), is_even)
        one = signs.copy(_constant(a.type, 1.0), a)
        return arith.select(moves, arith.addf(inner, one), inner)

    # To floats

    def floats(self, a: ir.Value) -> ir.Value:
        """A float; vectors too if the cast is plain."""
        a = _unpaired(a, self.target)
        if _width(lanes.element(a.type)) <= _width(self.target):
            return lanes.widen(a, self.target)
        nearest = arith.truncf(lanes.of(a.type, self.target), a)
        if self.rounding == "nearest":
            return nearest
        size = signs.clear(nearest)
        error = arith.subf(signs.clear(a), lanes.widen(size, a.type))
        return signs.copy(self._corrected(size, error, _holds("OLT", a, 0)), nearest)

    def _corrected(self, nearest: ir.Value, error: ir.Value, is_negative: ir.Value) -> ir.Value:
        """`nearest + error`, a magnitude, rounded from what is known to be the nearest number."""
        if self.rounding == "nearest":
            return nearest
        kind = _integer(_width(self.target))
        bits = arith.bitcast(kind, nearest)
        inner = arith.subi(bits, arith.extui(kind, _holds("OLT", error, 0)))
        is_inexact = _holds("ONE", error, 0)
        match self.rounding:
            case "away":
                next_ = arith.bitcast(self.target, arith.addi(bits, _constant(kind, 1)))
                unit = arith.subf(lanes.widen(next_, error.type), lanes.widen(nearest, error.type))
                twice = arith.addf(error, error)
                is_tie = arith.cmpf(arith.CmpFPredicate.OGE, twice, unit)
                found = arith.addi(bits, arith.extui(kind, is_tie))
            case "odd":
                found = arith.ori(inner, arith.extui(kind, is_inexact))
            case "zero":
                found = inner
            case _:
                grows = is_negative
                if self.rounding == "up":
                    grows = arith.xori(is_negative, _constant(is_negative.type, 1))
                found = arith.addi(inner, arith.extui(kind, arith.andi(is_inexact, grows)))
        return arith.bitcast(self.target, found)

    def _integer_to_float(self, a: ir.Value) -> ir.Value:
        bits = _width(a.type)
        exact_in = ir.F32Type.get() if bits <= 16 else ir.F64Type.get()
        is_exact = bits < 64 and _width(self.target) >= exact_in.width
        # LLVM goes by way of f32 where the target has no instruction from integers to bf16.
        is_direct = self.rounding == "nearest" and not isinstance(self.target, ir.BF16Type)
        if is_exact or is_direct:
            return self._nearest(a, self.target)
        if bits <= 16:
            return self.floats(self._nearest(a, exact_in))
        return self._sum_of_halves(a)

    def _nearest(self, a: ir.Value, kind: ir.Type) -> ir.Value:
        return arith.uitofp(kind, a) if _is_unsigned(self.source) else arith.sitofp(kind, a)

    def _sum_of_halves(self, a: ir.Value) -> ir.Value:
        """From 32 bits by way of f32, from 64 by way of f64."""
        word, bits = a.type, _width(a.type)
        half, wide = _integer(bits // 2), ir.F32Type.get() if bits == 32 else ir.F64Type.get()
        is_negative = _constant(_integer(1), 0)
        size = a
        if not _is_unsigned(self.source):
            zero = _constant(word, 0)
            is_negative = arith.cmpi(arith.CmpIPredicate.slt, a, zero)
            size = arith.select(is_negative, arith.subi(zero, a), a)
        upper = arith.trunci(half, arith.shrui(size, _constant(word, half.width)))
        high = arith.mulf(arith.uitofp(wide, upper), _constant(wide, 2.0**half.width))
        low = arith.uitofp(wide, arith.trunci(half, size))
        nearest = arith.addf(high, low)
        error = arith.subf(low, arith.subf(nearest, high))
        is_last = self.target == wide
        # What is rounded to odd may be rounded again.
        step = self if is_last else Cast(self.source, wide, "odd", saturate=False)
        found = step._corrected(nearest, error, is_negative)
        signed = arith.select(is_negative, arith.negf(found), found)
        return signed if is_last else self.floats(signed)

    def _clamped(self, a: ir.Value) -> ir.Value:
        """A finite number for an infinity; NaN stays."""
        largest = _LARGEST[str(self.target)]
        for relation, number in (("OGT", largest), ("OLT", -largest)):
            a = arith.select(_holds(relation, a, number), _constant(a.type, number), a)
        return a
