# Sourced by scripts/kafka-up and scripts/kafka-down. A cluster lies in a folder HOME: ports, and a folder a broker.
# ports COUNT: numbers of so many ports that nobody uses.
ports() {
    .venv/bin/python - "$1" <<'PYTHON'
import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(each.getsockname()[1] for each in held))
PYTHON
}

# java HEAP CLASS ARGUMENT…: one of Kafka's programs. Compiled once and lightly: what is saved is the start.
java_of_kafka() {
    heap=$1; shift
    exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" "-Xms$heap" "-Xmx$heap" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$PWD/.jars/kafka/*" "$@"
}

# plan HOME COUNT SECURE: who listens where. A broker more than there are at first has its ports, too.
plan() {
    set -- "$1" "$2" "$3" $(ports $((3 * ($2 + 1))))
    home=$1 count=$2 secure=$3; shift 3
    voters= number=1
    for _ in $(seq $((count + 1))); do
        mkdir -p "$home/$number"
        echo "$1 $2 $3" >"$home/$number/ports"
        [ "$number" -gt "$count" ] || voters="$voters${voters:+,}$number@127.0.0.1:$2"
        number=$((number + 1)); shift 3
    done
    echo "$voters" >"$home/voters"
    head -c 16 /dev/urandom | base64 | tr "+/" AB | cut -c1-22 >"$home/cluster"
    echo "$count" >"$home/count"
    [ -z "$secure" ] || keys "$home"
}

# properties HOME NUMBER: of a broker. As Kafka ships, but small, and with copies on as many brokers as there are.
properties() {
    home=$1 number=$2 count=$(cat "$1/count")
    set -- $(cat "$home/$number/ports")
    insync=$((count / 2 + 1)) role=broker
    [ "$number" -gt "$count" ] || role=broker,controller
    cat <<PROPERTIES
process.roles=$role
node.id=$number
controller.quorum.voters=$(cat "$home/voters")
controller.listener.names=CONTROLLER
log.dirs=$home/$number/data
num.partitions=1
default.replication.factor=$count
min.insync.replicas=$insync
offsets.topic.replication.factor=$count
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=$count
transaction.state.log.min.isr=$insync
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=$count
share.coordinator.state.topic.min.isr=$insync
share.coordinator.state.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=4000
broker.heartbeat.interval.ms=1000
group.consumer.min.heartbeat.interval.ms=500
group.consumer.heartbeat.interval.ms=500
group.consumer.min.session.timeout.ms=3000
group.consumer.session.timeout.ms=6000
auto.create.topics.enable=false
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=16777216
PROPERTIES
    [ "$role" = broker ] && own= || own=",CONTROLLER://127.0.0.1:$2"
    if [ -e "$home/secure" ]; then secure_properties "$home" "$number" "$1" "$3" "$own"
    else
        echo "listeners=PLAINTEXT://127.0.0.1:$1$own"
        echo "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"
    fi
}

# begin HOME NUMBER: start a broker; the first time its folder is made, too. Returns at once.
begin() {
    home=$(cd "$1" && pwd) broker=$home/$2
    if [ ! -e "$broker/server.properties" ]; then
        properties "$home" "$2" >"$broker/server.properties"
        [ -e "$home/secure" ] && users="$(scram "$home")" || users=
        (java_of_kafka 64m kafka.tools.StorageTool format -t "$(cat "$home/cluster")" -c "$broker/server.properties" $users) \
            >>"$broker/log" 2>&1 || { tail -3 "$broker/log" >&2; exit 1; }
    fi
    (exec setsid sh -c '. scripts/lib/kafka.sh; java_of_kafka "$@"' sh "${KAFKA_HEAP:-320m}" \
        kafka.Kafka "$broker/server.properties") >>"$broker/log" 2>&1 </dev/null &
    echo $! >"$broker/pid"
}

# await HOME COUNT: returns when so many brokers answer.
await() {
    addresses=$(for broker in $(seq "$(cat "$1/count")"); do echo "127.0.0.1:$(cut -d' ' -f1 "$1/$broker/ports")"; done | paste -sd,)
    echo "$addresses" >"$1/addresses"
    .venv/bin/python - "$1" "$2" <<'PYTHON' || { tail -n 3 "$1"/*/log >&2; exit 1; }
import pathlib, sys, time
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
home = pathlib.Path(sys.argv[1])
told = home / "admin.properties"
secured = dict(line.split("=", 1) for line in told.read_text().splitlines()) if told.exists() else {}
client = AdminClient({"bootstrap.servers": (home / "addresses").read_text().strip(), "log_level": 0, **secured})
for _ in range(240):
    try:
        if len(client.list_topics(timeout=1).brokers) >= int(sys.argv[2]):
            sys.exit(0)
    except KafkaException:
        pass
    time.sleep(0.25)
sys.exit("no answer after a minute")
PYTHON
}

# end HOME: each broker by its process number, if that is still a broker of this folder; all at once, as they wait for each other.
end() {
    pids=
    for file in "$1"/*/pid; do
        pid=$(cat "$file") && tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q "kafka.Kafka $(dirname "$file")/" || continue
        pids="$pids $pid"
        kill "$pid"; kill -CONT "$pid"
    done
    for _ in $(seq 30); do
        left=
        for pid in $pids; do ! kill -0 "$pid" 2>/dev/null || left="$left $pid"; done
        [ -n "$left" ] || return 0
        sleep 0.1
    done
    kill -9 $left 2>/dev/null || :
}
