"""The body of a word/document.xml as a stream of short tokens, made inside libxslt: no Python object for each element.

A cell has half a dozen elements, and an object for each of them costs more than all else that is done with it. A token
is a letter and what it says:

    (  )        a table begins, ends; where its style may shade it, next: s
    R           a row; where it leaves columns free at its left, next: k number
    C           a cell; where it has one, next: g span, v merge (nothing is `continue`), f fill
    c text      a cell of one paragraph with this text that looks as its paragraph does
    P           a paragraph; where it has one, next: p style, h shade
    B  b        a text box begins, ends: what stands in between follows the paragraph that it hangs on
    r           text that looks as its paragraph does; where it differs, next: l marks (S struck, D twice, V hidden,
                B bold, U raised, W white, small where it is expressly not, F on a shade), y style
    t text, n   text, the end of a line in it

Deleted text and rows, hidden rows, the codes of fields, and what is there for older programs are left out. Text that
only a view as a web page hides (`w:webHidden`; ISO/IEC 29500-1, 17.3.2.44) is there: on paper, and in Word, it is seen.
"""

from __future__ import annotations

from lxml import etree

from parsers.codes import Code
from parsers.documents.package import parse_xml
from parsers.documents.unreadable import Unreadable
from parsers.documents.word.docxplain import with_short_cells

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STRICT_W = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_END = "\x7f"  # of a token: a control character that XML allows and no text has
_OFF = "@w:val = '0' or @w:val = 'false' or @w:val = 'off' or @w:val = 'none'"
_WHITE = "@w:val = 'FFFFFF' or @w:val = 'ffffff'"
_BEFORE = "w:rPrChange | w:pPrChange | w:tblPrChange | w:trPrChange | w:tcPrChange"  # how it was, in tracked changes
_LOOKS = (("strike", "S"), ("dstrike", "D"), ("vanish", "V"), ("b", "B"))


def _look(name: str, letter: str) -> str:
    return f"""
  <xsl:template mode="look" match="w:{name}">{letter}</xsl:template>
  <xsl:template mode="look" match="w:{name}[{_OFF}]">{letter.lower()}</xsl:template>"""


# Patterns alone, for an XPath expression costs as much as ten of them.
_SHEET = f"""
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:w="{_W}"
  xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
  xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">
  <xsl:output method="text"/>
  <xsl:template match="text()"/>
  <xsl:template match="w:del | w:moveFrom | w:instrText | w:delText | w:rt | mc:Fallback | w:pPr/w:rPr"/>
  <xsl:template match="{_BEFORE}"/>
  <xsl:template mode="look" match="{_BEFORE}"/>
  <xsl:template match="w:tbl">({_END}<xsl:apply-templates/>){_END}</xsl:template>
  <xsl:template match="w:tblStyle">s{_END}</xsl:template>
  <xsl:template match="w:tblStyle[@w:val = 'TableGrid' or @w:val = 'TableNormal']"/>
  <xsl:template match="w:tr">R{_END}<xsl:apply-templates/></xsl:template>
  <xsl:template match="w:tr[w:trPr/w:del or w:trPr/w:hidden[not({_OFF})]]" priority="1"/>
  <xsl:template match="w:gridBefore">k<xsl:value-of select="@w:val"/>{_END}</xsl:template>
  <xsl:template match="w:tc">C{_END}<xsl:apply-templates/></xsl:template>
  <xsl:template match="w:c">c<xsl:apply-templates mode="text"/>{_END}</xsl:template>
  <xsl:template match="w:gridSpan">g<xsl:value-of select="@w:val"/>{_END}</xsl:template>
  <xsl:template match="w:vMerge">v<xsl:value-of select="@w:val"/>{_END}</xsl:template>
  <xsl:template match="w:tcPr/w:shd">f<xsl:value-of select="@w:fill"/>{_END}</xsl:template>
  <xsl:template match="w:p">P{_END}<xsl:apply-templates/></xsl:template>
  <xsl:template match="w:pStyle">p<xsl:value-of select="@w:val"/>{_END}</xsl:template>
  <xsl:template match="w:pPr/w:shd">h{_END}</xsl:template>
  <xsl:template match="w:txbxContent">B{_END}<xsl:apply-templates/>b{_END}</xsl:template>
  <xsl:template match="w:r">r{_END}<xsl:apply-templates/></xsl:template>
  <xsl:template match="w:rPr">l<xsl:apply-templates mode="look"/>{_END}<xsl:apply-templates/></xsl:template>
  <xsl:template mode="look" match="text()"/>{"".join(_look(*mark) for mark in _LOOKS)}
  <xsl:template mode="look" match="w:vertAlign">u</xsl:template>
  <xsl:template mode="look" match="w:vertAlign[contains(@w:val, 'script')]" priority="1">U</xsl:template>
  <xsl:template mode="look" match="w:color[{_WHITE}]">W</xsl:template>
  <xsl:template mode="look" match="w:color">w</xsl:template>
  <xsl:template mode="look" match="w:shd | w:highlight">F</xsl:template>
  <xsl:template mode="look" match="w:position[@w:val &gt; 0]">U</xsl:template>
  <xsl:template match="w:rStyle">y<xsl:value-of select="@w:val"/>{_END}</xsl:template>
  <xsl:template match="w:t | m:t">t<xsl:apply-templates mode="text"/>{_END}</xsl:template>
  <xsl:template match="w:r/w:tab | w:ptab">t&#9;{_END}</xsl:template>
  <xsl:template match="w:noBreakHyphen">t-{_END}</xsl:template>
  <xsl:template match="w:br | w:cr">n{_END}</xsl:template>
</xsl:stylesheet>"""
_to_tokens = etree.XSLT(etree.XML(_SHEET))


def tokens(xml: bytes) -> list[str]:
    """Of a word/document.xml; strict files are read as the others, from which they differ in the namespace alone.

    Raises:
        Unreadable: CORRUPT_PART.
    """
    root = parse_xml(with_short_cells(xml.replace(_STRICT_W, _W.encode())))
    try:
        return str(_to_tokens(root)).split(_END)[:-1]
    except etree.XSLTApplyError as error:
        raise Unreadable(Code.CORRUPT_PART, f"XML: {error}"[:200]) from error
