from __future__ import annotations

from parsers.scoring.corpus import Case, Report, report, scored
from parsers.scoring.page import page, percent, plot_svg

META = {"kind": "meta", "formats": ["text"], "asset_classes": ["corp_hy"], "language": "en"}
QUOTE = {"kind": "quote", "description": "ABC 5 30", "quote_type": "price_pct", "bid": "98", "ask": "99"}
REFUSAL = {"kind": "reject", "level": "part", "part_path": "2", "code": "IMAGE_ONLY"}


def made() -> Report:
    good = Case("good", META, (QUOTE, REFUSAL))
    silent = Case("silent", META | {"language": "de"}, ())
    return report([scored(good, [QUOTE, REFUSAL]), scored(silent, [QUOTE | {"bid": "7"}])])


def test_the_page_has_every_figure_with_its_count_and_what_is_wrong() -> None:
    text = page(made(), corpus="2 mails", version="1", command="otclog score gold", plot="p.svg")
    assert "| all | 1 | 100.00 % | 100.00 % | 100.00 % | 50.00 % |" in text
    assert "![Exact rows by asset class](p.svg)" in text
    assert "- silent: false ABC 5 30: price_pct 7/99" in text
    assert percent(None) == "n/a"


def test_the_plot_has_a_bar_for_each_class() -> None:
    drawn = plot_svg(made())
    assert drawn.count("<rect") == 2
    assert "corp_hy" in drawn
