"""What a benchmark was measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine(*libraries: str) -> str:
    """Cores, load, system, Python, and the libraries that were measured, as the caller names them."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
    cores = f"{os.cpu_count()} cores ({model})"
    load = f"load {os.getloadavg()[0]:.1f}"
    return ", ".join((cores, load, platform.platform(), f"Python {platform.python_version()}", *libraries))
