"""Office files are zips of XML: opening them within limits, and reading their XML without network, entities or DTD."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree
from lxml.etree import _Element

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable

MAX_TOTAL_BYTES = 200 * 2**20  # unpacked (spec 6.1)
MAX_RATIO = 100  # unpacked to packed (spec 6.1) ...
RATIO_FREE_BYTES = 16 * 2**20  # ... of what is larger than this: blank cells pack 500:1, and a small member is no bomb
MAX_FILES = 10_000


def open_package(data: bytes) -> zipfile.ZipFile:
    """The zip of an office file.

    Raises:
        Unreadable: CORRUPT_PART for no zip, ARCHIVE_LIMIT for one that unpacks beyond the limits.
    """
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"not a whole zip: {error}") from error
    files = package.infolist()
    total = sum(file.file_size for file in files)
    if len(files) > MAX_FILES or total > MAX_TOTAL_BYTES:
        raise Unreadable(Code.ARCHIVE_LIMIT, f"{len(files)} files, {total} bytes unpacked")
    for file in files:
        if file.file_size > RATIO_FREE_BYTES and file.file_size > MAX_RATIO * max(file.compress_size, 1):
            raise Unreadable(Code.ARCHIVE_LIMIT, f"{file.filename[:80]!r} unpacks {file.compress_size}-fold")
    return package


def read_member(package: zipfile.ZipFile, name: str) -> bytes | None:
    """A member's bytes, or None when there is none of that name.

    Names are found in whatever case and with whatever slashes, as by office programs.

    Raises:
        Unreadable: PASSWORD_PROTECTED or CORRUPT_PART.
    """
    info = package.NameToInfo.get(name)
    if info is None:
        folded = _folded(name)
        info = next((item for item in package.infolist() if _folded(item.filename) == folded), None)
    if info is None:
        return None
    if info.flag_bits & 0x1:
        raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted member")
    try:
        return package.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"{name[:80]!r}: {error}") from error


def _folded(name: str) -> str:
    return name.replace("\\", "/").lower()


def parse_xml(data: bytes) -> _Element:
    """The root of a member's XML.

    Raises:
        Unreadable: CORRUPT_PART.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"XML: {error}"[:200]) from error


def stream_xml(data: bytes, tags: tuple[str, ...]) -> Iterator[_Element]:
    """The elements of these local names as they end, each forgotten when the next is asked for.

    Raises:
        Unreadable: CORRUPT_PART.
    """
    names = [f"{{*}}{tag}" for tag in tags]
    events = etree.iterparse(
        io.BytesIO(data), tag=names, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
    )
    try:
        for _, element in events:
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"XML: {error}"[:200]) from error


def local(element: _Element) -> str:
    """An element's name without its namespace: strict and transitional files differ only there."""
    return name_of(element.tag)


@lru_cache(maxsize=4096)  # a document has few names, and a name is asked for many times a cell
def name_of(tag: object) -> str:
    """A tag's name without its namespace."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""  # comments have no name
