"""CPU of text without quotes, by its kind: µs a byte of `parse_mail`, in turn with another checkout if one is named.

usage: .venv/bin/python -m benchmarks.plain_text [--runs 5] [--kb 120] [--seed 1] [--against CHECKOUT] [FOLDER ...]

Lines of logs, hashes, base64, UUIDs, timestamps, headers of mail and program text, made from the seed, and the mails of
the folders named. Each run is a process of its own for each checkout, in turn, so that both have the same machine; a
price is read before the clock starts. The ratio of the medians is what holds; the figures are the machine's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import uuid
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.machine import machine

HERE = Path(__file__).resolve().parents[1]
HEADER = b"From: a@desk.example\nSubject: output\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
PRICE = b"XYZ 5 03/15/34 98.25/98.75\n"
TIMED = """
import json, sys, time
from parsers.parse import parse_mail
kinds = {kind: [bytes.fromhex(mail) for mail in mails] for kind, mails in json.load(sys.stdin).items()}
parse_mail(bytes.fromhex(sys.argv[1]))
for kind, mails in kinds.items():
    started = time.process_time()
    for mail in mails:
        parse_mail(mail)
    print(json.dumps([kind, 1e6 * (time.process_time() - started) / sum(map(len, mails))]))
"""


def _log(draw: random.Random) -> str:
    at, task, host = draw.randrange(86_400), draw.randrange(400), draw.randrange(50)
    said = draw.choice(
        (
            f"Finished task {task}.0 in stage 12.0 in {draw.randrange(4000)} ms on executor 3 ({task}/400)",
            f"GET /a/{task} HTTP/1.1 {draw.choice((200, 304, 404))} {draw.randrange(9999)}",
            f"heap {draw.randrange(900)}.{draw.randrange(9)} MB of 1024, {draw.randrange(90)} threads",
        )
    )
    clock = f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02},{draw.randrange(1000):03}"
    return f"2026-11-23 {clock} INFO [worker-{draw.randrange(9)}] host-{host}.example: {said}"


def _header(draw: random.Random) -> str:
    server, clock = f"[10.0.{draw.randrange(255)}.{draw.randrange(255)}]", f"10:{draw.randrange(60):02}:07 +0000"
    queue = f"{draw.getrandbits(48):012X}"
    return f"Received: from m{draw.randrange(9)}.example ({server}) by b with SMTP id {queue}; 23 Nov 2026 {clock}"


def _program(draw: random.Random) -> str:
    name = "_".join(draw.choice(("read", "frame", "offset", "batch", "index", "size")) for _ in range(2))
    return draw.choice(
        (f"    self.{name} = {draw.randrange(99)}", f"    if len({name}) > 2:", f"def {name}(self) -> int:")
    )


KINDS: dict[str, Callable[[random.Random], str]] = {
    "hashes": lambda draw: f"note {draw.getrandbits(240):060x}",
    "logs": _log,
    "base64": lambda draw: b64encode(draw.randbytes(57)).decode(),
    "UUIDs": lambda draw: f"id {uuid.UUID(int=draw.getrandbits(128))}",
    "timestamps": lambda draw: f"2026-11-{draw.randrange(1, 30):02}T10:{draw.randrange(60):02}:07Z event tick",
    "headers of mail": _header,
    "program text": _program,
}


def mails_of(kind: Callable[[random.Random], str], size: int, seed: int) -> list[bytes]:
    """One mail of that many bytes and little more."""
    draw, lines, length = random.Random(seed), [], 0  # noqa: S311  no secret
    while length < size:
        lines.append(kind(draw))
        length += len(lines[-1]) + 1
    return [HEADER + "\n".join(lines).encode() + b"\n"]


def timed(checkout: Path, given: str) -> Iterator[tuple[str, float]]:
    """µs a byte of each kind, in a process that reads with the parsers of a checkout."""
    surroundings = {**os.environ, "PYTHONPATH": str(checkout)}
    said = subprocess.run(
        [sys.executable, "-P", "-c", TIMED, (HEADER + PRICE).hex()],
        input=given, capture_output=True, text=True, check=True, cwd=checkout, env=surroundings,
    )  # fmt: skip
    yield from (tuple(json.loads(line)) for line in said.stdout.splitlines())


def table(taken: list[dict[str, list[float]]]) -> Iterator[str]:
    """Markdown: the median of each kind and its spread, of this checkout and of the other, and how they compare."""
    yield "| µs a byte, median (spread) | here | there | ratio |\n|---|---|---|---|"
    for kind in taken[0]:
        shown = [f"{statistics.median(of[kind]):.2f} ({min(of[kind]):.2f} to {max(of[kind]):.2f})" for of in taken]
        medians = [statistics.median(of[kind]) for of in taken]
        other = f"{shown[1]} | {medians[0] / medians[1]:.2f}" if len(taken) > 1 else " | "
        yield f"| {kind} | {shown[0]} | {other} |"


def of_folders(folders: Iterable[Path]) -> dict[str, list[bytes]]:
    """The mails of each folder."""
    return {folder.name: [path.read_bytes() for path in sorted(folder.glob("*.eml"))] for folder in folders}


def main() -> None:
    """Run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="of .eml files")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kb", type=int, default=120, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", type=Path, help="another checkout, whose parsers are run in turn")
    args = parser.parse_args()
    given = {kind: mails_of(make, 1000 * args.kb, args.seed) for kind, make in KINDS.items()} | of_folders(args.folders)
    mails = json.dumps({kind: [mail.hex() for mail in of] for kind, of in given.items()})
    checkouts = [HERE, *([args.against.resolve()] if args.against else [])]
    print(f"{args.runs} runs of {args.kb} kB a kind, seed {args.seed}; {machine()}\n", flush=True)
    taken: list[dict[str, list[float]]] = [{kind: [] for kind in given} for _ in checkouts]
    for _ in range(args.runs):
        for checkout, of in zip(checkouts, taken, strict=True):
            for kind, cost in timed(checkout, mails):
                of[kind].append(cost)
    print("\n".join(table(taken)), flush=True)


if __name__ == "__main__":
    main()
