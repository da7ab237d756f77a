"""The trees of errors that the docstrings of log.errors and pipelines.errors draw."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from log import errors as of_the_log
from log.errors import LogError
from pipelines import errors as of_pipelines
from pipelines.errors import PipelineError


@pytest.mark.parametrize(
    ("module", "root"), [(of_the_log, LogError), (of_pipelines, PipelineError)], ids=["log", "pipelines"]
)
def test_the_tree_that_is_drawn_is_that_of_the_classes(
    module: ModuleType, root: type[LogError | PipelineError]
) -> None:
    drawn = re.findall(r"─ (\w+) +(\(retriable\))?", module.__doc__ or "")
    classes = {
        name: kind.retriable
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, root) and kind is not root
    }
    assert {name: bool(said) for name, said in drawn} == classes
    assert len(drawn) == len(classes)
