"""The engines and the weights, loaded before the first mail: most of a second, and no time of a mail's deadline."""

from __future__ import annotations

from importlib import import_module

_MODULES = (
    "asn1crypto.cms",
    "lxml.etree",
    "mailparser",
    "olefile",
    "parsers.documents.csv",
    "parsers.documents.word.doc",
    "parsers.documents.word.docx",
    "parsers.documents.html.reader",
    "parsers.documents.pdf.reader",
    "parsers.documents.text",
    "parsers.documents.workbooks.reader",
    "parsers.mail.containers.sevenzips",
    "parsers.quotes.finding",
    "pdfminer.high_level",
    "pypdfium2",
    "python_calamine",
)


def load_engines() -> None:
    """Import what the readers import when they are first used, and read what they weigh by."""
    for module in _MODULES:
        import_module(module)
    for room in ("weighing", "trust"):
        import_module(f"parsers.quotes.{room}.weights").weights()
