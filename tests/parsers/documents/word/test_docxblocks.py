from __future__ import annotations

from parsers.documents.word.docxblocks import Look, Table, parts_of
from parsers.documents.word.docxstyles import Styles

PLAIN = Look()
NO_STYLES = Styles(None)


def said(*tokens: str) -> list[object]:
    return list(parts_of(tokens, NO_STYLES))


def test_a_paragraph_has_the_text_that_can_be_seen_and_its_looks() -> None:
    (paragraph,) = said("P", "r", "t98", "r", "lV", "thidden", "r", "lS", "t.5", "n", "r", "tx")
    assert paragraph == [("98", PLAIN), (".5", Look(struck=True)), ("\n", Look(struck=True)), ("x", PLAIN)]


def test_a_table_keeps_what_its_cells_say_of_themselves() -> None:
    (table,) = said("(", "R", "k1", "C", "g2", "v", "fFF0000", "P", "ta", "C", "fauto", "P", "R", "C", "vrestart", ")")
    assert isinstance(table, Table)
    first, second = table.rows
    assert first.left_free == 1
    assert [(cell.span, cell.merge, cell.filled) for cell in first.cells] == [(2, "continue", True), (1, None, False)]
    assert second.cells[0].merge == "restart"


def test_a_table_around_a_table_and_one_of_one_column_are_what_stands_in_them() -> None:
    inner = ("(", "R", "C", "P", "t1", "C", "P", "t2", ")")
    before, table, after = said("(", "R", "C", "P", "ta", *inner, "C", "P", "tb", ")")
    assert (before, after) == ([("a", PLAIN)], [("b", PLAIN)])
    assert isinstance(table, Table)
    assert said("(", "R", "C", "P", "t1", "R", "C", "P", "t2", ")") == [[("1", PLAIN)], [("2", PLAIN)]]


def test_a_box_follows_its_paragraph_which_goes_on_behind_it() -> None:
    assert said("P", "ta", "B", "P", "tin", "b", "tb") == [[("a", PLAIN), ("b", PLAIN)], [("in", PLAIN)]]


def test_ends_without_a_beginning_and_numbers_that_are_none_are_passed_over() -> None:
    assert said(")", "b", "P", "R", "ksix", "C", "g-3", "g99999999999999", "?", "") == [[]]


def test_styles_strike_and_hide_unless_the_text_says_otherwise() -> None:
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    style = '<w:style w:type="{}" w:styleId="{}"><w:rPr><w:{}/></w:rPr></w:style>'
    styles = Styles(
        f"<w:styles {w}>{style.format('paragraph', 'gone', 'strike')}{style.format('character', 'unseen', 'vanish')}</w:styles>".encode()
    )
    (paragraph,) = parts_of(
        ["P", "pgone", "r", "ta", "r", "ls", "tb", "r", "l", "yunseen", "tc", "r", "lv", "yunseen", "td"], styles
    )
    assert paragraph == [("a", Look(struck=True)), ("b", PLAIN), ("d", Look(struck=True))]


def test_white_is_unseen_where_nothing_around_it_may_be_dark() -> None:
    def unseen(*tokens: str) -> list[bool]:
        flat: list[bool] = []
        left = list(parts_of(tokens, NO_STYLES))
        while left:
            part = left.pop(0)
            if isinstance(part, Table):
                left[:0] = [inner for row in part.rows for cell in row.cells for inner in cell.parts]
            else:
                flat += [look.unseen for _, look in part]
        return flat

    white = ("r", "lW", "tx")
    cells = ("R", "C", "P", *white, "C", "P", *white, ")")
    assert unseen("P", *white) == [True]
    assert unseen("P", "h", *white, "P", *white) == [False, True]
    assert unseen("P", "r", "lWF", "tx") == [False]
    assert unseen("(", *cells, "(", "s", *cells, "P", *white) == [True, True, False, False, True]
    assert unseen("P", "B", "P", *white, "b", *white) == [True, False]


def test_text_that_a_style_makes_white_is_unseen_unless_it_has_a_colour_of_its_own() -> None:
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    style = '<w:style w:type="paragraph" w:styleId="ghost"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>'
    styles = Styles(f"<w:styles {w}>{style}</w:styles>".encode())
    (first, second) = parts_of(["P", "pghost", "r", "ta", "r", "lw", "tb", "P", "pghost", "h", "r", "tc"], styles)
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert [look.unseen for _, look in (*first, *second)] == [True, False, False]
