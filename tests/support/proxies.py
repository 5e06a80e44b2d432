"""The proxies before the service, as the compose file configures them, run here."""

import os
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.support.sockets import CLIENT

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose"
MACHINES = ROOT / "deploy" / "machines"
TOOLS = ROOT / ".tools" / "usr"
SBIN = f"{TOOLS}/sbin:/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"
PROGRAMS = {name: shutil.which(name, path=SBIN) for name in ("nginx", "haproxy")}
"""They are unpacked under .tools by `make test`, or installed."""


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """The text with each first one, which stands in it once, replaced by the second."""
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def command(name: str, directory: Path, port: int, *upstreams: int, plain: int | None = None) -> list[str]:
    """What runs the proxy of the compose file here, before nodes of the service at the ports `upstreams`.

    With a port for what is `plain`, it serves TLS with the directory's certificate, as configured; otherwise clients
    come without.
    """
    program = PROGRAMS[name]
    assert program
    certify(directory)
    redirecting = f"unix:{directory}/plain" if plain is None else f"{CLIENT}:{plain}"
    if name == "nginx":
        nodes = "\n".join(f"server {CLIENT}:{upstream} max_fails=0;" for upstream in upstreams)
        text = replaced(
            (COMPOSE / "nginx.conf").read_text(),
            ("server api:8000 max_fails=0;", nodes),
            ("listen 8443 ssl http2;", f"listen {CLIENT}:{port}{'' if plain is None else ' ssl http2'};"),
            ("listen 8000;", f"listen {redirecting};"),
            ("certificate /etc/codille/tls", f"certificate {directory}"),
            ("certificate_key /etc/codille/tls", f"certificate_key {directory}"),
            ("http {", f"pid {directory}/pid; error_log stderr;\nhttp {{ access_log off; {temporary(directory)}"),
        )
        options = ["-e", "stderr", "-p", str(directory), "-g", "daemon off; master_process off;", "-c"]
    else:
        nodes = "\n".join(f"    server api{upstream} {CLIENT}:{upstream}" for upstream in upstreams)
        text = replaced(
            (COMPOSE / "haproxy.cfg").read_text(),
            ("bind :8443 ssl", f"bind {CLIENT}:{port}{'' if plain is None else ' ssl'}"),
            ("bind :8000", f"bind {redirecting.replace('unix:', 'unix@')}"),
            ("/etc/codille/tls", str(directory)),
            ("resolvers docker\n", "resolvers unused\n"),
        )
        text = re.sub(r" *server-template .*", nodes, text)
        options = ["-db", "-f"]
    file = directory / name
    file.write_text(text)
    return [program, *options, str(file)]


def certify(directory: Path) -> None:
    """Puts a certificate for this machine, which signs itself, and its key into the directory."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, CLIENT)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(CLIENT))]), critical=False)
        .sign(key, SHA256())
    )
    (directory / "site.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (directory / "site.pem.key").write_bytes(secret)


def environment() -> Mapping[str, str]:
    """This process's environment, with the libraries that were unpacked beside the programs."""
    libraries = ":".join(map(str, TOOLS.glob("lib/*-linux-gnu")))
    return os.environ | ({"LD_LIBRARY_PATH": libraries} if libraries else {})


def temporary(directory: Path) -> str:
    """nginx's directives that name where it may write."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {directory}/{kind};" for kind in kinds)
