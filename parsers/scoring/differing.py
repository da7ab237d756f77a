"""Two lines of the gold form that differ, or one without another: of a truth and found, or of before and now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from parsers.scoring.pairing import NAMES, Line


class Differing(Struct, frozen=True):
    """A pair, of which one may be absent."""

    kind: str
    truth: Line | None  # or what was found before
    found: Line | None
    fields: tuple[str, ...]  # that differ; of one line alone those that are told

    @property
    def line(self) -> Line:
        """The truth, else what was found."""
        return self.truth or self.found or {}

    @property
    def instrument(self) -> str | None:
        """Its identifier or description."""
        return next((str(self.line[name]) for name in NAMES if self.line.get(name)), None)

    def __str__(self) -> str:
        """`missing ABC 5 30: price_pct 98/99`; of a pair what is other: `false ABC 5 30: bid 89`."""
        levels = "/".join(str(self.line[name]) for name in ("bid", "ask", "mid") if name in self.line)
        others = ", ".join(f"{name} {(self.found or {}).get(name, 'nothing')}" for name in self.fields)
        what = others if self.truth and self.found else f"{self.line.get('quote_type')} {levels}"
        return f"{self.kind} {self.instrument}: {what}"


def row_of(mail: str, one: Differing, names: tuple[str, str], beside: Iterable[Line] = ()) -> dict[str, object]:
    """For a program: its kind, where it stands, and each field on both sides.

    Args:
        mail: its file.
        one: the pair.
        names: what to call the two sides.
        beside: lines of the same mail, which may have the text of a line that the truth does not have.
    """
    sides = [line for line in (one.truth, one.found) if line]
    placed = next((line for line in sides if place(line)), one.line)
    texts = [*sides, *(line for line in beside if _is_beside(line, placed))]
    return {
        "kind": one.kind,
        "of": one.line.get("kind"),
        "mail": mail,
        "part_path": placed.get("part_path"),
        "place": place(placed),
        "instrument": one.instrument,
        "raw_text": next((line["raw_text"] for line in texts if line.get("raw_text")), None),
        "fields": [{"name": name} | _values(one, name, names) for name in one.fields if _values(one, name, names)],
    }


def place(line: Line) -> str | None:
    """Where it stands in its part: `EUR IG!D17`, `page 2 row 31`, `line 8`; of a refusal its locator."""
    if line.get("cell"):
        return f"{line['sheet']}!{line['cell']}" if line.get("sheet") else str(line["cell"])
    names = {"sheet": "", "page": "page ", "table_idx": "table ", "row": "row ", "line": "line "}
    return line.get("locator") or " ".join(f"{said}{line[name]}" for name, said in names.items() if line.get(name))


def told(row: Mapping[str, Any], one: Differing, names: tuple[str, str]) -> dict[str, object]:
    """The row of a pair for people: one text says where it stands, one what differs."""
    is_pair = one.truth is not None and one.found is not None
    where = " ".join(filter(None, (f"part {row['part_path']}" if row["part_path"] else "", row["place"])))
    return {
        "kind": row["kind"],
        "mail": row["mail"],
        "place": where,
        "instrument": row["instrument"],
        "fields": "; ".join(_change(each, names, is_pair=is_pair) for each in row["fields"]),
        "text": row["raw_text"],
    }


def _change(field: Mapping[str, Any], names: tuple[str, str], *, is_pair: bool) -> str:
    before, after = ("nothing" if field[name] is None else field[name] for name in names)
    return f"{field['name']} {f'{before} → {after}' if is_pair else after if field[names[0]] is None else before}"


def _values(one: Differing, name: str, names: tuple[str, str]) -> dict[str, object]:
    """Of both sides; nothing where neither has the field."""
    values = [(line or {}).get(name) for line in (one.truth, one.found)]
    return dict(zip(names, values, strict=True)) if any(value is not None for value in values) else {}


def _is_beside(line: Line, other: Line) -> bool:
    """Whether it is of the same line or row."""
    if line.get("part_path") != other.get("part_path"):
        return False
    where = place(other)
    if line.get("kind") == "reject":
        return bool(where) and str(place(line)).endswith(str(where))
    same = [line.get(name) == other.get(name) for name in ("sheet", "page", "row", "line")]
    return all(same) and any(other.get(name) for name in ("row", "line"))
