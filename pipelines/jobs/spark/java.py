"""The Java that Spark's JVM is started with: the one of JAVA_HOME, else the first on the PATH."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from conf.printable import said
from pipelines.errors import SparkUnusable

OLDEST = 17  # that Spark runs on

_ADVICE = f"apt-get install openjdk-{OLDEST}-jre-headless, or let JAVA_HOME name one"
_OPTIONS = "JAVA_TOOL_OPTIONS"  # are meant for the JVM that does the work, and may have it write files


def check_java() -> int:
    """Its major version. Raises SparkUnusable where there is none, or an older one than Spark runs on."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    if shutil.which(java) is None:
        raise SparkUnusable(f"{java}: not found; {_ADVICE}")
    environment = {name: value for name, value in os.environ.items() if name != _OPTIONS}
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, check=True, env=environment)
    except (OSError, subprocess.SubprocessError) as error:
        raise SparkUnusable(f"{java} does not run: {said(error)}; {_ADVICE}") from error
    version = int(match.group(1)) if (match := re.search(r'version "(\d+)', done.stderr)) else 0
    if version < OLDEST:
        raise SparkUnusable(f"{java}: version {version}, and {OLDEST} or later is needed; {_ADVICE}")
    return version
