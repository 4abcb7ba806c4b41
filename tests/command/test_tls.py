"""With a certificate the site answers over TLS by itself, and marks its cookies for it."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from shutil import which
from urllib.request import HTTPSHandler, build_opener

import pytest

from tests.served import free_port, running


@pytest.mark.skipif(not which("openssl"), reason="openssl, which makes the certificate, isn't here")
def test_the_site_is_served_by_its_certificate(tmp_path: Path) -> None:
    certificate, key = tmp_path / "hall.pem", tmp_path / "hall.key"
    made = [
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=hall",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
    ]
    subprocess.run(
        ["openssl", "req", "-x509", *made, "-out", certificate, "-keyout", key], capture_output=True, check=True
    )
    port = free_port()
    call = ["-m", "clubsite.command", "web", "--certificate", str(certificate), "--key", str(key)]
    with running(call, port=port, environment={"PORT": str(port), "WEB_PROCESSES": "1", "STATIC_BUILT": "off"}):
        browser = build_opener(HTTPSHandler(context=ssl.create_default_context(cafile=str(certificate))))
        answer = browser.open(f"https://127.0.0.1:{port}/login/")
    assert answer.status == 200  # no redirect to itself: it knows that it was asked over TLS
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in answer.headers  # next week the hall may have no certificate
