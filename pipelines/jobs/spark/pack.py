"""A pack: otclog and all that it needs but Python itself, as one archive that Spark unpacks beside each executor.

otclog-cp311.tar.gz
  bin/python          what Spark starts; says so where the machine has not the Python that the pack was made for
  bin/python3.11      a link to that one, beside which Python finds pyvenv.cfg, and so lib/
  bin/otclog          the commands, for a driver on a machine without a checkout
  lib/python3.11/…    the packages, as requirements.lock names them
otclog-cp311.tar.gz.sha256    its digest, as sha256sum writes it
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from conf.printable import said
from pipelines.errors import SparkUnusable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "otclog"  # of the folder that it is unpacked into
SHA256 = "spark.otclog.packSha256"  # in a session's configuration: of the pack that it sends
PYTHON = f"./{NAME}/bin/python"  # from where an executor runs

_AGAIN = "make it again by scripts/pack"


def digest_file(pack: Path) -> Path:
    """Where its digest stands."""
    return pack.with_name(f"{pack.name}.sha256")


def sha256_of(file: Path) -> str:
    """In hex. Raises OSError."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def shipped_pack(session: SparkSession) -> str | None:
    """SHA-256, hex, of what the session has sent to its workers; None where none was sent.

    The file may be another one by now: a session that follows a log lives for days.
    """
    return session.sparkContext.getConf().get(SHA256)


def pack_digest(pack: Path) -> str:
    """SHA-256 of the archive, hex, as it is and as it was made. Raises SparkUnusable for one that is not whole."""
    try:
        found, told = sha256_of(pack), digest_file(pack).read_text("utf-8").partition(" ")[0]
    except (OSError, UnicodeDecodeError) as error:
        raise SparkUnusable(f"[spark] pack: {said(error)}; {_AGAIN}") from error
    if found != told:
        raise SparkUnusable(f"[spark] pack: {pack} is not what scripts/pack made (cut off? another's?): {_AGAIN}")
    return found
