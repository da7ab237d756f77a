"""From otclog.toml and the environment to `Settings`: defaults, then the user's file, then `OTCLOG_…` variables.

Every refusal names the file, the line and the key, so that a typing error costs a look and no search.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from conf.alerting import RuleSettings, SinkSettings
from conf.apart import clashes
from conf.settings import IS_URL, ConfigError, RouteSettings, Settings, SourceSettings

PACKAGED = Path(__file__).parent / "otclog.toml"
_PATHS = {
    ("log", "root"),
    ("log", "replicas"),
    ("log", "claims"),
    *(("log.kafka", name) for name in ("ca", "certificate", "key", "credentials")),
    ("ingest", "ledger"),
    ("ingest", "import_progress"),
    ("lmtp", "socket"),
    ("parsers", "dealers"),
    ("parsers", "securities"),
    ("tables", "root"),
    ("tables", "credentials"),
    ("spark", "pack"),
    ("spark", "secret"),
    ("logging", "file"),
    ("metrics", "folder"),
    ("alerts", "state"),
}
_INNER = {"log.kafka"}  # tables within tables
_LISTED = {  # tables that may be there several times
    "ingest.sources": SourceSettings,
    "ingest.routes": RouteSettings,
    "alerts.rules": RuleSettings,
    "alerts.sinks": SinkSettings,
}
_PATHS_IN = {("ingest", "sources"): ("path",), ("alerts", "sinks"): ("ca", "credentials")}  # of such tables
_SECRETS = {"url", "heartbeat"}  # of alerts: who knows one may send there
_ADAPTER = TypeAdapter(Settings)
_INLINE_ON_KAFKA = 786_432  # a broker's default limit is 1,048,588 bytes a record, of which headers take some


@dataclass(frozen=True, slots=True)
class _Layer:
    """One source of settings, with the folder its relative paths start from."""

    name: str
    text: str
    tables: dict[str, dict[str, Any]]
    folder: Path


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. Without `path`: `$OTCLOG_CONFIG`, else ./otclog.toml. Raises ConfigError."""
    named = path or (Path(environ["OTCLOG_CONFIG"]) if environ.get("OTCLOG_CONFIG") else Path("otclog.toml"))
    if not named.is_file():
        raise ConfigError(
            f"{named}: no such settings file; make a home with `otclog init DIR`, or name one by --config"
        )
    file = named.absolute()
    return _merged([_layer(PACKAGED, file.parent), _layer(file, file.parent), _environment(environ)])


def defaults(environ: Mapping[str, str] = os.environ) -> Settings:
    """The packaged defaults under the environment, paths relative to the working directory. Raises ConfigError."""
    return _merged([_layer(PACKAGED, Path.cwd()), _environment(environ)])


def _layer(file: Path, folder: Path) -> _Layer:
    try:
        text = file.read_text("utf-8")
        return _Layer(str(file), text, tomllib.loads(text), folder)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from error


def _environment(environ: Mapping[str, str]) -> _Layer:
    """`OTCLOG_LOG_MIN_INSYNC=1` is `min_insync = 1` of `[log]`; lists are written as TOML."""
    known = _layer(PACKAGED, Path.cwd()).tables
    tables: dict[str, dict[str, Any]] = {}
    for variable, text in environ.items():
        if not variable.startswith("OTCLOG_") or variable == "OTCLOG_CONFIG":
            continue
        table, _, key = variable.removeprefix("OTCLOG_").lower().partition("_")
        value = _list(variable, text) if text.startswith("[") else text
        inner, _, rest = key.partition("_")
        if f"{table}.{inner}" in _INNER and rest in known[table][inner]:
            tables.setdefault(table, {}).setdefault(inner, {})[rest] = value
        elif key in known.get(table, {}):
            tables.setdefault(table, {})[key] = value
        else:
            raise ConfigError(f"environment variable {variable}: there is no setting `{key}` in [{table}]")
    return _Layer("environment", "", tables, Path.cwd())


def _list(variable: str, text: str) -> Any:
    try:
        return tomllib.loads(f"it = {text}")["it"]
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"environment variable {variable}: {text!r} is no list: {error}") from error


def _merged(layers: list[_Layer]) -> Settings:
    merged: dict[str, Any] = {}
    for layer in layers:
        for table, keys in layer.tables.items():
            if not isinstance(keys, dict):
                raise ConfigError(f"{_place(layers, (table,))}: `{table}` must be a table, written [{table}]")
            _merge(merged.setdefault(table, {}), keys, layer.folder, table)
    _set_for_kafka(merged["log"], layers[1:])
    try:
        settings = _ADAPTER.validate_python(merged)
    except ValidationError as error:
        # A key that is misspelt comes before the one that is missing for it.
        first = min(error.errors(), key=lambda each: each["type"] != "unexpected_keyword_argument")
        raise ConfigError(_explained(layers, first["loc"], first["type"], first["msg"], first["input"])) from error
    _check_insync(settings, layers)
    _check_sinks(settings, layers)
    for clash in clashes(settings, [Path(layer.name) for layer in layers if layer.text]):
        raise ConfigError(f"{_set_at(layers, *clash.keys)}: {clash.why}")
    return settings


def _check_insync(settings: Settings, layers: list[_Layer]) -> None:
    wanted, count = settings.log.min_insync, len(settings.log.replicas)
    if wanted > count:
        place = _set_at(layers, ("log", "min_insync"), ("log", "replicas"))
        there = "is 1 replica" if count == 1 else f"are {count} replicas"
        raise ConfigError(
            f"{place}: min_insync = {wanted} but there {there}: set min_insync = {count}, or name more replicas"
        )


