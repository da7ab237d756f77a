"""The command `otclog group recover`, which asks the tables where a group stood."""

from __future__ import annotations

from dataclasses import asdict

from conf.cli import ConfigOption, JsonOption, emit, errors_to_exit_codes
from log.command import ExecuteOption, settings_and_log
from log.consumers.cli import GroupArgument, group, say


@group.command("recover")
def recover_group(
    name: GroupArgument,
    execute: ExecuteOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set a group of `otclog extract` to where it stood, by the published runs. Without --execute nothing is moved.

    For a group that was deleted, or lost with the folders of the log that held it: it would read everything again. It
    then stands behind what its runs have read, or where it was moved since then, as far as its journal is left.

    Examples:
      otclog group recover extract
      otclog group recover extract --execute
    """
    from log.rewind import outside, plan, to_listed
    from pipelines.jobs.standing import recover, recovered
    from pipelines.tables.store.store import store_of

    with errors_to_exit_codes(), settings_and_log(config, writes=execute) as (settings, log):
        stands = recovered(log, store_of(settings.tables), name)
        moves = plan(log, name, sorted(stands), to_listed(stands))
        others = {(each.topic, each.partition) for each in moves if each.committed != each.to}
        for line in outside(log, name, sorted(stands), to_listed(stands)):
            say(line)
        if execute and others:
            moves = recover(log, name, {source: at for source, at in stands.items() if source in others})
        emit([asdict(each) for each in moves], as_json=as_json)
        if not others:
            say(f"group {name} stands where the published runs end")
        else:
            say("the group was moved" if execute else "nothing was moved: add --execute to move the group")
