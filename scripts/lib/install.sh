# Sourced by scripts/setup.
# stale FOLDER TEXT FILE…: true when FOLDER was not made from just these; `fresh FOLDER` then says that it is.
stale() {
    folder=$1; shift
    stamp=$({ echo "$1"; shift; cat "$@"; } | sha256sum)
    [ "$(cat "$folder/otclog.stamp" 2>/dev/null)" != "$stamp" ]
}
fresh() { echo "$stamp" >"$1/otclog.stamp"; }

install_packages() {
    echo "setting up the Python packages (1 to 3 minutes, once)" >&2
    grep -qxF "$PWD" .venv/otclog.place 2>/dev/null || "$PYTHON" -m venv --clear .venv  # its scripts name the place
    pwd >.venv/otclog.place
    # as a wheel: a pip older than 23.1 leaves pyspark without a list of its files, which a pack is made by
    .venv/bin/pip install --quiet --require-hashes --no-compile --use-pep517 -r requirements.lock
    .venv/bin/python -m compileall -qq -j 0 .venv/lib || :  # on all cores; pip would take one. Templates do not compile
    # `compat` names this folder in a .pth; the default is a finder, whose import every start of Python would pay for.
    .venv/bin/pip install --quiet --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
    fresh .venv
}

install_jars() {
    echo "fetching the jars of Delta Lake and Kafka (about a minute, once)" >&2
    ivy=$(echo .venv/lib/python3.*/site-packages/pyspark/jars/ivy-2.*.jar)
    rm -rf .jars && mkdir .jars
    "$JAVA" -cp "$ivy" org.apache.ivy.Main -cache "$PWD/.jars/cache" -ivy conf/ivy.xml -types jar bundle -warn \
        -retrieve ".jars/[conf]/[artifact]-[revision].[ext]" >.jars/log 2>&1 || { cat .jars/log >&2; exit 1; }
    rm -rf .jars/cache
    fresh .jars
}

archive_classes() {
    echo "archiving the classes of a Spark session (1 to 3 minutes, once)" >&2
    rm -rf .jars/classes && mkdir .jars/classes
    if .venv/bin/python -m pipelines.jobs.spark.class_archive .jars/classes/session.jsa >.jars/classes/log 2>&1; then
        fresh .jars/classes
    else
        echo "that failed (.jars/classes/log): sessions start more slowly; the next setup tries again" >&2
    fi
}
