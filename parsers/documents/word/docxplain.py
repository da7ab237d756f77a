"""Plain cells of a Word file made short before its XML is parsed: most cells of a sheet hold a text and no more.

Such a cell is six elements, of which a tree and its walk cost more than all else that is done with the file. Here it
becomes one of our own. What stands for one is spelled out, attribute by attribute, as Word and python-docx write it;
any other cell, and any other file, stays as it is. So what was no XML still is none.
"""

from __future__ import annotations

import re

_HEAD = re.compile(
    rb"(?:<\?xml[^<>]*\?>)?\s*"
    rb'<w:document [^<>]*xmlns:w="http://schemas\.openxmlformats\.org/wordprocessingml/2006/main"[^<>]*>\s*'
)
_BODY = b"<w:body>"
_OTHER_XML = (b"<!", b"<?", b"xmlns")  # where these stand, the same characters may be something else
_WIDTH = rb'<w:tcW (?:w:type="[a-z]+" w:w="\d+"|w:w="\d+" w:type="[a-z]+")/>'
_EDITED = rb'(?: w:rsidR="\w{8}")?(?: w:rsidRPr="\w{8}")?'
_PLAIN = re.compile(
    rb"<w:tc>(?:<w:tcPr>" + _WIDTH + rb"</w:tcPr>)?"
    rb"<w:p(?:>|" + _EDITED + rb'(?: w:rsidRDefault="\w{8}")?(?: w:rsidP="\w{8}")?>)'
    rb"<w:r(?:>|" + _EDITED + rb">)"
    rb'<w:t(?:>| xml:space="preserve">)([^<&\]]+)</w:t></w:r></w:p></w:tc>'
)


def with_short_cells(xml: bytes) -> bytes:
    """A word/document.xml with `<w:c>text</w:c>`, which no file has of itself, for each plain cell."""
    head, begin, body = xml.partition(_BODY)
    if _HEAD.fullmatch(head) is None:
        return xml
    pieces = _PLAIN.split(body)  # each second one is a text
    pieces[1::2] = [b"<w:c>%b</w:c>" % text for text in pieces[1::2]]
    short = b"".join(pieces)
    return xml if any(other in short for other in _OTHER_XML) else head + begin + short
