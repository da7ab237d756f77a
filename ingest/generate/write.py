"""Generated mails into a folder, with their truth beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ingest.generate.compose import compose

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TRUTH = "truth.jsonl"


def generate(out: Path, mails: int, seed: int = 1) -> Iterator[int]:
    """Write the mails of the seed from the first on; yields the number of quotes in each as it is written.

    A Maildir (a folder that has `new/`) gets them there, each by a rename as the protocol asks, and the truth at its
    root, where no watcher takes it for a mail. Any other folder becomes a gold corpus: each mail's truth is also
    beside it as CASE.jsonl, which the scorer reads.
    """
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    maildir = (out / "new").is_dir()
    folder, draft = (out / "new", out / "tmp") if maildir else (out, out)
    draft.mkdir(mode=0o700, exist_ok=True)
    with (out / TRUTH).open("w", encoding="utf-8") as truth:
        for number in range(mails):
            mail = compose(seed, number)
            written = draft / f".{mail.case}"
            written.write_bytes(mail.raw)
            written.rename(folder / f"{mail.case}.eml")
            lines = "".join(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in mail.lines)
            truth.write(lines)
            if not maildir:
                (folder / f"{mail.case}.jsonl").write_text(lines, encoding="utf-8")
            yield len(mail.lines) - 1
