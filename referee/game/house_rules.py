"""A table's own rules: a preset and what differs from it, as TOML or as plain values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, get_type_hints

from .variant import Variant, VariantError, get_variant

_HINTS = get_type_hints(Variant)
OPTIONS: dict[str, type] = {
    item.name: _HINTS[item.name] if isinstance(_HINTS[item.name], type) else int
    for item in fields(Variant)
    if item.init and item.name not in ("name", "terms", "faces")
}
"""Every house rule and the type of its value; `target` and `rounds` may also be `"none"`."""

_MAY_BE_NONE = ("target", "rounds")


def _read(name: str, value: Any) -> Any:
    kind = OPTIONS[name]
    if issubclass(kind, StrEnum):
        if value not in list(kind):
            raise VariantError(f"{name}: '{value}' is no choice: use {', '.join(kind)}")
        return kind(value)
    if value == "none" and name in _MAY_BE_NONE:
        return None
    if kind is bool and not isinstance(value, bool):
        raise VariantError(f"{name}: '{value}' is neither true nor false")
    if kind is int and (isinstance(value, bool) or not isinstance(value, int)):
        raise VariantError(f"{name}: '{value}' is no whole number")
    if kind is float and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise VariantError(f"{name}: '{value}' is no number")
    return float(value) if kind is float else value


def rule_choices(name: str) -> tuple[str, ...]:
    """Give the values that a rule may have, as words; none for numbers."""
    kind = OPTIONS[name]
    if issubclass(kind, StrEnum):
        return tuple(item.value for item in kind)
    return ("true", "false") if kind is bool else ()


def plain_rule(value: Any) -> str:
    """Write a rule's value as it stands in a rules file, without quotes."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.value if isinstance(value, StrEnum) else f"{value:g}" if isinstance(value, float) else str(value)


def parse_rule(name: str, text: str) -> Any:
    """Read a rule's value as it stands in a rules file, without quotes; `make_variant` says whether it is possible.

    Raises
    ------
    VariantError
        If the rule is unknown or the value has the wrong form.
    """
    if name not in OPTIONS:
        raise VariantError(f"unknown rule '{name}': use {', '.join(OPTIONS)}")
    kind = OPTIONS[name]
    if issubclass(kind, StrEnum) or text == "none":
        return text
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    try:
        return int(text) if kind is int else float(text)
    except ValueError as error:
        raise VariantError(f"{name}: '{text}' is no number") from error


def make_variant(base: Variant, rules: Mapping[str, Any], name: str = "") -> Variant:
    """Change a variant by house rules.

    Parameters
    ----------
    base
        The preset.
    rules
        Field names of `Variant` with plain values, as they stand in TOML or JSON.
    name
        What the result is called; the preset's name if empty.

    Raises
    ------
    VariantError
        If a rule is unknown, or nobody can play so; the message says what to write.
    """
    for key in rules:
        if key not in OPTIONS:
            raise VariantError(f"unknown rule '{key}': use {', '.join(OPTIONS)}")
    values = {key: _read(key, value) for key, value in rules.items()}
    return replace(base, name=name or base.name, **values)


def parse_rules(text: str, name: str = "house rules") -> Variant:
    """Read house rules from TOML: an optional `base` and `name`, and the fields that differ.

    Raises
    ------
    VariantError
        If it is no TOML, a key is unknown or a value impossible.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"no valid TOML: {error}") from error
    base, given = record.pop("base", "official"), record.pop("name", name)
    if not isinstance(base, str) or not isinstance(given, str):
        raise VariantError("base and name: write a text in quotes")
    return make_variant(get_variant(base), record, given)


def find_differences(variant: Variant, base: Variant) -> dict[str, Any]:
    """Find the rules in which a variant differs from a preset, as plain values: `make_variant`'s inverse."""
    found: dict[str, Any] = {}
    for key in OPTIONS:
        value = getattr(variant, key)
        if value != getattr(base, key):
            found[key] = "none" if value is None else value.value if isinstance(value, StrEnum) else value
    return found
