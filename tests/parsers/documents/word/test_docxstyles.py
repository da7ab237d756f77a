from __future__ import annotations

import io
import zipfile

import pytest

from parsers.codes import Code
from parsers.documents.unreadable import Unreadable
from parsers.documents.word.docxstyles import Styles, read_styles

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def style(name: str, marks: str, above: str = "", kind: str = "paragraph", default: str = "0") -> str:
    return (
        f'<w:style w:type="{kind}" w:styleId="{name}" w:default="{default}">'
        + (f'<w:basedOn w:val="{above}"/>' if above else "")
        + f"<w:rPr>{marks}</w:rPr></w:style>"
    )


def styles(*made: str) -> Styles:
    return Styles(f'<w:styles xmlns:w="{W}">{"".join(made)}</w:styles>'.encode())


def test_a_style_strikes_through_and_hides() -> None:
    both = styles(
        style("a", "<w:strike/>"), style("b", "<w:dstrike/>"), style("c", "<w:vanish/>"), style("d", "<w:b/>")
    )
    assert [both.look(name, "") for name in "abcd"] == [
        (True, False, False),
        (True, False, False),
        (False, True, False),
        (False, False, False),
    ]


def test_a_style_has_what_the_one_it_is_based_on_says_unless_it_says_otherwise() -> None:
    made = styles(style("a", "<w:strike/>"), style("b", "", "a"), style("c", '<w:strike w:val="0"/>', "a"))
    assert [made.look(name, "")[0] for name in "abc"] == [True, True, False]


def test_styles_of_paragraph_and_text_turn_each_other_round() -> None:
    made = styles(style("p", "<w:strike/>"), style("t", "<w:strike/>", kind="character"))
    assert [made.look("p", ""), made.look("", "t"), made.look("p", "t")] == [
        (True, False, False),
        (True, False, False),
        (False, False, False),
    ]


def test_a_style_of_text_raises_it_whatever_that_of_its_paragraph_says() -> None:
    made = styles(
        style("note", '<w:vertAlign w:val="superscript"/>', kind="character"),
        style("based", "", "note", kind="character"),
        style("flat", '<w:vertAlign w:val="baseline"/>', "note", kind="character"),
        style("high", '<w:vertAlign w:val="superscript"/>'),
        style("low", '<w:vertAlign w:val="subscript"/>'),
    )
    raised = [
        made.look(*names)[2] for names in (("", "note"), ("low", ""), ("", "based"), ("high", ""), ("high", "flat"))
    ]
    assert raised == [True, True, True, True, False]


def test_a_paragraph_without_a_style_has_the_default_one() -> None:
    assert styles(style("Normal", "<w:vanish/>", default="1")).look("", "") == (False, True, False)


def test_styles_in_circles_and_unknown_ones_say_nothing() -> None:
    made = styles(style("a", "", "b"), style("b", "", "a"), style("c", "<w:strike/>"))
    assert made.look("a", "") == made.look("nowhere", "") == (False, False, False)


def packed(xml: str | None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        if xml is not None:
            package.writestr("word/styles.xml", xml)
    return out.getvalue()


def read(data: bytes) -> Styles:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return read_styles(package, data)


def test_a_package_may_have_no_styles_and_damaged_ones_are_corrupt() -> None:
    assert read(packed(None)).look("a", "b") == (False, False, False)
    with pytest.raises(Unreadable) as refused:
        read(packed("<w:styles><w:strike/>"))
    assert refused.value.code is Code.CORRUPT_PART


def test_styles_that_were_there_before_are_not_read_again_and_damage_to_them_is_seen() -> None:
    data = packed(f'<w:styles xmlns:w="{W}">{style("a", "<w:strike/>")}</w:styles>')
    first = read(data)
    assert first.look("a", "") == (True, False, False)
    assert read(data) is first
    for whole, damaged in ((b"<w:strike/>", b"<w:vanis/h>"), (b"word/styles.xml", b"word/stylet.xml")):
        with pytest.raises(Unreadable) as refused:
            read(data.replace(whole, damaged, 1))
        assert refused.value.code is Code.CORRUPT_PART


def test_what_all_of_a_file_is_no_style_turns_round() -> None:
    whole = "<w:docDefaults><w:rPrDefault><w:rPr><w:strike/></w:rPr></w:rPrDefault></w:docDefaults>"
    assert [styles(whole, style("a", "<w:strike/>")).look(name, "")[0] for name in ("", "a")] == [True, True]


def test_a_style_makes_white_unless_it_shades_or_another_colours() -> None:
    white = '<w:color w:val="FFFFFF"/>'
    made = styles(
        style("a", white),
        style("b", "", "a"),
        style("c", '<w:color w:val="000000"/>', "a"),
        style("d", '<w:shd w:fill="000000"/>', "a"),
        style("t", white, kind="character"),
        style("u", '<w:color w:val="auto"/>', kind="character"),
    )
    assert [made.white(name, "") for name in "abcd"] == [True, True, False, False]
    assert [made.white(*names) for names in (("", "t"), ("c", "t"), ("a", "u"), ("d", "t"))] == [
        True,
        True,
        False,
        False,
    ]
