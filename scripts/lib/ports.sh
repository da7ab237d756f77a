# Sourced by scripts/lib/kafka.sh and scripts/lib/s3.sh.
# ports COUNT: numbers of so many ports that nobody uses. None is of those that the system gives to whoever asks for any:
# somebody would have got it until a broker begins, or begins again.
ports() {
    .venv/bin/python - "$1" <<'PYTHON'
import contextlib, random, socket, sys
free = []
for port in random.sample(range(20_000, 32_000), 1_000):
    with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
        free.append(port)
    if len(free) == int(sys.argv[1]):
        break
print(*free)
PYTHON
}
