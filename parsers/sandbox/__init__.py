"""Parsing in a warm child process that can be killed, and whose answers are checked before they are believed.

What stands: limits on CPU, memory, open files and bytes written to files, and for root a network without anything
in it (`walls`), a filter of system calls (`seccomp`), an empty environment, deadlines, framed answers. What does
not: a reader that a document has taken over can read what its user may, and send it nowhere but to its parent.
"""

from parsers.sandbox.options import SandboxOptions, SandboxSettings
from parsers.sandbox.sandbox import Sandbox

__all__ = ["Sandbox", "SandboxOptions", "SandboxSettings"]
