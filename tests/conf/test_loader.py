"""conf.loader"""

from __future__ import annotations

from pathlib import Path

import pytest

import conf


def refused(tmp_path: Path, text: str, environ: dict[str, str] | None = None) -> str:
    file = tmp_path / "otclog.toml"
    file.write_text(text)
    with pytest.raises(conf.ConfigError) as caught:
        conf.load(file, environ or {})
    return str(caught.value).replace(str(file), "FILE")


def test_an_empty_file_takes_every_default_with_paths_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text("")
    settings = conf.load(file, {})
    assert settings.log.replicas == tuple(tmp_path / "log" / f"replica-{n}" for n in (1, 2, 3))
    assert settings.ingest.sources == (conf.SourceSettings(path=tmp_path / "mail", kind="maildir"),)
    assert settings.parsers.dealers is None


def test_the_file_overrides_the_defaults_and_the_environment_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text("[log]\nmin_insync = 1\nreplica_timeout_s = 50\n")
    settings = conf.load(file, {"OTCLOG_LOG_MIN_INSYNC": "3", "OTCLOG_INGEST_BATCH_MAILS": "7"})
    assert (settings.log.min_insync, settings.log.replica_timeout_s, settings.ingest.batch_mails) == (3, 50, 7)


def test_a_list_in_the_environment_is_written_as_toml(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text("")
    settings = conf.load(file, {"OTCLOG_LOG_REPLICAS": '["/a", "/b"]'})
    assert settings.log.replicas == (Path("/a"), Path("/b"))


def test_the_file_is_found_by_the_environment_when_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text("[extract]\ngroup = 'mine'\n")
    assert conf.load(environ={"OTCLOG_CONFIG": str(file)}).extract.group == "mine"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[log]\nmin_insink = 2\n", "FILE:2: unknown key `log.min_insink` (did you mean `log.min_insync`?)"),
        (
            '[[ingest.sources]]\npth = "mail"\nkind = "drop"\n',
            "FILE:2: unknown key `ingest.sources.0.pth` (did you mean `ingest.sources.0.path`?)",
        ),
        (
            '[[alerts.rules]]\nkind = "lag"\n[[alerts.rules]]\nkind = "mood"\n',
            "FILE:4: alerts.rules.1.kind = 'mood': input should be 'process',",
        ),
        (
            '[[alerts.rules]]\nkind = "skew"\nlimit = 3\n[[alerts.rules]]\nkind = "lag"\nlimit = 3\n',
            "FILE:4: [alerts.rules.1] there is no limit of lag; of skew, quotes, fill, errors, messages there is",
        ),
        (
            '[[alerts.rules]]\nkind = "quotes"\nlimit = 3\n',
            "FILE:1: [alerts.rules.0] limit = 3.0: of quotes it is from 0 to 1",
        ),
        (
            '[[alerts.rules]]\nkind = "lag"\nsinks = ["desk"]\n',
            "FILE:3: alerts.rules.0.sinks: there is no sink 'desk' in [[alerts.sinks]]",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "stdout"\n[[alerts.sinks]]\nname = "a"\nkind = "stdout"\n',
            "FILE:5: alerts.sinks.1.name = 'a': an earlier one has that name",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "stdout"\ntext = "$kind ${subjekt}"\n',
            "FILE:4: alerts.sinks.0.text = '$kind ${subjekt}': there is no field $subjekt: there are $host, $kind,",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "stdout"\ntext = "5 $ of it"\n',
            "FILE:4: alerts.sinks.0.text = '5 $ of it': a $ begins the name of a field",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "webhook"\nurl = "http://a.example/x"\n',
            "FILE:4: alerts.sinks.0.url: an URL https://…; http:// is for this machine alone: 127.",
        ),
        (
            '[alerts]\nheartbeat = "http://localhost:99999/x"\n',
            "FILE:2: alerts.heartbeat: its host or port cannot be: a port is 65535 at most",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "webhook"\nurl = "https://a.example/x y"\n',
            "FILE:4: alerts.sinks.0.url: an URL has no spaces, and no control characters",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "webhook"\nurl = "https://a.example/x\\ty"\n',
            "FILE:4: alerts.sinks.0.url: an URL has no spaces, and no control characters",
        ),
        (
            '[[alerts.sinks]]\nname="a"\nkind="smtp"\nserver="a.b:65536"\nsender="a@b"\nto=["a@b"]\n',
            "FILE:4: alerts.sinks.0.server = 'a.b:65536': a port is 65535 at most",
        ),
        (
            '[[alerts.sinks]]\nname="a"\nkind="smtp"\nserver="a.b:25"\nsecurity="plain"\nsender="a@b"\nto=["a@b"]\n',
            'FILE:1: [alerts.sinks.0] security is "starttls" or "tls"; "plain" is for this machine alone: 127.',
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "smtp"\nserver = "mx.example"\n',
            "FILE:4: alerts.sinks.0.server = 'mx.example': write HOST:PORT, as mx.example:587",
        ),
        (
            '[[alerts.sinks]]\nname = "a"\nkind = "command"\n',
            "FILE:1: [alerts.sinks.0] a sink of kind command needs command",
        ),
        ("[lock]\na = 1\n", "FILE:1: unknown key `lock`; conf/otclog.toml lists"),
        ("# first\n[log]\nmin_insync = 'two'\n", "FILE:3: log.min_insync = 'two'"),
        ("[log]\nmin_insync = 0\n", "FILE:2: log.min_insync = 0"),
        ("[log]\nmin_insync = 4\n", "FILE:2: min_insync = 4 but there are 3 replicas: set min_insync = 3, or"),
        (
            "[log]\nreplicas = ['a']\n",
            "FILE:2: min_insync = 2 but there is 1 replica: set min_insync = 1, or name more replicas",
        ),
        ("[log]\nroot = { a = 1 }\n", "FILE:2: log.root is a table: "),
        ("[log]\nreplicas = [{ a = 1 }]\n", "FILE:2: log.replicas.0 is a table: "),
        ("[log]\nreplicas = ['a', 'a/b']\n", "FILE:1: [log] "),
        ("[log]\nbackend = 'kafka'\n", "FILE:1: [log] backend = "),
        ("[log]\nreplicas = 3\n", "FILE:2: log.replicas = 3: must be a list, in square brackets"),
        ("[ingest]\n[[ingest.sources]]\npath = 'x'\nkind = 'mbox'\n", "FILE:4: ingest.sources.0.kind = 'mbox'"),
        ("\n[[ingest.sources]]\nkind = 'drop'\n", "FILE:2: `path` is missing in ingest.sources"),
        ("[log\n", "FILE: Expected ']'"),
        ("log = 1\n", "FILE:1: `log` must be a table"),
    ],
)
def test_what_cannot_be_used_is_refused_with_file_line_and_key(tmp_path: Path, text: str, says: str) -> None:
    assert refused(tmp_path, text).startswith(says)


