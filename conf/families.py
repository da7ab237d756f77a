"""Families of metrics as text, in Prometheus' format, and how several become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from prometheus_client.samples import Sample

_COUNTS = frozenset({"counter", "histogram"})  # which only grow, and go on in the next process

Series = dict[tuple[str, tuple[tuple[str, str], ...]], float]
"""By a sample's name and its labels, in the order of their names."""


class Families(Collector):
    """What a registry is asked for: families that are known already."""

    def __init__(self, families: Sequence[Metric] = ()) -> None:
        self.families = families

    def collect(self) -> Sequence[Metric]:
        """See the class."""
        return self.families


def as_text(families: Sequence[Metric]) -> bytes:
    """The text of families, each of another name."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Families(families))
    return generate_latest(registry)


def from_text(text: str) -> list[Metric]:
    """The families that a text has. Raises ValueError for what is no such text."""
    return list(text_string_to_metric_families(text))


def continued(now: Iterable[Metric], before: Iterable[Metric]) -> list[Metric]:
    """The families of now; what counts goes on where it stood before, and a gauge is what it is now."""
    counted = {each.name: each for each in before if each.type in _COUNTS}
    found = []
    for each in now:
        stood = _series(counted.pop(each.name).samples) if each.name in counted else {}
        for key, value in _series(each.samples).items():
            stood[key] = stood.get(key, 0.0) + value
        found.append(_family(each, stood))
    return [*found, *counted.values()]  # of a module that this process has not loaded, or not yet


def labelled(families: Iterable[Metric], labels: Mapping[str, str]) -> list[Metric]:
    """The same families, each sample with these labels besides."""
    return [_relabelled(each, lambda own: {**own, **labels}) for each in families]


def unlabelled(families: Iterable[Metric], names: Collection[str]) -> list[Metric]:
    """The same families, no sample with a label of these names."""
    return [_relabelled(each, lambda own: {name: own[name] for name in own if name not in names}) for each in families]


def joined(families: Iterable[Metric]) -> list[Metric]:
    """One family a name, with the samples of all of them; of two that are the same sample the last one counts."""
    found: dict[str, tuple[Metric, Series]] = {}
    for each in families:
        found.setdefault(each.name, (each, {}))[1].update(_series(each.samples))
    return [_family(each, series) for each, series in found.values()]


def _series(samples: Iterable[Sample]) -> Series:
    return {(each.name, tuple(sorted(each.labels.items()))): each.value for each in samples}


def _relabelled(family: Metric, change: Callable[[dict[str, str]], dict[str, str]]) -> Metric:
    changed = (((each.name, tuple(sorted(change(each.labels).items()))), each.value) for each in family.samples)
    return _family(family, dict(changed))


def _family(like: Metric, series: Series) -> Metric:
    family = Metric(like.name, like.documentation, like.type)
    for (name, labels), value in series.items():
        family.add_sample(name, dict(labels), value)
    return family
