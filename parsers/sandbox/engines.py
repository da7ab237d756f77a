"""The engines, imported before the first mail: that takes most of a second, and no time of a mail's deadline."""

from __future__ import annotations

from importlib import import_module

_MODULES = (
    "asn1crypto.cms",
    "lxml.etree",
    "mailparser",
    "olefile",
    "parsers.documents.csv",
    "parsers.documents.doc",
    "parsers.documents.docx",
    "parsers.documents.html",
    "parsers.documents.pdf",
    "parsers.documents.text",
    "parsers.documents.workbook",
    "parsers.mail.sevenzips",
    "parsers.quotes",
    "pdfminer.high_level",
    "pypdfium2",
    "python_calamine",
)


def load_engines() -> None:
    """Import what the readers import when they are first used."""
    for module in _MODULES:
        import_module(module)
