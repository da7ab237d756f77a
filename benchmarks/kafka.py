"""A real Kafka broker for comparisons: one node (KRaft), on loopback, from the jars that `scripts/setup` fetches."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

JARS = Path(__file__).parent.parent / ".jars" / "kafka"
CLUSTER = "b3RjbG9nLWJlbmNobWFyaw"  # any 16 bytes in base64
START_S = 60.0
POLL_S = 0.2
ANSWER_S = 30.0

# As Kafka ships, but for one replica of its own topics. It flushes nothing by itself: that is left to the system.
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={folder}/data
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
"""


@contextmanager
def broker(folder: Path) -> Iterator[str]:
    """A broker whose data lies in `folder`; its address, as soon as it answers. Raises TimeoutError."""
    port, controller = free_ports(2)
    properties = folder / "server.properties"
    properties.write_text(PROPERTIES.format(port=port, controller=controller, folder=folder))
    java = ["java", "-Xms1g", "-Xmx1g", "-cp", f"{JARS}/*"]  # the heap of kafka-server-start.sh
    with (folder / "broker.out").open("wb") as out:
        command = [*java, "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", str(properties)]
        subprocess.run(command, check=True, stdout=out, stderr=out)
        with subprocess.Popen([*java, "kafka.Kafka", str(properties)], stdout=out, stderr=out) as process:
            try:
                address = f"127.0.0.1:{port}"
                wait_for(address)
                yield address
            finally:
                process.terminate()


def create_topic(address: str, topic: str) -> None:
    """One partition, one replica; it is there when this returns."""
    admin = AdminClient({"bootstrap.servers": address})
    for created in admin.create_topics([NewTopic(topic, 1, 1)]).values():
        created.result(ANSWER_S)


def wait_for(address: str) -> None:
    """Return when the broker answers. Raises TimeoutError."""
    deadline = time.monotonic() + START_S
    admin = AdminClient({"bootstrap.servers": address, "log_level": 0})
    while time.monotonic() < deadline:
        try:
            if admin.list_topics(timeout=1).brokers:
                return
        except KafkaException:
            time.sleep(POLL_S)
    raise TimeoutError(f"no broker at {address} after {START_S} s; see broker.out")


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
