"""Parsing in a warm child process that can be killed, and whose answers are checked before they are believed.

What stands: limits on CPU, memory, open files and bytes written to files, an empty environment, deadlines, framed
answers. What does not: system calls are not filtered yet, so a reader that a document has taken over can still open
sockets, read whatever its user may, and as root start processes. `walls` has the list.
"""

from parsers.sandbox.options import SandboxOptions, SandboxSettings
from parsers.sandbox.sandbox import Sandbox

__all__ = ["Sandbox", "SandboxOptions", "SandboxSettings"]
