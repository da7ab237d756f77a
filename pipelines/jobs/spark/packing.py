"""Makes a pack (`pack.py`) of the packages that this environment has of requirements.lock, and of a wheel of otclog.

usage: python -m pipelines.jobs.spark.packing [--node FILE] [--python PATH] [FILE] WHEEL    (scripts/pack does)

The same packages and wheel give the same bytes: no times, no owners, no path of the machine that it is made on but the
one of Python. Modules are compiled, for a machine that unpacks them would do so at each start of an executor.
"""

from __future__ import annotations

import argparse
import gzip
import io
import marshal
import re
import sys
import tarfile
import zipfile
from importlib import metadata
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pipelines.jobs.spark.pack import digest_file, sha256_of
from pipelines.jobs.spark.session import JARS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[3]

_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_PACKAGES = f"lib/python{_VERSION}/site-packages"
_LEFT_OUT = re.compile(r"\.\./.*|(.*/)?(__pycache__|include)/.*|(pandas|pyarrow)/tests/.*|.*\.(pxd|pyx|pyi)")
_JARS = "pyspark/jars/"
_LEVEL = 4  # of gzip: two thirds of the time of its default, a twentieth more bytes
_UNCHECKED = b"\x01\0\0\0"  # of a compiled module: by its source's hash, which nobody compares (PEP 552)

_PYTHON = f"""#!/bin/sh
# This machine's Python {_VERSION}, with the packages beside this file.
here=$(dirname "$0")
"$here/python{_VERSION}" -ISc 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != "{_VERSION}")' 2>/dev/null || {{
    echo "$(uname -n) has no Python {_VERSION} at $(readlink "$here/python{_VERSION}"), for which otclog was packed" >&2
    exit 127
}}
exec "$here/python{_VERSION}" "$@"
"""
_OTCLOG = """#!/bin/sh
# The commands, as in a checkout.
exec "$(dirname "$(readlink -f "$0")")/python" -m otclog "$@"
"""
_SPARK_CLASS = f"""#!/bin/sh
# Spark's own programs: bin/spark-class org.apache.spark.deploy.master.Master, or …worker.Worker.
export SPARK_HOME="$(dirname "$(dirname "$(readlink -f "$0")")")/{_PACKAGES}/pyspark" SPARK_SCALA_VERSION=2.13
exec "$SPARK_HOME/bin/spark-class" "$@"
"""


class Member(NamedTuple):
    """A file of the archive, or with a `target` a link."""

    name: str
    content: bytes = b""
    runs: bool = False
    target: str = ""


def pack(wheel: Path, lock: Path, python: Path, out: Path) -> str:
    """Write the archive, and its digest beside it; returns that. Raises ValueError, OSError."""
    return _written(_pack(wheel, lock, python), out, _LEVEL)


def pack_of_node(out: Path) -> str:
    """The same for what a machine of a standalone cluster unpacks into the folder of a pack: Spark's programs."""
    return _written(_node(), out, 1)  # jars are compressed


def _written(members: Iterable[Member], out: Path, level: int) -> str:
    named = {each.name: each for each in members}
    new = out.with_name(f".{out.name}.new")
    with new.open("wb") as raw, gzip.GzipFile("", "wb", level, raw, mtime=0) as file:
        _write(file, (named[name] for name in sorted(named)))
    digest = sha256_of(new)
    digest_file(out).unlink(missing_ok=True)  # never that of another archive
    new.replace(out)
    digest_file(out).write_text(f"{digest}  {out.name}\n", "utf-8")
    return digest


def _pack(wheel: Path, lock: Path, python: Path) -> Iterator[Member]:
    yield Member("bin/python", _PYTHON.encode(), runs=True)
    yield Member(f"bin/python{_VERSION}", target=str(python))
    yield Member("bin/otclog", _OTCLOG.encode(), runs=True)
    yield Member("pyvenv.cfg", f"home = {python.parent}\ninclude-system-site-packages = false\n".encode())
    for each in (*_of_wheel(wheel), *(each for name in packages(lock) for each in _of_package(name))):
        if not each.name.startswith(_JARS):
            yield each._replace(name=f"{_PACKAGES}/{each.name}")
            if each.name.endswith(".py") and (compiled := _compiled(each)):
                yield Member(f"{_PACKAGES}/{cache_from_source(each.name)}", compiled)


