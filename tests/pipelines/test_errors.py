"""pipelines.errors"""

from __future__ import annotations

import re

from pipelines import errors
from pipelines.errors import PipelineError


def test_the_tree_that_is_drawn_is_that_of_the_classes() -> None:
    drawn = re.findall(r"─ (\w+) +(\(retriable\))?", errors.__doc__ or "")
    classes = {
        name: kind.retriable
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, PipelineError) and kind is not PipelineError
    }
    assert {name: bool(said) for name, said in drawn} == classes
    assert len(drawn) == len(classes)
