"""A host: run in a network namespace; a line of JSON in is a command of otclog's, one out what became of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from tests.namespaces import enter

OTCLOG = [sys.executable, "-c", "import sys; from otclog import main; sys.argv[0] = 'otclog'; main()"]


def main(channel: str, bootstrap: str, root: str) -> None:
    enter(int(channel), int(bootstrap.rpartition(":")[2]))
    for line in sys.stdin:
        asked = json.loads(line)
        time.sleep(asked["after_s"])
        environ = os.environ | asked["environ"]
        done = subprocess.run(
            [*OTCLOG, *asked["words"]], cwd=root, env=environ, capture_output=True, text=True, check=False
        )
        sys.stdout.write(json.dumps({"code": done.returncode, "said": done.stdout + done.stderr}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
