"""Parsing behind a wall: a warm child process that can be killed, and what it says checked before it is believed."""

from parsers.sandbox.options import SandboxOptions, SandboxSettings
from parsers.sandbox.sandbox import Sandbox

__all__ = ["Sandbox", "SandboxOptions", "SandboxSettings"]
