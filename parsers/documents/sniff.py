"""What a part is, by its bytes: magic numbers, then structure. Names and declared types only break ties (spec 6.1)."""

from __future__ import annotations

import io
import re
import zipfile

from parsers.documents import kinds
from parsers.documents.charset import decode
from parsers.documents.csv import sniff_delimiter
from parsers.documents.unreadable import Unreadable

_HEAD_BYTES = 8192
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAGIC = (
    (b"\x1f\x8b", kinds.GZIP),
    (b"7z\xbc\xaf\x27\x1c", kinds.SEVEN_ZIP),
    (b"\x78\x9f\x3e\x22", kinds.TNEF),
    (b"{\\rt", kinds.RTF),  # Word reads it without the f, too
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\x01\0\0\0\x58\0\0\0", "image/emf"),
    (b"\xd7\xcd\xc6\x9a", "image/wmf"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\x7fELF", kinds.PROGRAM),
    (b"L\0\0\0\x01\x14\x02\0", kinds.PROGRAM),  # a shell link
)
_PROGRAM_NAMES = re.compile(  # not `com`: attached mails are named by their subjects, which end in domains
    r"\.(?:js|jse|vbs|vbe|wsf|wsh|hta|exe|scr|pif|bat|cmd|ps1|lnk|iso|img|jar|msi|dll|reg|chm)$", re.IGNORECASE
)
_PROGRAM_TYPES = frozenset(
    {"application/javascript", "text/javascript", "application/x-javascript", "application/x-msdownload",
     "application/x-msdos-program", "application/x-iso9660-image", "application/java-archive"}
)  # fmt: skip
_OLE_STREAMS = (  # the first name found among an OLE file's entries tells what it is
    ("EncryptedPackage", kinds.ENCRYPTED_OFFICE),
    ("__properties_version1.0", kinds.MSG),
    ("WordDocument", kinds.DOC),
    ("Workbook", kinds.XLS),
    ("Book", kinds.XLS),
)
_TEXT_STARTS = (
    ("BEGIN:VCALENDAR", kinds.CALENDAR),
    ("BEGIN:VCARD", kinds.VCARD),
    ("-----BEGIN PGP MESSAGE-----", kinds.PGP_MESSAGE),
)
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)*"
    r"<(?:!doctype\s+html|html|head|body|meta|title|style|table|div|p|span|font|center|pre|br|h[1-6])\b",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"</?(?:table|tr|td|div|p|br|span|html|body|b|font|a|pre)\b[^<>]{0,500}>", re.IGNORECASE)
_MAIL_HEADER = re.compile(
    rb"(?:(?:received|return-path|from|to|subject|date|message-id|mime-version|delivered-to|reply-to|cc|x-[\w-]+|"
    rb"content-type|dkim-signature|arc-[\w-]+|authentication-results)[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2}",
    re.IGNORECASE,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROLS = 0.02  # share of control characters in a text
_CSV_NAMES = (".csv", ".tsv", ".tab", ".xls", ".xlsx")
_CSV_TYPES = frozenset({kinds.CSV, "text/tab-separated-values", "text/comma-separated-values", kinds.XLS, kinds.XLSX})
_CSV_SHARE = 0.6  # of the lines with the same column count


def sniff(data: bytes, declared: str | None = None, name: str | None = None, charset: str | None = None) -> str:
    """The part's content type, one of `kinds` or `image/...`."""
    if not data:
        return kinds.EMPTY
    if declared in _PROGRAM_TYPES or _PROGRAM_NAMES.search(name or ""):
        return kinds.PROGRAM
    return _by_magic(data) or _by_text(data, declared or "", (name or "").lower(), charset)


def _by_magic(data: bytes) -> str | None:
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zip_kind(data)
    if data.startswith(_OLE_MAGIC):
        return ole_kind(data)
    if b"%PDF-" in data[:1024]:
        return kinds.PDF
    if data[257:262] == b"ustar":
        return kinds.TAR
    if data.startswith(b"MZ") and b"\0" in data[:_HEAD_BYTES]:  # a text may begin so, and has no zeros
        return kinds.PROGRAM
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), None) or _image_kind(data)


def _image_kind(data: bytes) -> str | None:
    """Images whose first bytes alone would be too little."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    is_bitmap = data.startswith(b"BM") and int.from_bytes(data[2:6], "little") == len(data)
    return "image/bmp" if is_bitmap else None


def _zip_kind(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = {name.replace("\\", "/") for name in package.namelist()}
            mimetype = b""
            if "mimetype" in names:
                with package.open("mimetype") as file:
                    mimetype = file.read(100)  # no more of it is unpacked
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError, OSError, EOFError):
        return _broken_zip_kind(data)
    if mimetype.strip() == kinds.ODS.encode():
        return kinds.ODS
    if "xl/workbook.bin" in names:
        return kinds.XLSB
    if any(name.startswith("xl/") for name in names):
        return kinds.XLSX
    if any(name.startswith("word/") for name in names):
        return kinds.DOCX
    return kinds.ZIP


def _broken_zip_kind(data: bytes) -> str:
    """A cut-off zip still begins with its first members' names."""
    if b"xl/" in data[:_HEAD_BYTES]:
        return kinds.XLSX
    return kinds.DOCX if b"word/" in data[:_HEAD_BYTES] else kinds.ZIP


def ole_kind(data: bytes) -> str:
    """What an OLE compound file holds, by the names in its root."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            names = {entry[0].lower() for entry in ole.listdir(streams=True, storages=True)}
    except Exception:  # noqa: BLE001 -- olefile trips over damage in many ways; the names stand in the bytes anyway
        names = {stream.lower() for stream, _ in _OLE_STREAMS if stream.encode("utf-16-le") in data}
    for stream, kind in _OLE_STREAMS:
        if stream.lower() in names:
            return kind
    return kinds.OLE


def _by_text(data: bytes, declared: str, name: str, charset: str | None) -> str:
    is_body = declared.startswith("text/")
    if not is_body and _MAIL_HEADER.match(data.lstrip()):
        return kinds.EML
    if not is_body and data.startswith(b"From ") and (declared == kinds.MBOX or name.endswith((".mbox", ".mbx"))):
        return kinds.MBOX
    try:
        text = decode(data[: _HEAD_BYTES + len(data) % 2], charset)
    except Unreadable:
        return declared if is_body else kinds.UNKNOWN
    if len(_CONTROLS.findall(text)) > _MAX_CONTROLS * len(text):
        return kinds.UNKNOWN
    return _text_kind(text, declared, name)


def _text_kind(text: str, declared: str, name: str) -> str:
    start = text.lstrip()[:40].upper()
    for mark, kind in _TEXT_STARTS:
        if start.startswith(mark):
            return kind
    if _HTML_START.match(text) or (declared == kinds.HTML and _TAG.search(text)):
        return kinds.HTML
    if (declared in _CSV_TYPES or name.endswith(_CSV_NAMES)) and sniff_delimiter(text)[1] >= _CSV_SHARE:
        return kinds.CSV
    return kinds.TEXT
