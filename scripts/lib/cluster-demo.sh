# Sourced by scripts/cluster-demo: its steps, each of which is given the cluster's folder.

# say TEXT: the story.
say() { printf '\n=== %s\n' "$1"; }

# otclog HOME ARGUMENT…: the command, on the driver's machine.
otclog() {
    home=$1; shift
    echo; echo "driver$ otclog $*"
    (on "$home" driver "$home/node/bin/otclog" "$@")
}

# rows HOME SETTINGS: a hash of each table, but for when and where mails were appended.
rows() { (on "$1" driver "$1/node/bin/python" -m pipelines.readers.digest "$2"); }

# deliver HOME FOLDER: the sample mails into a Maildir on the driver's machine.
deliver() { for mail in samples/*.eml; do give "$1" driver "$2/new/$(basename "$mail")" <"$mail"; done; }

taken() {
    say "1. $(ls samples/*.eml | wc -l) sample mails come in on the driver's machine, and go to three brokers"
    deliver "$1" mail
    otclog "$1" watch --once && otclog "$1" topic describe mails
}

read_with_a_loss() {
    say "2. Two workers read them, who have otclog from the driver alone; one machine is lost as soon as it has that"
    otclog "$1" extract & extract=$!
    while kill -0 "$extract" 2>/dev/null; do
        [ -z "$(find "$1/hosts/worker1/own/work" -path '*/otclog/bin/python' 2>/dev/null)" ] || break
        sleep 0.2
    done
    lose "$1" worker1
    echo "worker1 is lost"
    wait "$extract" && otclog "$1" group lag
}

shown() {
    say "3. The prices, which lie in the object store"
    otclog "$1" prices --limit 20 && otclog "$1" rejects --limit 5
}

read_again() {
    say "4. The machine comes back, and all is parsed again: the same rows"
    rows "$1" otclog.toml >"$1/before"
    back "$1" worker1 && otclog "$1" reparse mails --execute && rows "$1" otclog.toml >"$1/after" && same "$1/before" "$1/after"
}

alone() {
    say "5. The same mails on one machine, with the log in its folders: the same rows, but for append times and positions"
    (on "$1" driver "$1/node/bin/otclog" init alone) >/dev/null
    deliver "$1" alone/mail
    otclog "$1" watch --once --config alone/otclog.toml && otclog "$1" extract --config alone/otclog.toml &&
        rows "$1" alone/otclog.toml >"$1/alone" && same "$1/after" "$1/alone"
}

# same FILE FILE: whether the tables of both are.
same() {
    cat "$2"
    cmp -s "$1" "$2" || { echo "the rows differ:"; cat "$1"; return 1; }
    echo "checked: each table has the same rows as before"
}
