"""conf.families"""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric

from conf.families import as_text, continued, from_text, joined, labelled, unlabelled


def families(mails: int, waiting: float = 0.0, seconds: tuple[float, ...] = ()) -> list[Metric]:
    registry = CollectorRegistry()
    Counter("x_mails_total", "Mails.", ["source"], registry=registry).labels("a\nb").inc(mails)
    Gauge("x_waiting", "Files.", registry=registry).set(waiting)
    histogram = Histogram("x_seconds", "Seconds.", buckets=(0.1, 1.0), registry=registry)
    for each in seconds:
        histogram.observe(each)
    return list(registry.collect())


def values(found: list[Metric]) -> dict[str, float]:
    """By name and the bucket's edge; times of making are not written."""
    samples = (sample for each in found for sample in each.samples if not sample.name.endswith("_created"))
    return {sample.name + sample.labels.get("le", ""): sample.value for sample in samples}


def test_a_text_says_what_the_families_do() -> None:
    before = families(3, 2.0, (0.5,))
    assert values(from_text(as_text(before).decode())) == values(before)


def test_what_counts_goes_on_and_a_gauge_is_that_of_now() -> None:
    found = continued(families(3, 2.0, (0.5, 5.0)), families(4, 9.0, (0.05,)))
    assert values(found) == {
        "x_mails_total": 7.0,
        "x_waiting": 2.0,
        "x_seconds_bucket0.1": 1.0,
        "x_seconds_bucket1.0": 2.0,
        "x_seconds_bucket+Inf": 3.0,
        "x_seconds_count": 3.0,
        "x_seconds_sum": 5.55,
    }


def test_what_this_process_has_not_counted_yet_stays_as_it_was() -> None:
    found = continued([], families(4, 9.0))
    assert values(found)["x_mails_total"] == 4.0
    assert "x_waiting" not in values(found)


def test_labels_are_added_and_taken_away_again() -> None:
    plain = families(3)
    ours = labelled(plain, {"unit": 'a "unit"', "slot": "0"})
    (sample,) = next(each for each in from_text(as_text(ours).decode()) if each.name == "x_mails").samples
    assert sample.labels == {"source": "a\nb", "unit": 'a "unit"', "slot": "0"}
    assert as_text(unlabelled(ours, ("unit", "slot"))) == as_text(plain)


def test_families_of_several_files_become_one_of_a_name() -> None:
    both = [*labelled(families(3), {"unit": "a"}), *labelled(families(4), {"unit": "b"})]
    found = joined(both)
    assert [each.name for each in found] == ["x_mails", "x_waiting", "x_seconds"]
    assert sorted(
        (sample.labels["unit"], sample.value) for sample in found[0].samples if sample.name == "x_mails_total"
    ) == [
        ("a", 3.0),
        ("b", 4.0),
    ]


@pytest.mark.parametrize("text", ["x_total{", '# TYPE x counter\nx_total{a="b"} no'])
def test_what_is_no_such_text_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_text(text)
