"""Office files are zips of XML: opening them within limits, and reading their XML without network, entities or DTD."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree
from lxml.etree import _Element

from parsers.codes import Code
from parsers.documents.budget import Budget
from parsers.documents.unreadable import DAMAGE, Unreadable

RATIO_FREE_BYTES = 16 * 2**20  # of one file: blank cells pack 500:1
MAX_FILES = 10_000
_LOCAL_HEAD = struct.Struct("<10s4s12sHH")  # before a member's name: its time second, two lengths last (APPNOTE 4.3.7)


def open_package(data: bytes, budget: Budget | None = None) -> zipfile.ZipFile:
    """The zip of an office file.

    Args:
        data: the file.
        budget: what its mail may unpack yet, of which it takes as much as it says it needs; `read_member` gives no
            more than that. By default as much as a whole mail may.

    Raises:
        Unreadable: CORRUPT_PART for no zip, ARCHIVE_LIMIT for one that unpacks beyond the limits.
    """
    try:
        package = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise Unreadable(Code.CORRUPT_PART, f"not a whole zip: {error}") from error
    files = package.infolist()
    if len(files) > MAX_FILES:
        raise Unreadable(Code.ARCHIVE_LIMIT, f"an office file of {len(files)} files")
    budget = budget or Budget()
    for file in files:
        budget.unpacked(file.file_size, file.file_size, file.compress_size, RATIO_FREE_BYTES)
    return package


def read_member(package: zipfile.ZipFile, name: str) -> bytes | None:
    """A member's bytes, or None when there is none of that name.

    Names are found in whatever case and with whatever slashes, as by office programs.

    Raises:
        Unreadable: PASSWORD_PROTECTED, CORRUPT_PART or ARCHIVE_LIMIT.
    """
    info = _info(package, name)
    if info is None:
        return None
    if info.flag_bits & 0x1:
        raise Unreadable(Code.PASSWORD_PROTECTED, "an encrypted member")
    try:
        return package.read(info)
    except DAMAGE as error:
        raise Unreadable(Code.CORRUPT_PART, f"{name[:80]!r}: {error}") from error
    except MemoryError as error:  # LZMA says itself how much it needs
        raise Unreadable(Code.ARCHIVE_LIMIT, f"{name[:80]!r} needs too much memory to unpack") from error


def _info(package: zipfile.ZipFile, name: str) -> zipfile.ZipInfo | None:
    info = package.NameToInfo.get(name)
    if info is None:
        folded = _folded(name)
        info = next((item for item in package.infolist() if _folded(item.filename) == folded), None)
    return info


def packed_member(package: zipfile.ZipFile, name: str, data: bytes) -> tuple[object, ...] | None:
    """All that `read_member` goes by, as it stands in the file: where it is the same, so is what is read.

    Args:
        package: of these `data`.
        name: as there.
        data: the file.

    Returns:
        A key; None where there is no such member, or none at its place.
    """
    info = _info(package, name)
    if info is None or info.header_offset < 0:
        return None
    head = data[info.header_offset : info.header_offset + _LOCAL_HEAD.size]
    if len(head) < _LOCAL_HEAD.size:
        return None
    before, _, after, name_bytes, extra_bytes = _LOCAL_HEAD.unpack(head)  # nothing depends on the time
    begin = info.header_offset + _LOCAL_HEAD.size
    packed = data[begin : begin + name_bytes + extra_bytes + info.compress_size]
    said = (info.orig_filename, info.flag_bits, info.compress_type, info.compress_size, info.file_size, info.CRC)
    return before, after, name_bytes, extra_bytes, packed, *said


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
