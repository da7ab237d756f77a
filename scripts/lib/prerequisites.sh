# Sourced by scripts/setup. Sets PYTHON and JAVA, or says in one line what is missing and how to get it.
PYTHON=
for candidate in python3.11 python3.12 python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' 2>/dev/null; then
        PYTHON=$candidate
        break
    fi
done
[ -n "$PYTHON" ] || { echo "otclog needs Python 3.11 or 3.12 with venv: apt-get install python3.11 python3.11-venv" >&2; exit 1; }
JAVA=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$JAVA" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
[ "${version:-0}" -ge 17 ] || { echo "otclog needs Java 17 or later (found: ${version:-none}): apt-get install openjdk-17-jre-headless" >&2; exit 1; }
