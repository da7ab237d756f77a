"""Changes of a partition's state that no append makes: a replica comes or goes, the log start moves.

Each is begun and ended in the watermark, so that who finds it unfinished recovers, and in force when it returns. The
caller is between the partition's `enter` and `leave`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from log.embedded.partition.partition import Partition


def admit(partition: Partition, number: int) -> None:
    """Take a replica whose copy is equal and flushed into the ISR, durably. Raises OSError."""
    replicas = partition.replicas
    partition.begin_change()
    replicas.admit(number)
    replicas.open(replicas.state.isr, partition.mark.segment_base)
    partition.publish()


def expel(partition: Partition, reasons: Mapping[int, Exception | None]) -> None:
    """Let replicas leave the ISR for what is wrong with them, or None if they are told to, durably. Raises OSError."""
    replicas = partition.replicas
    partition.begin_change()
    replicas.drop(reasons, partition.mark.end)
    replicas.open(replicas.state.isr, partition.mark.segment_base)
    partition.publish()


def dismiss(partition: Partition, number: int) -> None:
    """Let a replica leave the partition for good, durably. Raises OSError."""
    replicas = partition.replicas
    partition.begin_change()
    if number in replicas.state.isr:
        replicas.drop({number: None}, partition.mark.end)
    replicas.change(replicas=tuple(each for each in replicas.state.replicas if each != number))
    replicas.open(replicas.state.isr, partition.mark.segment_base)
    partition.publish()


def change_state(partition: Partition, **changes: Any) -> None:
    """Write the state with these fields changed, durably. Raises OSError."""
    partition.begin_change()
    partition.replicas.change(**changes)
    partition.publish()
