"""What otclog keeps is its owner's alone: folders 0700, files 0600. Daemons refuse to start where that is not so."""

from __future__ import annotations

import stat
from pathlib import Path

from conf.settings import ConfigError, Settings

WRITERS = 0o022  # mode bits of those of group and world who may write
OTHERS = 0o077  # mode bits of group and world; as a umask: folders 0700, files 0600


def check_private(settings: Settings) -> None:
    """Raises ConfigError when others may reach the log, its claims, the ledger, the tables, alerts or messages.

    Into the folder of metrics they may not write; collectors of other users read there.
    What is not there yet is made private. Mail folders are not asked: who delivers into them may be another user.
    """
    folders = [place for place in (*settings.log.claims, settings.tables.root) if isinstance(place, Path)]
    files = [settings.ingest.ledger, settings.ingest.import_progress, settings.alerts.state]
    told = [file for file in [settings.logging.file] if file and not file.is_char_device()]  # a terminal is no file
    for path in (*settings.log.folders, *folders, *files, *told):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        mode = stat.S_IMODE(status.st_mode)
        wanted = 0o700 if stat.S_ISDIR(status.st_mode) else 0o600
        if mode & OTHERS:
            raise ConfigError(f"{path} is open to others (mode {mode:o}): chmod {wanted:o} {path}")
    if (
        (counts := settings.metrics.folder)
        and counts.exists()
        and (mode := stat.S_IMODE(counts.stat().st_mode)) & WRITERS
    ):
        raise ConfigError(f"others may write into {counts} (mode {mode:o}): chmod 750 {counts}")
