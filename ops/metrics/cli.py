"""The command `otclog ops metrics`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer
from prometheus_client import REGISTRY

import conf
from conf.cli import ConfigOption, errors_to_exit_codes
from conf.families import Families
from conf.heartbeat import Heartbeat
from conf.messages import tell
from conf.metrics import flush_metrics
from conf.process import Stop, prepare, signals_call
from conf.values import place_to_listen
from log.command import share_with_log
from ops.cli import ops
from ops.metrics.serving import served

EVERY_S = 15.0  # between two looks: as often as Prometheus asks, if it is not told otherwise


@ops.command()
def metrics(
    *,
    listen: Annotated[
        str | None,
        typer.Option(metavar="IP:PORT", help="Also serve all files of [metrics] there; loopback alone."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Look once, and end.")] = False,
    config: ConfigOption = None,
) -> None:
    """Write where the home stands into the folder of [metrics], every 15 seconds: what no process counts by itself.

    Ends of topics, lag of groups, replicas, waiting files, free disks, signs of life, the newest publication. What
    processes count is in files of their own there, as long as [metrics] names a folder. --listen has Prometheus read
    all of it from this machine.

    Runs until SIGTERM or Ctrl-C.

    Examples:
      otclog ops metrics --listen 127.0.0.1:9464
      otclog ops metrics --once
    """
    from ops.metrics.state import look  # imports what reads tables, which takes a while

    with errors_to_exit_codes():
        if listen and once:
            raise typer.BadParameter("--listen goes on, and so not with --once")
        try:
            address = place_to_listen(listen) if listen else None
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--listen") from None
        settings = prepare(config)
        folder = settings.metrics.folder
        if folder is None:
            raise conf.ConfigError("[metrics] folder is not set: name one, where all processes write what they count")
        share_with_log(settings)
        told: dict[str, str] = {}
        seen = Families(look(settings, told))
        REGISTRY.register(seen)
        if once:
            return
        flush_metrics()
        with served(folder, str(address[0]), address[1]) if address else nullcontext(str(folder)) as place:
            stop = Stop()
            with Heartbeat(settings.log.root, "metrics", place) as heartbeat, signals_call(stop.set):
                tell(f"otclog: metrics are at {place}")  # whoever reads it may end us
                while not stop.is_set:
                    heartbeat.rest(EVERY_S, stop.wait, lambda: stop.is_set)
                    seen.families = look(settings, told)
                    flush_metrics()