def _node() -> Iterator[Member]:
    yield Member("bin/spark-class", _SPARK_CLASS.encode(), runs=True)
    for each in _of_package("pyspark"):
        if each.name.startswith(_JARS):
            yield each._replace(name=f"{_PACKAGES}/{each.name}")
    for jar in JARS.glob("*.jar"):  # where a session that is started from a pack looks for them
        yield Member(f"{_PACKAGES}/.jars/{JARS.name}/{jar.name}", jar.read_bytes())


def packages(lock: Path) -> list[str]:
    """Those that otclog needs, and those need, as the lock file pins them. Raises ValueError for another version."""
    pinned: dict[str, str] = {
        canonicalize_name(name): version for name, version in re.findall(r"(?m)^([\w.-]+)==(\S+)", lock.read_text())
    }
    needed: set[str] = set()
    left = ["otclog"]
    while left:
        name = left.pop()
        if canonicalize_name(name) not in needed:
            needed.add(canonicalize_name(name))
            required = map(Requirement, metadata.requires(name) or [])
            left += [each.name for each in required if each.marker is None or each.marker.evaluate({"extra": ""})]
    for name in sorted(needed - {"otclog"}):
        if pinned.get(name) != (there := metadata.version(name)):
            raise ValueError(f"{name} is {there} here, and {lock} says {pinned.get(name)}: run scripts/setup")
    return sorted(needed - {"otclog"})


def _of_package(name: str) -> Iterator[Member]:
    for path in metadata.files(name) or []:
        file = path.as_posix()
        where = Path(str(path.locate()))
        if _LEFT_OUT.fullmatch(file):
            continue
        content = where.read_bytes()
        if file.endswith(".dist-info/RECORD"):  # of programs it has hashes that the folder they were put into changes
            content = b"".join(line for line in content.splitlines(keepends=True) if not line.startswith(b"../"))
        yield Member(file, content, runs=bool(where.stat().st_mode & 0o100))


def _of_wheel(wheel: Path) -> Iterator[Member]:
    with zipfile.ZipFile(wheel) as file:
        for each in file.infolist():
            if not each.is_dir():
                yield Member(each.filename, file.read(each))


def _compiled(module: Member) -> bytes | None:
    """None for what is no module, such as a template."""
    try:
        code = compile(module.content, module.name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return MAGIC_NUMBER + _UNCHECKED + source_hash(module.content) + marshal.dumps(code)


def _write(file: gzip.GzipFile, members: Iterable[Member]) -> None:
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.GNU_FORMAT) as archive:
        for each in members:
            info = tarfile.TarInfo(each.name)
            info.mode = 0o755 if each.runs or each.target else 0o644
            if each.target:
                info.type, info.linkname = tarfile.SYMTYPE, each.target
            info.size = len(each.content)
            archive.addfile(info, io.BytesIO(each.content))


def _main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/pack", description="Pack otclog for the machines of a cluster.")
    name = f"otclog-cp{_VERSION.replace('.', '')}"
    parser.add_argument("file", type=Path, nargs="?", default=ROOT / "build" / f"{name}.tar.gz", help="%(default)s")
    parser.add_argument("wheel", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--node", type=Path, metavar="FILE", help="one more archive: Spark's own programs and jars")
    parser.add_argument(
        "--python",
        type=Path,
        default=Path(sys.base_prefix) / "bin" / f"python{_VERSION}",
        help="where those machines have it: %(default)s",
    )
    told = parser.parse_intermixed_args()
    told.file.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.write(f"{pack(told.wheel, ROOT / 'requirements.lock', told.python, told.file)}  {told.file}\n")
    if told.node:
        sys.stdout.write(f"{pack_of_node(told.node)}  {told.node}\n")


if __name__ == "__main__":
    _main()
