"""Two elements in one register: f16x2, bf16x2, f32x2, u16x2, s16x2."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..program import Step
from ..site import Site
from ..types import Array, Type


def elementwise(function: Callable[..., Array], type: Type) -> Callable[..., Array]:
    """`function` on the elements of `type`: arrays of twice the length."""
    element = type.element
    if element is None:
        return function

    def apply(*values: Array) -> Array:
        parts = [np.ascontiguousarray(value).view(element.dtype) for value in values]
        return np.ascontiguousarray(function(*parts)).view(type.dtype)

    return apply


def integer(site: Site, function: Callable[..., Array], *, relu: bool = False) -> Step:
    type = site.type("u16x2", "s16x2")

    def apply(a: Array, b: Array) -> Array:
        result = function(a, b)
        return np.maximum(result, 0) if relu else result

    return site.compute(elementwise(apply, type), type, type, type)
