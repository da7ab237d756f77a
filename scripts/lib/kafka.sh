# Sourced by scripts/kafka-up and scripts/kafka-down. A cluster lies in a folder HOME: ports, and a folder a broker.
. scripts/lib/ports.sh

# java_of_kafka HEAP CLASS ARGUMENT…: one of Kafka's programs. Compiled once and lightly: what is saved is the start.
java_of_kafka() {
    heap=$1; shift
    exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" "-Xms$heap" "-Xmx$heap" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${KAFKA_OPTS:-} -cp "$PWD/.jars/kafka/*" "$@"
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

# keys HOME: a CA, the brokers' certificate and an administrator's, the password of the user `admin`, and the key that
# tokens are to be signed with, whose public part brokers find in jwks.json.
keys() {
    mkdir "$1/secure"
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1/secure/ca.key" -out "$1/secure/ca.pem" -days 30 \
        -subj /CN=otclog-ca 2>/dev/null
    certify "$1" broker && certify "$1" admin
    cat "$1/secure/broker.key" "$1/secure/broker.pem" >"$1/secure/broker.both"
    openssl genrsa -out "$1/secure/token.key" 2048 2>/dev/null
    openssl rsa -in "$1/secure/token.key" -noout -modulus | .venv/bin/python -c '
import base64, json, sys
modulus = base64.urlsafe_b64encode(bytes.fromhex(sys.stdin.read().strip().partition("=")[2])).decode().rstrip("=")
print(json.dumps({"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": modulus, "e": "AQAB"}]}))
' >"$1/secure/jwks.json"
    echo "username=admin" >"$1/secure/credentials"
    echo "password=$(od -An -N 20 -tx1 /dev/urandom | tr -d ' \n')" >>"$1/secure/credentials"
}

# certify HOME NAME [DAYS]: a certificate that its CA signed, and its key.
certify() {
    openssl req -newkey rsa:2048 -nodes -keyout "$1/secure/$2.key" -out "$1/secure/$2.csr" -subj "/CN=$2" 2>/dev/null
    echo "subjectAltName=IP:127.0.0.1,DNS:localhost" >"$1/secure/names"
    openssl x509 -req -in "$1/secure/$2.csr" -CA "$1/secure/ca.pem" -CAkey "$1/secure/ca.key" -CAcreateserial \
        -days "${3:-30}" -extfile "$1/secure/names" -out "$1/secure/$2.pem" 2>/dev/null
}

# secure_properties HOME PORT TLS_PORT OWN: SCRAM and tokens on the first, certificates on the second, which brokers use.
secure_properties() {
    cat <<PROPERTIES
listeners=SASL_SSL://127.0.0.1:$2,SSL://127.0.0.1:$3$4
listener.security.protocol.map=CONTROLLER:SSL,SASL_SSL:SASL_SSL,SSL:SSL
inter.broker.listener.name=SSL
sasl.enabled.mechanisms=SCRAM-SHA-512,OAUTHBEARER
listener.name.sasl_ssl.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
listener.name.sasl_ssl.oauthbearer.sasl.server.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler
listener.name.sasl_ssl.oauthbearer.sasl.oauthbearer.jwks.endpoint.url=file://$1/secure/jwks.json
listener.name.sasl_ssl.oauthbearer.sasl.oauthbearer.expected.audience=kafka
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.ssl.ssl.client.auth=required
listener.name.controller.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=$1/secure/broker.both
ssl.truststore.type=PEM
ssl.truststore.location=$1/secure/ca.pem
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:CN=broker;User:CN=admin;User:admin
PROPERTIES
}

# host HOME NUMBER: the address that a broker listens on.
host() { cat "$1/$2/host" 2>/dev/null || echo 127.0.0.1; }

# properties HOME NUMBER: of a broker. As Kafka ships, but small, and with copies on as many brokers as there are; what
# the file KAFKA_MORE says comes last.
properties() {
    home=$1 number=$2 count=$(cat "$1/count") at=$(host "$1" "$2")
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
    [ "$role" = broker ] && own= || own=",CONTROLLER://$at:$2"
    if [ -e "$home/secure" ]; then secure_properties "$home" "$1" "$3" "$own"
    else
        echo "listeners=PLAINTEXT://$at:$1$own"
        echo "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"
    fi
    cat "${KAFKA_MORE:-/dev/null}"
}

# begin HOME NUMBER: start a broker; the first time its folder is made, too. Returns at once.
begin() {
    home=$(cd "$1" && pwd) broker=$home/$2
    if [ ! -e "$broker/server.properties" ]; then
        properties "$home" "$2" >"$broker/server.properties"
        (java_of_kafka 64m kafka.tools.StorageTool format -t "$(cat "$home/cluster")" -c "$broker/server.properties") \
            >>"$broker/log" 2>&1 || { tail -3 "$broker/log" >&2; exit 1; }
    fi
    (export KAFKA_OPTS="${KAFKA_OPTS:-} -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file://$home/secure/jwks.json"
    exec setsid sh -c '. scripts/lib/kafka.sh; java_of_kafka "$@"' sh "${KAFKA_HEAP:-320m}" \
        kafka.Kafka "$broker/server.properties") >>"$broker/log" 2>&1 </dev/null &
    echo $! >"$broker/pid"
}

# listed HOME FIELD: the addresses of the first brokers, by the field of their ports.
listed() {
    for broker in $(seq "$(cat "$1/count")"); do echo "$(host "$1" "$broker"):$(cut -d' ' -f"$2" "$1/$broker/ports")"; done | paste -sd,
}

# await HOME COUNT: returns when so many brokers answer, and `admin` has its password.
await() {
    listed "$1" 1 >"$1/addresses"
    [ ! -e "$1/secure" ] || listed "$1" 3 >"$1/addresses.tls"
    .venv/bin/python - "$1" "$2" <<'PYTHON' || { tail -n 3 "$1"/*/log >&2; exit 1; }
import pathlib, sys, time
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion
home, secure = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1]) / "secure"
address = home / ("addresses.tls" if secure.exists() else "addresses")
settings = {"bootstrap.servers": address.read_text().strip(), "log_level": 0}
if secure.exists():
    files = {"ca": "ca.pem", "certificate": "admin.pem", "key": "admin.key"}
    settings |= {"security.protocol": "SSL", **{f"ssl.{name}.location": str(secure / file) for name, file in files.items()}}
client = AdminClient(settings)
for _ in range(240):
    try:
        if len(client.list_topics(timeout=1).brokers) >= int(sys.argv[2]):
            break
    except KafkaException:
        pass
    time.sleep(0.25)
else:
    sys.exit("no answer after a minute")
if secure.exists():
    password = (secure / "credentials").read_text().split("password=")[1].strip().encode()
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    for told in client.alter_user_scram_credentials([UserScramCredentialUpsertion("admin", info, password)]).values():
        told.result()
PYTHON
}

# end HOME: each broker by its process number, if that is still a broker of this folder; all at once, as they wait for each other.
end() {
    pids=
    for file in "$1"/*/pid; do
        pid=$(cat "$file") && tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q "kafka.Kafka $(dirname "$file")/" || continue
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
