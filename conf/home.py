"""A home for otclog's data: a folder with settings for the user's own mail folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from conf.loader import PACKAGED
from conf.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

_TEMPLATE = """\
# The settings of this otclog home. Only what differs from the defaults; every setting, with its default, is in
# {defaults}

[log]
# Each replica is a full copy: put them on different disks.
replicas = ["log/replica-1", "log/replica-2", "log/replica-3"]
"""
_SOURCE = """
[[ingest.sources]]
path = {path}
kind = "{kind}"
# done = "move"  # with a mail's file, once the log has the mail: delete (the default), move (to done/), or keep
"""


def make_home(home: Path, mails: Sequence[Path] = ()) -> Path:
    """Make `home` (mode 0700) with its otclog.toml; `mails` are Maildirs or drop folders. Returns the file's path.

    Without any, a Maildir is made inside the home. Raises ConfigError when the home has settings already.
    """
    file = home / "otclog.toml"
    if file.exists():
        raise ConfigError(f"{file}: is there already; edit it, or name another folder")
    for mail in mails:
        if not mail.is_dir():
            raise ConfigError(f"{mail}: no such folder; name the Maildir or drop folder that your mail arrives in")
    folders = [mail.resolve() for mail in mails] or [home / "mail"]  # as the settings name it, wherever they are read
    for folder in folders:
        if home.resolve().is_relative_to(folder.resolve()):
            raise ConfigError(f"{home} is in {folder}, whose files are taken for mail: name a folder outside of it")
    home.parent.mkdir(parents=True, exist_ok=True)
    home.mkdir(mode=0o700, exist_ok=True)
    if not mails:
        for name in ("", "tmp", "new", "cur"):
            (folders[0] / name).mkdir(mode=0o700, exist_ok=True)  # some are there if an earlier one was cut off
    shown = [(str(folder) if mails else "mail", folder) for folder in dict.fromkeys(folders)]
    sources = (_SOURCE.format(path=_toml_string(name), kind=kind_of(folder)) for name, folder in shown)
    text = "".join([_TEMPLATE.format(defaults=PACKAGED), *sources])
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:  # noqa: PTH123 -- opened 0600 from the first byte
        out.write(text)
    return file


def kind_of(folder: Path) -> Literal["maildir", "drop"]:
    """What a mail folder is taken for, by what is in it."""
    return "maildir" if (folder / "new").is_dir() else "drop"


def _toml_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
