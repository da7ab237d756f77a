# Sourced by scripts/cluster-up, cluster-down, cluster-on and cluster-demo. A cluster lies in a folder HOME: node/ is the
# unpacked pack that its machines see; hosts/NAME a machine: its address, own/, all that it may write, and what of its is
# said in log. Where namespaces are not allowed machines are addresses of loopback, which see what their user may: root gives
# each its own, which the file `users` says, but where those could not come to the programs.
USERS=61000  # a machine's user is this and its number, which ends its address

# isolated: whether machines may have namespaces here.
isolated() {
    [ "$(id -u)" = 0 ] && command -v ip >/dev/null && unshare --net --mount --pid --uts --fork true 2>/dev/null
}

# users HOME: let each machine's user come to its folder, and to the programs, if that may be. The system does not know them,
# and Hadoop wants a name of each: Debian's libnss-wrapper gives it.
users() {
    [ "$(id -u)" = 0 ] && chmod 711 "$1" || return 1
    for number in 0 11 12 13 21 31 41 42 51 52; do echo "machine$number:x:$((USERS + number)):$USERS::/:/bin/sh"; done >"$1/passwd"
    chmod 644 "$1/passwd"
    setpriv --reuid "$USERS" --regid "$USERS" --clear-groups env LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD="$1/passwd" \
        NSS_WRAPPER_GROUP=/etc/group "$1/node/bin/python" -c "import os, pwd; pwd.getpwuid(os.getuid())" 2>/dev/null &&
        : >"$1/users"
}

# owned HOME NAME FILE: by the machine's user, where it has one.
owned() {
    [ -e "$1/switch" ] || [ -e "$1/users" ] || return 0
    chown -R "$(user "$1" "$2"):$(user "$1" "$2")" "$3"
}

# user HOME NAME: of a machine.
user() { echo $((USERS + $(cut -d. -f4 "$1/hosts/$2/address"))); }

