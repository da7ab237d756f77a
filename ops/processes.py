"""How do the processes that go on do? Asked of their heartbeats."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from conf.heartbeat import FOLDER, beats
from ops.lines import Line, ago, unknown, utc

if TYPE_CHECKING:
    from collections.abc import Iterator

    import conf
    from conf.heartbeat import Beat
    from ops.findings import State

WATCHERS = frozenset({"watch", "lmtp"})  # programs that take mails


def processes(settings: conf.Settings) -> Iterator[Line]:
    """A line each, and one of a program that is missed."""
    found = beats(settings.log.root)
    for beat in found:
        state, said = judged(beat, settings)
        values = {
            "pid": beat.pid,
            "host": beat.host,
            "version": beat.version,
            "serves": beat.serves,
            "started_at": utc(beat.started),
            "beat_at": utc(beat.beat),
            "beat_age_s": round(beat.age_s, 1),
            "step": beat.step,
            "did": beat.did,
            "did_last_at": utc(beat.did_last) if beat.did_last else None,
        }
        yield Line("process", f"{beat.program} {beat.pid}", state, said, values)
    if settings.ingest.sources and not any(beat.program in WATCHERS for beat in found):
        yield Line("process", "watch", "warn", "none runs: `otclog watch` takes mails", {})
    if not any(beat.program == "extract" for beat in found):
        has_beats = (settings.log.root / FOLDER).is_dir()  # the first process makes it; or its disk is away
        yield Line("process", "extract", "ok", "none runs just now", {} if has_beats else unknown("process"))


def judged(beat: Beat, settings: conf.Settings) -> tuple[State, str]:
    """How a process does that beat like this."""
    vitality = beat.process.vitality
    last = f"last beat {ago(beat.age_s)}"
    if vitality == "gone":
        when = f"last beat {beat_time(beat)}"
        return "fail", f"is gone without a word (killed, or the machine went down); {when}. Start it again"
    if vitality == "stopped":
        return "fail", f"is stopped, by SIGSTOP or a debugger; {last}. `kill -CONT {beat.pid}`, or end it"
    limit_s = settings.status.step_after_s if beat.step else settings.status.heartbeat_after_s
    if beat.age_s > limit_s:
        return "fail", f"hangs in {beat.step or 'its loop'}; {last}. Look at its messages, then end it and start it"
    did = ", ".join(f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in beat.did.items())
    did = f"; {did}" if did else ""
    step = f", in a {beat.step}" if beat.step else ""
    return "ok", f"runs since {beat_time(beat, started=True)}{step}, {last}{did}"


def beat_time(beat: Beat, *, started: bool = False) -> str:
    """On the clock of whoever reads it."""
    return datetime.fromtimestamp(beat.started if started else beat.beat).astimezone().strftime("%Y-%m-%d %H:%M:%S")
