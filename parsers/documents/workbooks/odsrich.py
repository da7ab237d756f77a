"""Cells of an ODS whose text looks different in parts: paragraphs with spans (ODF 1.3, 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lxml.etree import _Element

from parsers.documents.package import local
from parsers.documents.workbooks.looks import Font, Rich, rich

_NO_TEXT = frozenset({"annotation", "note", "ruby-text", "bookmark", "shape"})
_MAX_SPACES = 100
_MAX_DEPTH = 50  # spans inside spans


def rich_cell(cell: _Element, styles: Mapping[str | None, Font]) -> Rich | None:
    """The text of a cell in its parts; None where none of them is struck or raised.

    Args:
        cell: as it is written.
        styles: fonts of the file's text styles.
    """
    paragraphs = [part for part in cell if local(part) == "p"]
    if not any(len(paragraph) for paragraph in paragraphs):  # most
        return None
    runs: list[tuple[str, Font | None]] = []
    for paragraph in paragraphs:
        runs += [("\n", None)] if runs else []
        runs += _runs(paragraph, None, styles, 0)
    return rich(runs)


def font_of(text: _Element, above: Font) -> Font:
    """What a style's text properties say; of what they do not say, `above` holds."""
    said = {str(key).rpartition("}")[2]: str(value).strip().lower() for key, value in text.attrib.items()}
    lines = [said[name] for name in ("text-line-through-style", "text-line-through-type") if name in said]
    struck = "none" not in lines if lines else above.struck
    position = said.get("text-position")
    raised = above.raised if position is None else position.startswith("su") or position[:1] in set("123456789")
    return Font(struck=struck, raised=raised)


def _runs(
    element: _Element, font: Font | None, styles: Mapping[str | None, Font], depth: int
) -> Iterator[tuple[str, Font | None]]:
    yield element.text or "", font
    for part in element:
        kind = local(part)
        if kind == "s":
            yield " " * min(_count(part), _MAX_SPACES), font
        elif kind in {"tab", "line-break"}:
            yield " ", font
        elif kind not in _NO_TEXT and depth < _MAX_DEPTH:
            inside = styles.get(_style(part), font) if kind == "span" else font
            yield from _runs(part, inside, styles, depth + 1)
        yield part.tail or "", font


def _style(span: _Element) -> str | None:
    return next((str(value) for key, value in span.attrib.items() if str(key).endswith("style-name")), None)


def _count(spaces: _Element) -> int:
    text = next((str(value) for key, value in spaces.attrib.items() if str(key).endswith("}c")), "1")
    return int(text) if text.isdecimal() and len(text) < 6 else 1