def test_an_unknown_variable_is_refused_by_its_name(tmp_path: Path) -> None:
    assert "OTCLOG_LOG_MIN_INSINK" in refused(tmp_path, "", {"OTCLOG_LOG_MIN_INSINK": "1"})


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(conf.ConfigError, match="otclog init"):
        conf.load(tmp_path / "none.toml", {})


def test_every_default_has_a_comment() -> None:
    packaged = (Path(conf.__file__).parent / "otclog.toml").read_text()
    lines = packaged.splitlines()
    settings = [n for n, line in enumerate(lines) if "=" in line and not line.startswith("#")]
    bare = [lines[n] for n in settings if "#" not in lines[n] and not lines[n - 1].startswith(("#", "[["))]
    assert [line for line in bare if not line.startswith(("kind", "driver_memory"))] == []


def test_a_list_in_the_environment_that_is_none_is_refused_by_its_name(tmp_path: Path) -> None:
    assert refused(tmp_path, "", {"OTCLOG_LOG_REPLICAS": '["a"'}).startswith("environment variable OTCLOG_LOG_REPLICAS")


def test_the_environment_overrides_the_defaults_where_there_is_no_file() -> None:
    assert conf.defaults({"OTCLOG_PARSERS_SANDBOX": "off"}).parsers.sandbox == "off"


def test_no_message_dumps_a_whole_table(tmp_path: Path) -> None:
    for text in ("[log]\nbackend = 'kafka'\n", "[tables.root]\na = 1\n", "[log]\nroot = {}\n"):
        said = refused(tmp_path, text)
        assert "PosixPath" not in said
        assert len(said) < 200


def test_brokers_are_a_table_within_a_table_and_their_files_start_from_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text(
        '[log]\nbackend = "kafka"\nclaims = ["claims"]\n[log.kafka]\nbootstrap = "a:9092,b:9092"\nca = "ca.pem"\n'
    )
    log = conf.load(file, {"OTCLOG_LOG_KAFKA_REPLICATION": "3"}).log
    assert (log.kafka.bootstrap, log.kafka.replication, log.kafka.ca) == ("a:9092,b:9092", 3, tmp_path / "ca.pem")
    assert log.kafka.credentials is None
    assert log.inline_max_bytes == 786_432
    assert conf.load(file, {"OTCLOG_LOG_INLINE_MAX_BYTES": "1000"}).log.inline_max_bytes == 1000
    with pytest.raises(conf.ConfigError, match="there is no setting `kafka_brokers` in"):
        conf.load(file, {"OTCLOG_LOG_KAFKA_BROKERS": "a:1"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[log]\nbackend = "kafka"\nclaims = ["claims"]\n', "needs the brokers"),
        ('[log]\nbackend = "kafka"\n[log.kafka]\nbootstrap = "a:9092"\n', "needs a place for large mails"),
        ('[log.kafka]\nbootstrap = "a"\n', "otclog.toml:2: log.kafka.bootstrap"),
        ('[log.kafka]\nbotstrap = "a:1"\n', "unknown key `log.kafka.botstrap`"),
    ],
)
def test_settings_of_brokers_that_cannot_be_are_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "otclog.toml"
    file.write_text(text)
    with pytest.raises(conf.ConfigError, match=said):
        conf.load(file, {})