# first PID: the process in the namespaces that this `unshare --fork` has made.
first() {
    for _ in $(seq 100); do
        set -- "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null)
        [ $# -lt 2 ] || { echo "$2"; return; }
        sleep 0.1
    done
    return 1
}

# switch HOME: what the machines' cables end in.
switch() {
    setsid unshare --net --fork --kill-child sleep infinity >/dev/null 2>&1 </dev/null &
    echo $! >"$1/switch"
    nsenter -t "$(first $!)" --net sh -c "ip link add desk type bridge && ip link set desk up"
}

# machine HOME NAME NUMBER FOLDER…: it sees the system, the pack, its own folder, and these others, which it cannot change.
machine() {
    home=$1 name=$2 number=$3 host=$1/hosts/$2; shift 3
    mkdir -p "$host/own/conf" && rm -f "$host/own/.ready"
    [ -e "$home/switch" ] && net=10.77.0 || net=127.77.$(($$ % 250))
    echo "$net.$number" >"$host/address"
    chmod 711 "$home/hosts" "$host"
    owned "$home" "$name" "$host/own"
    [ -e "$home/switch" ] || return 0
    mkdir -p "$host/root"
    user=$(user "$home" "$name")  # not within what is started: its process would be taken for that one's first
    setsid unshare --net --mount --pid --uts --fork --kill-child sh scripts/lib/world.sh "$name" "$net.$number" "$host/root" \
        "$user" "$host/own" "$home/node" "$@" >"$host/log" 2>&1 </dev/null &
    echo $! >"$host/unshare"
    first $! >"$host/pid"
    nsenter -t "$(first "$(cat "$home/switch")")" --net sh -c "ip link del e$number 2>/dev/null; ip link add e$number type veth peer name eth0 netns $(cat "$host/pid") &&
        ip link set e$number master desk up"
    nsenter -t "$(cat "$host/pid")" --net sh -c \
        "ip link set lo up && ip addr add $(cat "$host/address")/24 dev eth0 && ip link set eth0 up"
    for _ in $(seq 100); do [ ! -e "$host/own/.ready" ] || return 0; sleep 0.1; done
    cat "$host/log" >&2; return 1
}

# give HOME NAME FILE: what comes by stdin is that file of the machine's own folder, its user's alone.
give() {
    cat >"$1/hosts/$2/own/$3"
    owned "$1" "$2" "$1/hosts/$2/own/$3"
}

# on HOME NAME COMMAND…: run it there in place of this process, with no environment but the machine's own, which is in a
# file: a command's arguments are everybody's to see.
on() {
    home=$1 host=$1/hosts/$2; shift 2
    [ -e "$home/users" ] && named=yes || named=
    set -- env -i -C / ${named:+LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD="$home/passwd" NSS_WRAPPER_GROUP=/etc/group} PATH=/usr/local/bin:/usr/bin:/bin HOME="$host/own" LC_ALL=C.UTF-8 ${JAVA_HOME:+JAVA_HOME="$JAVA_HOME"} \
        SPARK_CONF_DIR="$host/own/conf" sh -c 'cd && . ./environment && exec "$@"' sh "$@"
    user=$(user "$home" "$(basename "$host")")
    if [ -e "$host/pid" ]; then set -- nsenter -t "$(cat "$host/pid")" --net --mount --pid --uts --root -S "$user" -G "$user" "$@"
    elif [ -e "$home/users" ]; then set -- setpriv --reuid "$user" --regid "$user" --clear-groups "$@"; fi
    exec "$@"
}

# program HOME NAME PORT COMMAND…: start it there, and return when it listens.
program() {
    home=$1 name=$2 port=$3 host=$1/hosts/$2; shift 3
    (on "$home" "$name" setsid "$@") >>"$host/log" 2>&1 </dev/null &
    echo $! >"$host/program"
    for _ in $(seq 600); do
        (on "$home" "$name" "$home/node/bin/python" -c 'import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)' \
            "$(cat "$host/address")" "$port") 2>/dev/null && return
        kill -0 "$(cat "$host/program")" 2>/dev/null || break
        sleep 0.2
    done
    echo "$name does not listen at port $port; $host/log ends so:" >&2
    tail -5 "$host/log" >&2; return 1
}

# brokers HOME: Kafka's, each on a machine of its own.
brokers() (
    home=$1 kafka=$1/kafka voters= started=
    for number in 1 2 3; do
        mkdir -p "$kafka/$number"
        cp "$home/hosts/kafka$number/address" "$kafka/$number/host"
        echo 9092 9093 9094 >"$kafka/$number/ports"
        voters="$voters${voters:+,}$number@$(cat "$kafka/$number/host"):9093"
    done
    echo "$voters" >"$kafka/voters"
    echo 3 >"$kafka/count"
    head -c 16 /dev/urandom | base64 | tr "+/" AB | cut -c1-22 >"$kafka/cluster"
    for number in 1 2 3; do broker "$home" "$number" & started="$started $!"; done
    for each in $started; do wait "$each" || return 1; done
    (. scripts/lib/kafka.sh; listed "$kafka" 1 >"$kafka/addresses")
)

# broker HOME NUMBER: one of them.
broker() {
    home=$1 name=kafka$2 own=$1/hosts/kafka$2/own
    (. scripts/lib/kafka.sh; properties "$home/kafka" "$2") | sed "s#^log.dirs=.*#log.dirs=$own/data#" |
        give "$home" "$name" server.properties
    set -- -Xms192m -Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$PWD/.jars/kafka/*"
    (on "$home" "$name" java "$@" kafka.tools.StorageTool format -t "$(cat "$home/kafka/cluster")" -c "$own/server.properties") \
        >>"$home/hosts/$name/log" 2>&1
    program "$home" "$name" 9092 java "$@" kafka.Kafka "$own/server.properties"
}

# store HOME: the S3 server.
store() (
    own=$1/hosts/s3/own S3_HOST=$(cat "$1/hosts/s3/address")
    echo 8333 18333 9333 19333 8888 18888 8080 18080 >"$own/ports"
    . scripts/lib/s3.sh
    mkdir -p "$own/data"
    keys "$own"
    owned "$1" s3 "$own"
    serve "$own" scripts/cluster-on "$1" s3
)

# spark HOME NAME PORT CLASS ARGUMENT…: a master or worker of Spark's.
spark() {
    home=$1 name=$2 port=$3; shift 3
    program "$home" "$name" "$port" "$home/node/bin/spark-class" "$@" --host "$(cat "$home/hosts/$name/address")" --port "$port" --webui-port 0
}

# worker HOME NAME: with one core to give.
worker() {
    spark "$1" "$2" 7078 org.apache.spark.deploy.worker.Worker "spark://$(cat "$1/hosts/master/address"):7077" \
        --cores 1 --memory 768m --work-dir "$1/hosts/$2/own/work"
}

# equip HOME: each machine with what it knows of the others: secrets, and how Spark's programs speak to each other.
equip() {
    sed 's/^/export /' "$1/hosts/s3/own/credentials" >"$1/keys"
    for name in master worker1 worker2 driver driver2; do
        {
            cat "$1/secret"
            case $name in driver*) ;; *) echo "export SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_MEMORY=192m" ;; esac  # for their pages
            [ "$name" = master ] || cat "$1/keys"
        } | give "$1" "$name" environment
        printf '%s\n' "spark.authenticate true" "spark.network.crypto.enabled true" "spark.network.crypto.saslFallback false" \
            "spark.master.rest.enabled false" "spark.worker.cleanup.enabled true" "spark.worker.cleanup.interval 60" \
            "spark.worker.cleanup.appDataTtl 60" | give "$1" "$name" conf/spark-defaults.conf
    done
    rm "$1/keys"
}

# settings HOME NAME: of otclog, for a driver.
settings() {
    cat <<SETTINGS
[log]
backend = "kafka"
root = "here"
claims = ["s3://otclog/claims"]
[log.kafka]
bootstrap = "$(cat "$1/kafka/addresses")"
[[ingest.sources]]
path = "mail"
kind = "maildir"
[extract]
small_mails = 0
[tables]
root = "s3://otclog/tables"
[spark]
master = "spark://$(cat "$1/hosts/master/address"):7077"
host = "$(cat "$1/hosts/$2/address")"
driver_port = 7078
block_manager_port = 7079
driver_memory = "512m"
executor_memory = "512m"
pack = "$1/otclog.tar.gz"
SETTINGS
}

# packed HOME: otclog for the workers, and unpacked for all; of the packs that PACKS names if it does.
packed() {
    packs=${PACKS:-$1}
    [ -n "${PACKS:-}" ] || scripts/pack --node "$1/node.tar.gz" "$1/otclog.tar.gz" >&2
    [ "$packs" = "$1" ] || ln "$packs"/*.tar.gz "$packs"/*.sha256 "$1" || cp "$packs"/*.tar.gz "$packs"/*.sha256 "$1"
    chmod 644 "$1"/*.tar.gz "$1"/*.sha256
    (umask 022; mkdir "$1/node"; for each in otclog node; do tar -xzf "$1/$each.tar.gz" -C "$1/node"; done)
}

# runtimes HOME: the folders of Java and Python.
runtimes() {
    java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    for program in "$(command -v "$java")" "$1"/node/bin/python3.*; do dirname "$(dirname "$(readlink -f "$program")")"; done
}

# machines HOME: all of them, without programs.
machines() {
    for number in 1 2 3; do machine "$1" "kafka$number" "1$number" $(runtimes "$1") "$PWD/.jars/kafka" || return 1; done
    machine "$1" s3 21 $(runtimes "$1") "$PWD/.venv/bin/weed" || return 1
    for name in master=31 worker1=41 worker2=42; do machine "$1" "${name%=*}" "${name#*=}" $(runtimes "$1") || return 1; done
    for name in driver=51 driver2=52; do
        machine "$1" "${name%=*}" "${name#*=}" $(runtimes "$1") "$1/otclog.tar.gz" "$1/otclog.tar.gz.sha256" || return 1
    done
    for name in kafka1 kafka2 kafka3 s3; do : | give "$1" "$name" environment; done
    echo "export _SPARK_AUTH_SECRET=$(od -An -N 32 -tx1 /dev/urandom | tr -d ' \n')" >"$1/secret"
}

# computers HOME: Spark's master and workers, and the homes of two drivers.
computers() {
    spark "$1" master 7077 org.apache.spark.deploy.master.Master && worker "$1" worker1 && worker "$1" worker2 || return 1
    for name in driver driver2; do
        settings "$1" "$name" | give "$1" "$name" otclog.toml
        (on "$1" "$name" mkdir -p mail/new mail/cur mail/tmp)
    done
}

# lose HOME NAME: a machine with all that runs on it, from one moment to the next.
lose() {
    for file in "$1/hosts/$2/unshare" "$1/hosts/$2/program" "$1/hosts/$2/own/pid"; do
        pid=$(cat "$file" 2>/dev/null) && tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q "$1" || continue
        kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid"
    done
}

# back HOME NAME: a worker's machine that was lost, with an empty folder.
back() {
    rm -rf "$1/hosts/$2/own/work"
    machine "$1" "$2" "$(cut -d. -f4 "$1/hosts/$2/address")" $(runtimes "$1") && worker "$1" "$2"
}

# ended HOME: all of them.
ended() {
    for host in "$1"/hosts/*; do lose "$1" "$(basename "$host")"; done
    [ ! -e "$1/switch" ] || kill -9 "$(cat "$1/switch")"
}
