"""The proxies before the service, as the compose file configures them, run here."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.support.sockets import CLIENT

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose"
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


def command(name: str, directory: Path, port: int, *upstreams: int) -> list[str]:
    """What runs the proxy of the compose file here, before nodes of the service at the ports `upstreams`."""
    program = PROGRAMS[name]
    assert program
    if name == "nginx":
        nodes = "\n".join(f"server {CLIENT}:{upstream} max_fails=0;" for upstream in upstreams)
        text = replaced(
            (COMPOSE / "nginx.conf").read_text(),
            ("server api:8000 max_fails=0;", nodes),
            ("listen 8000;", f"listen {CLIENT}:{port};"),
            ("http {", f"pid {directory}/pid; error_log stderr;\nhttp {{ access_log off; {temporary(directory)}"),
        )
        options = ["-e", "stderr", "-p", str(directory), "-g", "daemon off; master_process off;", "-c"]
    else:
        nodes = "\n".join(f"    server api{upstream} {CLIENT}:{upstream}" for upstream in upstreams)
        text = replaced(
            (COMPOSE / "haproxy.cfg").read_text(),
            ("bind :8000", f"bind {CLIENT}:{port}"),
            ("resolvers docker\n", "resolvers unused\n"),
        )
        text = re.sub(r" *server-template .*", nodes, text)
        options = ["-db", "-f"]
    file = directory / name
    file.write_text(text)
    return [program, *options, str(file)]


def environment() -> Mapping[str, str]:
    """This process's environment, with the libraries that were unpacked beside the programs."""
    libraries = ":".join(map(str, TOOLS.glob("lib/*-linux-gnu")))
    return os.environ | ({"LD_LIBRARY_PATH": libraries} if libraries else {})


def temporary(directory: Path) -> str:
    """nginx's directives that name where it may write."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {directory}/{kind};" for kind in kinds)
