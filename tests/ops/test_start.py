"""A start on a disk that is full, or not this user's, ends with a sentence; an install's key is whole or not there."""

from concurrent.futures import ThreadPoolExecutor

from tests.served import program

READ_KEY = "from django.conf import settings; print(settings.SECRET_KEY)"


def started(folder):
    return program(folder, "-c", READ_KEY)


def test_a_key_is_made_once(tmp_path):
    first, again = started(tmp_path), started(tmp_path)
    assert first.stdout == again.stdout
    assert len(first.stdout.strip()) == 80
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.glob("secret-key*")] == ["secret-key"]


def test_two_starts_at_once_have_the_same_key(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        keys = {start.stdout for start in pool.map(started, [tmp_path] * 4)}
    (key,) = keys
    assert len(key.strip()) == 80


def test_an_empty_key_of_a_disk_that_was_full_is_made_anew(tmp_path):
    (tmp_path / "secret-key").touch()
    assert len(started(tmp_path).stdout.strip()) == 80


def test_a_folder_that_cannot_be_written_to_is_told_in_a_sentence(tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    refused = started(in_the_way / "var")
    assert refused.returncode == 1
    assert "can't write there" in refused.stderr
    assert "VAR_DIR=/path" in refused.stderr
    assert "Traceback" not in refused.stderr
