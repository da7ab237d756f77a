"""Settings of otclog: `load()` reads otclog.toml and the environment, `defaults()` is what comes with it."""

from conf.loader import defaults, load
from conf.settings import (
    ConfigError,
    ExtractSettings,
    IngestSettings,
    LmtpSettings,
    LogSettings,
    ParserSettings,
    RouteSettings,
    Settings,
    SourceSettings,
    SparkSettings,
    StatusSettings,
    TableSettings,
)

__all__ = [
    "ConfigError",
    "ExtractSettings",
    "IngestSettings",
    "LmtpSettings",
    "LogSettings",
    "ParserSettings",
    "RouteSettings",
    "Settings",
    "SourceSettings",
    "SparkSettings",
    "StatusSettings",
    "TableSettings",
    "defaults",
    "load",
]
