"""conf.home"""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

import conf
from conf.home import make_home


def test_a_home_has_settings_that_load_and_a_maildir_of_its_own(tmp_path: Path) -> None:
    file = make_home(tmp_path / "home")
    source = conf.load(file, {}).ingest.sources[0]
    assert source.kind == "maildir"
    assert (source.path / "new").is_dir()


def test_a_homes_settings_show_how_mail_files_are_kept_and_where_all_settings_are(tmp_path: Path) -> None:
    file = make_home(tmp_path / "home")
    text = file.read_text()
    assert conf.load(file, {}).ingest.sources[0].done is None
    file.write_text(text.replace("# done =", "done ="))
    assert conf.load(file, {}).ingest.sources[0].done == "move"
    (defaults,) = [line.removeprefix("# ") for line in text.splitlines() if line.endswith("conf/otclog.toml")]
    assert "[extract]" in Path(defaults).read_text()


def test_a_home_is_closed_to_others(tmp_path: Path) -> None:
    file = make_home(tmp_path / "home")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file.parent, file)] == [0o700, 0o600]


@pytest.mark.parametrize(("inside", "kind"), [("new", "maildir"), ("2026", "drop")])
def test_the_users_own_folder_is_named_with_its_kind(tmp_path: Path, inside: str, kind: str) -> None:
    mail = tmp_path / 'my "mail"'
    (mail / inside).mkdir(parents=True)
    source = conf.load(make_home(tmp_path / "home", [mail]), {}).ingest.sources[0]
    assert (source.path, source.kind) == (mail, kind)


def test_each_of_several_folders_is_a_source_once(tmp_path: Path) -> None:
    (tmp_path / "one" / "new").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    file = make_home(tmp_path / "home", [tmp_path / "one", tmp_path / "two", tmp_path / "one"])
    sources = conf.load(file, {}).ingest.sources
    assert [(each.path, each.kind) for each in sources] == [(tmp_path / "one", "maildir"), (tmp_path / "two", "drop")]


def test_a_folder_named_from_here_is_named_whole_in_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("inbox", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    file = make_home(Path("home"), [Path("../inbox")])
    assert f'path = "{tmp_path / "inbox"}"' in file.read_text()
    with pytest.raises(conf.ConfigError, match="name a folder outside"):
        make_home(Path("../inbox/home"), [Path("../inbox")])


def test_a_home_whose_making_was_cut_off_is_made_by_the_next_try(tmp_path: Path) -> None:
    (tmp_path / "home" / "mail" / "tmp").mkdir(parents=True)
    source = conf.load(make_home(tmp_path / "home"), {}).ingest.sources[0]
    assert (source.path / "new").is_dir()


def test_settings_that_are_there_are_never_overwritten(tmp_path: Path) -> None:
    file = make_home(tmp_path / "home")
    file.write_text("[log]\n")
    with pytest.raises(conf.ConfigError, match="is there already"):
        make_home(tmp_path / "home")
    assert file.read_text() == "[log]\n"


def test_a_mail_folder_that_is_not_there_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(conf.ConfigError, match="no such folder"):
        make_home(tmp_path / "home", [tmp_path / "nowhere"])
    assert not (tmp_path / "home" / "otclog.toml").exists()


@pytest.mark.parametrize("inside", [".", "otclog", "new"])
def test_a_home_is_never_made_where_its_files_would_be_taken_for_mail(tmp_path: Path, inside: str) -> None:
    with pytest.raises(conf.ConfigError, match="name a folder outside"):
        make_home(tmp_path / inside, [tmp_path])
    assert list(tmp_path.iterdir()) == []
