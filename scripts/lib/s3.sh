# Sourced by scripts/s3-up and scripts/s3-down.
. scripts/lib/ports.sh

# keys HOME: of an administrator; in a file, for a command's arguments are everybody's to see.
keys() {
    id=$(od -An -N 10 -tx1 /dev/urandom | tr -d ' \n')
    secret=$(od -An -N 20 -tx1 /dev/urandom | tr -d ' \n')
    actions='["Admin", "Read", "Write", "List", "Tagging"]'
    credentials="[{\"accessKey\": \"$id\", \"secretKey\": \"$secret\"}]"
    echo "{\"identities\": [{\"name\": \"otclog\", \"credentials\": $credentials, \"actions\": $actions}]}" >"$1/s3.json"
    {
        echo "AWS_ACCESS_KEY_ID=$id"
        echo "AWS_SECRET_ACCESS_KEY=$secret"
        echo "AWS_ENDPOINT_URL=http://${S3_HOST:-127.0.0.1}:$(cut -d' ' -f1 "$1/ports")"
        echo "AWS_REGION=us-east-1"
    } >"$1/credentials"
}

# serve HOME [COMMAND…]: returns when the bucket is there; its programs are run by COMMAND, at the address S3_HOST. It must not tell its makers of itself, nor make buckets that nobody asked for.
serve() {
    home=$(cd "$1" && pwd) at=${S3_HOST:-127.0.0.1} weed=$PWD/.venv/bin/weed
    shift; on=$*
    set -- $(cat "$home/ports")
    # A server that was killed leaves these to all users' eyes, and to another user's server they are shut.
    for socket in "s3-grpc-$2" "master-grpc-$4" "filer-grpc-$6" "volume-grpc-$8"; do rm -f "/tmp/seaweedfs-$socket.sock"; done
    setsid $on "$weed" -logtostderr server -dir="$home/data" -ip="$at" -ip.bind="$at" -master.telemetry=false -filer \
        -s3 -s3.config="$home/s3.json" -s3.iam=false -s3.autoCreateBucket=false -volume.max=0 \
        -master.volumeSizeLimitMB=64 -s3.port="$1" -s3.port.grpc="$2" -master.port="$3" -master.port.grpc="$4" \
        -filer.port="$5" -filer.port.grpc="$6" -volume.port="$7" -volume.port.grpc="$8" \
        -s3.port.iceberg=0 -s3.port.lance=0 -filer.localSocket="$home/filer.sock" -s3.localSocket="$home/s3.sock" \
        >"$home/log" 2>&1 </dev/null &
    echo $! >"$home/pid"
    for _ in $(seq 60); do
        sleep 0.5
        kill -0 "$(cat "$home/pid")" 2>/dev/null || break
        echo "s3.bucket.create -name otclog" |
            timeout 10 $on "$weed" shell -master="$at:$3.$4" -filer="$at:$5.$6" 2>&1 |
            grep -q "created bucket otclog" && return
    done
    tail -3 "$home/log" >&2
    end "$(cat "$home/pid")"
    rm -rf "$home"
    exit 1
}

# end PID: it may take half a minute over SIGTERM.
end() {
    tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" | grep -q "weed -logtostderr server" || return 0  # not another's by now
    kill "$1"
    for _ in 1 2 3 4; do
        sleep 0.25
        kill -0 "$1" 2>/dev/null || return 0
    done
    kill -9 "$1"
}
