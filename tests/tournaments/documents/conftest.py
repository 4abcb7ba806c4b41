"""Every test has its own folder of finished PDFs."""

import pytest


@pytest.fixture(autouse=True)
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path
