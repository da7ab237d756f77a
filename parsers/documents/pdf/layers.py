"""Layers of a PDF that are off: groups of optional content that a viewer does not show (ISO 32000-1, 8.11).

pdfium tells the name of the group that an object is marked with, and not its state, which pdfminer.six reads from the
catalog. Of two groups of one name neither counts as off, unless both are.
"""

from __future__ import annotations

import ctypes
import io
from functools import lru_cache
from typing import Any

from parsers.documents.pdf.calls import INT, POINTER, plain

_MAX_MARKS = 20  # of an object
_CHARS = 128  # of a name


def may_have_layers(data: bytes) -> bool:
    """Whether the file says so, or may say so where it is packed."""
    return b"/OCProperties" in data or b"/ObjStm" in data


def layer_of(item: int) -> str | None:
    """The group that the object at this address is marked with, the first of several."""
    ask = _functions()
    for number in range(min(ask.marks(item), _MAX_MARKS)):
        mark = ask.mark(item, number)
        if ask.mark_name(mark, ask.text_at, 2 * _CHARS, ask.size_at) and ask.told() == "OC":
            named = ask.mark_text(mark, b"Name", ask.text_at, 2 * _CHARS, ask.size_at)
            return ask.told() if named else None
    return None


def layers_off(data: bytes) -> frozenset[str]:
    """The names of the groups that are off when the file is opened; none of a file whose catalog cannot be read."""
    from pdfminer.pdfdocument import PDFDocument
    from pdfminer.pdfparser import PDFParser

    try:
        catalog = PDFDocument(PDFParser(io.BytesIO(data))).catalog
        told = _dictionary(catalog.get("OCProperties"))
        default = _dictionary(told.get("D"))
        is_off = str(getattr(default.get("BaseState"), "name", "")) == "OFF"
        turned = {group.objid for group in _list(default.get("ON" if is_off else "OFF"))}
        names: dict[bool, set[str]] = {False: set(), True: set()}  # by whether they are off
        for group in _list(told.get("OCGs")):
            names[(group.objid in turned) != is_off].add(_text(_dictionary(group).get("Name")))
    except Exception:  # noqa: BLE001 -- the library trips over damage as its code does; pdfium has read the pages
        return frozenset()
    return frozenset(names[True] - names[False])


def _dictionary(value: Any) -> dict[str, Any]:
    from pdfminer.pdftypes import dict_value

    return dict(dict_value(value)) if value is not None else {}


def _list(value: Any) -> list[Any]:
    from pdfminer.pdftypes import list_value

    return list(list_value(value)) if value is not None else []


def _text(name: Any) -> str:
    from pdfminer.utils import decode_text

    return str(decode_text(name))


class _Functions:
    """Of pdfium's, with plain arguments, and where they put what they tell."""

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        self._text, self._size = (ctypes.c_ushort * _CHARS)(), ctypes.c_ulong()
        self.text_at, self.size_at = ctypes.addressof(self._text), ctypes.addressof(self._size)
        told = (POINTER, ctypes.c_ulong, POINTER)
        self.marks = plain(pdfium.FPDFPageObj_CountMarks, INT, POINTER)
        self.mark = plain(pdfium.FPDFPageObj_GetMark, POINTER, POINTER, ctypes.c_ulong)
        self.mark_name = plain(pdfium.FPDFPageObjMark_GetName, INT, POINTER, *told)
        self.mark_text = plain(pdfium.FPDFPageObjMark_GetParamStringValue, INT, POINTER, ctypes.c_char_p, *told)

    def told(self) -> str:
        """The text that was told last."""
        return bytes(self._text)[: max(self._size.value, 2) - 2].decode("utf-16-le", "replace")


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    return _Functions()