def _check_sinks(settings: Settings, layers: list[_Layer]) -> None:
    """Each alert is told to somebody whom there is, and who has a name of his own."""
    names = [sink.name for sink in settings.alerts.sinks]
    for number, name in enumerate(names):
        if name in names[:number]:
            place = _place(layers, ("alerts", "sinks", number, "name"))
            raise ConfigError(f"{place}: alerts.sinks.{number}.name = {name!r}: an earlier one has that name")
    for number, rule in enumerate(settings.alerts.rules):
        if missing := [name for name in rule.sinks or () if name not in names]:
            place = _place(layers, ("alerts", "rules", number, "sinks"))
            raise ConfigError(
                f"{place}: alerts.rules.{number}.sinks: there is no sink {missing[0]!r} in [[alerts.sinks]]"
            )


def _merge(into: dict[str, Any], keys: dict[str, Any], folder: Path, table: str) -> None:
    """What a layer sets over what was set before it; tables within a table key by key, too."""
    for key, value in keys.items():
        if f"{table}.{key}" in _INNER and isinstance(value, dict):
            _merge(into.setdefault(key, {}), value, folder, f"{table}.{key}")
        else:
            into[key] = _from(folder, table, key, value)


def _set_for_kafka(log: dict[str, Any], layers: list[_Layer]) -> None:
    """What is another default with brokers."""
    if log["backend"] == "kafka" and not any("inline_max_bytes" in layer.tables.get("log", {}) for layer in layers):
        log["inline_max_bytes"] = _INLINE_ON_KAFKA


def _from(folder: Path, table: str, key: str, value: Any) -> Any:
    """`value` with its relative paths started from `folder`."""
    if (names := _PATHS_IN.get((table, key))) and isinstance(value, list):
        return [
            each | {name: _in(folder, each[name]) for name in names if name in each} if isinstance(each, dict) else each
            for each in value
        ]
    if (table, key) not in _PATHS:
        return value
    if isinstance(value, list):
        return [_in(folder, item) for item in value]
    return None if value == "" else _in(folder, value)


def _in(folder: Path, value: Any) -> Any:
    return folder / value if isinstance(value, str) and not IS_URL.match(value) else value


def _explained(layers: list[_Layer], where: tuple[int | str, ...], kind: str, message: str, got: object) -> str:
    key = ".".join(str(step) for step in where)
    if kind == "unexpected_keyword_argument":
        hint = _meant(layers[0], key)
        return f"{_place(layers, where)}: unknown key `{key}`{hint}; conf/otclog.toml lists every setting"
    if kind == "missing":
        table, _, name = key.rpartition(".")
        return f"{_place(layers, where[:-1])}: `{name}` is missing in {re.sub(r'[.][0-9]+$', '', table)}"
    if kind == "tuple_type":
        message = "Must be a list, in square brackets"
    message = f"{message[0].lower()}{message[1:]}".removeprefix("value error, ")
    if isinstance(got, dict):  # of all of a table; or a table where a value should be
        return f"{_place(layers, where)}: {f'[{key}] ' if kind == 'value_error' else f'{key} is a table: '}{message}"
    if where[0] == "alerts" and where[-1] in _SECRETS:
        return f"{_place(layers, where)}: {key}: {message}"
    return f"{_place(layers, where)}: {key} = {str(got) if isinstance(got, Path) else got!r}: {message}"


def _meant(packaged: _Layer, key: str) -> str:
    """The setting whose name is nearest, as a question."""
    table = key.rpartition(".")[0]
    if listed := _LISTED.get(re.sub(r"\.\d+$", "", table)):
        known = [f"{table}.{field.name}" for field in fields(listed)]
    else:
        known = [*packaged.tables, *(f"{table}.{name}" for table, keys in packaged.tables.items() for name in keys)]
    nearest = difflib.get_close_matches(key, known, n=1)
    return f" (did you mean `{nearest[0]}`?)" if nearest else ""


def _set_at(layers: list[_Layer], *wheres: tuple[str, ...]) -> str:
    """`_place` of the first of these keys that the user sets: none is told to mend the defaults."""
    of_users = (where for where in wheres if any(where[-1] in each.tables.get(where[0], {}) for each in layers[1:]))
    return _place(layers, next(of_users, wheres[0]))


def _place(layers: list[_Layer], where: tuple[int | str, ...]) -> str:
    """`file:line` of the key, in the last layer that sets it."""
    for layer in reversed(layers):
        if where[0] in layer.tables and (len(where) == 1 or where[1] in layer.tables[str(where[0])]):
            line = _line_of(layer.text, where)
            return f"{layer.name}:{line}" if line else layer.name
    return layers[-1].name


def _line_of(text: str, where: tuple[int | str, ...]) -> int | None:
    """1-based line of a key in TOML text: its table's header is found first, of several the one that is meant."""
    keys = [step for step in where if isinstance(step, str)]
    meant = next((step for step in where if isinstance(step, int)), 0)
    header = re.compile(r"\s*(\[+)\s*([\w.\-]+)\s*\]+")
    table, last, found, seen = "", keys[-1], None, Counter[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if match := header.match(line):
            table = match.group(2)
            seen[table] += match.group(1) == "[["
            found = number if table == ".".join(keys) and seen[table] in {0, meant + 1} else found
        elif (
            re.match(rf"\s*{re.escape(last)}\s*=", line)
            and table == ".".join(keys[:-1])
            and seen[table] in {0, meant + 1}
        ):
            return number
    return found
